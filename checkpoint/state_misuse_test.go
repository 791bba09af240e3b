package checkpoint_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
)

// What a program does wrong ends in an error that says what, not in a panic.
func TestMisuse(t *testing.T) {
	s := openState[counter](t, t.TempDir(), nil, checkpoint.WithMerge[counter](nil), checkpoint.WithEmpty[counter](nil))
	noEmpty := openState[counter](t, t.TempDir(), checkpoint.WithEmpty(func() *counter { return nil }))
	var none context.Context
	load := func(s *checkpoint.State[counter]) error {
		_, _, err := s.Load(none)
		return err
	}
	_, openFunc := checkpoint.Open[func()](t.TempDir(), key)
	_, openField := checkpoint.Open[struct{ F func() }](t.TempDir(), key)
	for _, c := range []struct {
		err  error
		want string
	}{
		{load(s), "the context is nil"},
		{s.Update(none, add), "the context is nil"},
		{s.Delete(none), "the context is nil"},
		{s.Update(background, nil), "no function to change it"},
		{noEmpty.Update(background, add), "WithEmpty has returned nil"},
		{openFunc, "unsupported type: func()"},
		{openField, "unsupported type: func()"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
		wantSentence(t, c.err)
	}
	counted(t, s, 1)
}

// An Update within an Update waits for itself, and says so after a while.
func TestUpdateWithinAnUpdate(t *testing.T) {
	s := openState[counter](t, t.TempDir(), checkpoint.WithStore(filestore.WithLockTimeout(50*time.Millisecond)))
	for name, again := range map[string]func() error{
		"update": func() error { return s.Update(background, add) },
		"delete": func() error { return s.Delete(background) },
	} {
		err := s.Update(background, func(*counter) error { return again() })
		var busy *checkpoint.BusyError
		if !errors.As(err, &busy) || busy.Waited != 50*time.Millisecond || !strings.Contains(err.Error(), "waits for itself") {
			t.Errorf("%s: %v", name, err)
		}
		wantSentence(t, err)
	}
	counted(t, s, 1)
}

// Those who wait behind many wait longer than for one, and do not give up.
func TestManyWaitTheirTurn(t *testing.T) {
	const patience, each, calls = time.Second, 300 * time.Millisecond, 30
	dir := fastDir(t)
	synctest.Test(t, func(t *testing.T) { // the time is not that of the machine
		s := openState[counter](t, dir, checkpoint.WithStore(filestore.WithLockTimeout(patience)))
		start := time.Now()
		var wg sync.WaitGroup
		for range calls {
			wg.Go(func() {
				err := s.Update(background, func(d *counter) error {
					time.Sleep(each)
					return add(d)
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got, _ := load(t, s); got.N != calls || time.Since(start) != calls*each {
			t.Errorf("%d of %d, in %v", got.N, calls, time.Since(start))
		}
		// Behind one that does not end they give up.
		err := s.Update(background, func(*counter) error { return s.Update(background, add) })
		if busy := new(checkpoint.BusyError); !errors.As(err, &busy) {
			t.Error(err)
		}
	})
}

// Of several members that are missing, it is always the first that is named.
func TestMissingMembersInOrder(t *testing.T) {
	dir := t.TempDir()
	s := openState[counter](t, dir)
	writeFile(t, dir, []byte(`{"ckpt":{}}`))
	for range 20 {
		_, _, err := s.Load(background)
		if wantReason(t, err, checkpoint.ReasonEnvelope); !strings.Contains(err.Error(), `no member "name"`) {
			t.Fatal(err)
		}
	}
}

// A release that has no older version may have the constant of a later one.
func TestDualWriteOfMoreThanThereAre(t *testing.T) {
	dir := t.TempDir()
	prepare(t, openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(7)), "a", "gpu-0", thePool, "")
	one := openState[claimsV1](t, dir, versions(1), checkpoint.WithDualWrite(7))
	if got, _ := load(t, one); len(got.Claims) != 1 {
		t.Errorf("%v", got)
	}
}
