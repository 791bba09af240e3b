package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
)

// A function that finds another store locked has been called, so it is not called
// again, and does not wait for itself.
func TestAnotherStoreIsLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s := openState[counter](t, dir)
		// Of the same directory, so that the lock is ours.
		other, err := checkpoint.Open[counter](dir, "other", checkpoint.WithStore(filestore.WithLockTimeout(time.Second)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(background, time.Minute)
		defer cancel()
		calls := 0
		err = s.Update(ctx, func(*counter) error {
			calls++
			return other.Update(background, add)
		})
		var locked *filestore.LockedError
		if !errors.As(err, &locked) || calls != 1 || outcome(err) != checkpoint.Unchanged {
			t.Errorf("%d calls: %v", calls, err)
		}
		counted(t, s, 1)
	})
}

func outcome(err error) checkpoint.Outcome {
	state, ok := err.(*checkpoint.StateError)
	if !ok {
		return -1
	}
	return state.Outcome
}

// What has become of another store says nothing of this one: neither what is on
// disk nor that it is damaged.
func TestErrorsOfOtherStores(t *testing.T) {
	var failure error
	dir := t.TempDir()
	opts := []checkpoint.Option{versions(3), checkpoint.WithDualWrite(2), checkpoint.WithRecovery(checkpoint.QuarantineAndStartEmpty),
		checkpoint.WithMerge(func(_, _ *claimsV3) error { return failure })}
	s := openState[claimsV3](t, dir, opts...)
	prepare(t, s, "a", "gpu-0", thePool, "")
	for i, of := range []error{
		&filestore.NotDurableError{Path: "/other", Err: errors.New("no")},
		&filestore.UncertainError{Path: "/other", Err: errors.New("no")},
		&checkpoint.StateError{Op: "update", Key: "other", Outcome: checkpoint.NotDurable, Err: &filestore.NotDurableError{Path: "/other", Err: errors.New("no")}},
		&checkpoint.FormatError{Reason: checkpoint.ReasonDigest, Text: "another file is damaged"},
		fmt.Errorf("%w: in part", &filestore.UncertainError{Path: "/other", Err: errors.New("no")}),
	} {
		failure = of
		err := s.Update(background, func(d *claimsV3) error {
			clear(d.Claims)
			return failure
		})
		if !errors.Is(err, failure) || outcome(err) != checkpoint.Unchanged {
			t.Errorf("%v", err)
		}
		// Another writes, and what is read then is known to be durable.
		device := fmt.Sprintf("gpu-%d", i+1)
		prepare(t, openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2)), "a", device, thePool, "")
		load(t, s)
		if got, _, _ := s.Last(); got.Claims["a"][device].Pool != thePool {
			t.Errorf("after %v the last is %v", failure, got)
		}
		// An older release writes, so that the function of WithMerge is called.
		old := openState[claimsV1](t, dir, versions(1))
		if err := old.Update(background, func(d *claimsV1) error {
			d.Claims["b"] = append(d.Claims["b"], device)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		before := string(readFile(t, dir))
		_, _, lerr := s.Load(background)
		uerr := s.Update(background, adding("c", "gpu-0", thePool, ""))
		for _, err := range []error{lerr, uerr} {
			if !errors.Is(err, failure) || outcome(err) != checkpoint.Unchanged {
				t.Errorf("%v", err)
			}
		}
		if got := string(readFile(t, dir)); got != before {
			t.Errorf("after %v the file is %s, was %s", failure, got, before)
		}
		fine := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2))
		prepare(t, fine, "c", device, thePool, "")
	}
}
