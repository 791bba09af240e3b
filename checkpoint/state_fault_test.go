package checkpoint_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
	"github.com/kubeckpt/ckpt/filestore"
)

func onDisk(d *checkpointtest.Disk, opts ...checkpoint.Option) (*checkpoint.State[counter], error) {
	return checkpoint.Open[counter]("/state", key, append(opts, d.Option())...)
}

// once adds one, as a program that starts does.
func once(d *checkpointtest.Disk, opts ...checkpoint.Option) error {
	s, err := onDisk(d, opts...)
	if err == nil {
		err = s.Update(background, add)
	}
	return err
}

func value(d *checkpointtest.Disk, opts ...checkpoint.Option) (int, uint64, error) {
	s, err := onDisk(d, opts...)
	if err != nil {
		return 0, 0, err
	}
	got, info, err := s.Load(background)
	if errors.Is(err, checkpoint.ErrCheckpointNotFound) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	return got.N, info.Generation, nil
}

// Every call to the file system fails in turn: what a State holds in memory is what
// was acknowledged, the error says what is on disk, and a repetition is enough.
func TestFaultsOfUpdate(t *testing.T) {
	var s *checkpoint.State[counter]
	outcomes := map[string]int{}
	n, err := checkpointtest.Faults(
		func(d *checkpointtest.Disk) (err error) {
			if s, err = onDisk(d, checkpoint.WithHistory(1)); err != nil {
				return err
			}
			return errors.Join(s.Update(background, add), s.Update(background, add))
		},
		func(*checkpointtest.Disk) error { return s.Update(background, add) },
		func(d *checkpointtest.Disk, result error) error {
			visible, _, err := value(d)
			if err != nil {
				return err
			}
			memory, _, _ := s.Last()
			var state *checkpoint.StateError
			outcome := "acknowledged"
			if errors.As(result, &state) {
				outcome = state.Outcome.String()
				wantSentence(t, result)
			}
			outcomes[outcome]++
			switch {
			case result == nil && (visible != 3 || memory.N != 3):
				return fmt.Errorf("acknowledged, but %d is there and %d in memory", visible, memory.N)
			case result != nil && memory.N != 2:
				return fmt.Errorf("memory changed to %d", memory.N)
			case outcome == checkpoint.Unchanged.String() && visible != 2, outcome == checkpoint.NotDurable.String() && visible != 3:
				return fmt.Errorf("called %s, but %d is there", outcome, visible)
			}
			// Repeating what may not be durable writes, although it changes nothing.
			if err := s.Update(background, func(c *counter) error { c.N = 3; return nil }); err != nil {
				return fmt.Errorf("repeated: %w", err)
			}
			got, generation, err := value(d)
			if wrote := result == nil || outcome == checkpoint.Unchanged.String(); err != nil || got != 3 || !wrote && generation != uint64(visible)+1 {
				return fmt.Errorf("repeated: %d, generation %d, %w", got, generation, err)
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if n < 50 || outcomes[checkpoint.Unchanged.String()] == 0 || outcomes[checkpoint.NotDurable.String()] == 0 {
		t.Errorf("%d faults, %v", n, outcomes)
	}
	t.Logf("%d faults: %v", n, outcomes)
}

// The power is cut at every moment of three updates, one of which begins with a
// recovery.
func TestPowerCutsDuringUpdates(t *testing.T) {
	for policy, floor := range map[checkpoint.Recovery]int{checkpoint.QuarantineAndStartEmpty: 0, checkpoint.LastGood: 1} {
		opts := []checkpoint.Option{checkpoint.WithRecovery(policy), checkpoint.WithHistory(1)}
		n, err := checkpointtest.Crashes(
			func(d *checkpointtest.Disk) error {
				if err := errors.Join(once(d, opts...), once(d, opts...)); err != nil {
					return err
				}
				blob, err := d.ReadFile("/state/" + key)
				if err != nil {
					return err
				}
				return d.WriteFile("/state/"+key, blob[:len(blob)-1])
			},
			func(d *checkpointtest.Disk) error {
				for i := range 3 {
					if err := once(d, opts...); err != nil {
						return err
					}
					d.Acknowledge(floor + i + 1)
				}
				return nil
			},
			func(d *checkpointtest.Disk, acknowledged []any) error {
				got, _, err := value(d, opts...)
				if err != nil {
					return err
				}
				least := floor
				if len(acknowledged) > 0 {
					least = acknowledged[len(acknowledged)-1].(int)
				}
				if got < least || got > least+1 {
					return fmt.Errorf("%d is there, %d was acknowledged", got, least)
				}
				return nil
			})
		if err != nil || n < 100 {
			t.Errorf("policy %d: %d disks, %v", policy, n, err)
		}
		t.Logf("policy %d: %d disks", policy, n)
	}
}

// A recovery that cannot be finished is an error, and what is there stays there.
func TestFaultsOfRecovery(t *testing.T) {
	for _, policy := range []checkpoint.Recovery{checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
		opts := []checkpoint.Option{checkpoint.WithRecovery(policy), checkpoint.WithHistory(1)}
		want := map[checkpoint.Recovery]int{checkpoint.QuarantineAndStartEmpty: 1, checkpoint.LastGood: 2}[policy]
		n, err := checkpointtest.Faults(
			func(d *checkpointtest.Disk) error {
				if err := errors.Join(once(d, opts...), once(d, opts...)); err != nil {
					return err
				}
				return d.WriteFile("/state/"+key, []byte("{"))
			},
			func(d *checkpointtest.Disk) error { return once(d, opts...) },
			func(d *checkpointtest.Disk, result error) error {
				got, _, err := value(d, opts...)
				if err != nil {
					return err
				}
				if result == nil && got != want || got > want {
					return fmt.Errorf("%d is there, want %d", got, want)
				}
				var uncertain *filestore.UncertainError
				if result != nil && got == want && !errors.As(result, &uncertain) {
					var notDurable *filestore.NotDurableError
					if !errors.As(result, &notDurable) {
						return fmt.Errorf("%d is there, called unchanged", got)
					}
				}
				return nil
			})
		if err != nil || n < 50 {
			t.Errorf("policy %d: %d faults, %v", policy, n, err)
		}
		t.Logf("policy %d: %d faults", policy, n)
	}
}
