package checkpoint_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
	"github.com/kubeckpt/ckpt/filestore"
)

// What was deleted does not come back when what was begun after it is damaged,
// whoever has deleted it.
func TestLastGoodDoesNotUndoADelete(t *testing.T) {
	lastGood := checkpoint.WithRecovery(checkpoint.LastGood)
	for by, remove := range map[string]func(dir string) error{
		"this program": func(dir string) error { return openState[counter](t, dir, lastGood).Delete(background) },
		"one without":  func(dir string) error { return openState[counter](t, dir).Delete(background) },
		"a person":     func(dir string) error { return os.Remove(filepath.Join(dir, key)) },
	} {
		dir := t.TempDir()
		counted(t, openState[counter](t, dir, lastGood), 3)
		if err := remove(dir); err != nil {
			t.Fatal(err)
		}
		next := openState[counter](t, dir, lastGood)
		counted(t, next, 1)
		damage(t, dir)
		if got, info, err := next.Load(background); !errors.Is(err, filestore.ErrNoGoodGeneration) || !errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
			t.Errorf("deleted by %s: %+v, %+v, %v", by, got, info, err)
		}
	}
}

// Until a state begins anew, a person may still restore what was deleted.
func TestDeleteKeepsWhatIsKept(t *testing.T) {
	dir := t.TempDir()
	s := openState[counter](t, dir, checkpoint.WithRecovery(checkpoint.LastGood))
	counted(t, s, 3)
	if err := s.Delete(background); err != nil {
		t.Fatal(err)
	}
	store, err := filestore.Open(dir)
	if err == nil {
		_, err = store.Restore(key, func([]byte) error { return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := load(t, s); got.N != 2 {
		t.Errorf("restored: %+v", got)
	}
}

// Each call of an Update that begins anew fails: nothing of before comes back.
func TestFaultsOfBeginningAnew(t *testing.T) {
	opts := []checkpoint.Option{checkpoint.WithRecovery(checkpoint.LastGood)}
	n, err := checkpointtest.Faults(
		func(d *checkpointtest.Disk) error {
			s, err := onDisk(d, opts...)
			if err != nil {
				return err
			}
			return errors.Join(s.Update(background, add), s.Update(background, add), s.Update(background, add), s.Delete(background))
		},
		func(d *checkpointtest.Disk) error { return once(d, opts...) },
		func(d *checkpointtest.Disk, _ error) error {
			s, err := onDisk(d, opts...)
			if err != nil {
				return err
			}
			if err := s.Update(background, func(c *counter) error { c.N = 1; return nil }); err != nil {
				return err
			}
			if err := d.WriteFile("/state/"+key, []byte("junk")); err != nil {
				return err
			}
			if got, _, err := s.Load(background); err == nil && got.N != 1 {
				return errors.New("a deleted state is back")
			}
			return nil
		})
	if err != nil || n < 20 {
		t.Errorf("%d faults, %v", n, err)
	}
}

// The context ends the wait for another State, as in an Update.
func TestDeleteWaitsForAnotherState(t *testing.T) {
	dir := t.TempDir()
	holder, other := openState[counter](t, dir), openState[counter](t, dir)
	err := holder.Update(background, func(c *counter) error {
		for _, end := range []func() (context.Context, context.CancelFunc){
			func() (context.Context, context.CancelFunc) {
				return context.WithTimeout(background, 20*time.Millisecond)
			},
			func() (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(background)
				time.AfterFunc(20*time.Millisecond, cancel)
				return ctx, cancel
			},
		} {
			ctx, cancel := end()
			defer cancel()
			err := other.Delete(ctx)
			if !errors.Is(err, ctx.Err()) || ctx.Err() == nil {
				t.Errorf("Delete: %v", err)
			}
			wantSentence(t, err)
		}
		c.N = 1
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := load(t, other); got.N != 1 {
		t.Errorf("%+v", got)
	}
}

// A key that leaves no room for a name in quarantine is refused before there is
// something to put there.
func TestLongKeys(t *testing.T) {
	for _, n := range []int{220, 221, 250} {
		long := strings.Repeat("k", n)
		for name, opt := range map[string]checkpoint.Option{
			"quarantine": checkpoint.WithRecovery(checkpoint.QuarantineAndStartEmpty),
			"last good":  checkpoint.WithRecovery(checkpoint.LastGood),
			"history":    checkpoint.WithHistory(1),
			"neither":    checkpoint.WithRecovery(checkpoint.Fail),
		} {
			_, err := checkpoint.Open[counter](t.TempDir(), long, opt)
			var tooLong *filestore.LongKeyError
			if errors.As(err, &tooLong) != (n > 220 && name != "neither") {
				t.Errorf("%s with a key of %d bytes: %v", name, n, err)
			}
		}
	}
}
