package checkpoint_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
)

// What Last returns never goes back, however reading and writing overlap.
func TestLastNeverGoesBack(t *testing.T) {
	dir := fastDir(t)
	patient := checkpoint.WithStore(filestore.WithLockTimeout(time.Minute))
	s, other := openState[counter](t, dir, patient), openState[counter](t, dir, patient)
	counted(t, s, 1)
	stop := make(chan struct{})
	var writers, readers sync.WaitGroup
	for _, state := range []*checkpoint.State[counter]{s, s, other} {
		writers.Go(func() {
			for range 100 {
				if err := state.Update(background, add); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 3 {
		readers.Go(func() {
			top := uint64(0)
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, _, err := s.Load(background); err != nil {
					t.Error(err)
				}
				got, info, ok := s.Last()
				if !ok || info.Generation < top || got.N != int(info.Generation) {
					t.Errorf("%+v, %+v after generation %d", got, info, top)
					return
				}
				top = info.Generation
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if got, _ := load(t, s); got.N != 301 {
		t.Errorf("%+v", got)
	}
}

// A file that is gone is nothing; one that is damaged leaves what was known.
func TestLastAfterOthers(t *testing.T) {
	dir := t.TempDir()
	s := openState[counter](t, dir)
	counted(t, s, 1)
	damage(t, dir)
	if _, _, err := s.Load(background); err == nil {
		t.Error("a damaged file was read")
	}
	if got, _, ok := s.Last(); !ok || got.N != 1 {
		t.Errorf("after damage: %+v", got)
	}
	if err := os.Remove(filepath.Join(dir, key)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Load(background); !errors.Is(err, checkpoint.ErrCheckpointNotFound) {
		t.Error(err)
	}
	if got, _, ok := s.Last(); ok {
		t.Errorf("after removal: %+v", got)
	}
}

// Updates that nobody waits for any more do not pile up behind the lock.
func TestAbandonedUpdates(t *testing.T) {
	dir := t.TempDir()
	holder, err := filestore.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := openState[counter](t, dir)
	before := runtime.NumGoroutine()
	err = holder.Update("other", func([]byte) ([]byte, error) {
		for range 50 {
			ctx, cancel := context.WithTimeout(background, time.Millisecond)
			if err := s.Update(ctx, add); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			cancel()
		}
		if n := runtime.NumGoroutine() - before; n > 5 {
			t.Errorf("%d goroutines more", n)
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	counted(t, s, 1)
	if got, _ := load(t, s); got.N != 1 {
		t.Errorf("%+v", got)
	}
}
