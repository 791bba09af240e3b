package checkpoint_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
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
			// Repeating is enough.
			if err := s.Update(background, func(c *counter) error { c.N = 3; return nil }); err != nil {
				return fmt.Errorf("repeated: %w", err)
			}
			got, generation, err := value(d)
			if memory, _, _ := s.Last(); err != nil || got != 3 || generation != 3 || memory.N != 3 {
				return fmt.Errorf("repeated: %d, generation %d, in memory %d, %w", got, generation, memory.N, err)
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

// An Update that finds what it wants is there has it made durable: the process that
// wrote it may have died before it was.
func TestNoChangeIsDurable(t *testing.T) {
	memory := crashfs.New()
	faulty := faultfs.Wrap(memory)
	open := func() *checkpoint.State[counter] {
		return openState[counter](t, "/state", checkpoint.WithStore(filestore.WithFS(faulty)))
	}
	first := open()
	counted(t, first, 1)
	memory.Checkpoint()
	faulty.Inject(faultfs.Rule{Call: faultfs.SyncDir, To: -1, Err: syscall.EIO})
	err := first.Update(background, add)
	var state *checkpoint.StateError
	if !errors.As(err, &state) || state.Outcome != checkpoint.NotDurable || !strings.Contains(err.Error(), "which is changed but not durably") {
		t.Fatal(err)
	}
	faulty.Clear()
	if err := open().Update(background, func(c *counter) error { c.N = 2; return nil }); err != nil {
		t.Fatal(err)
	}
	memory.Mark(2)
	report := crashfs.Explore(memory, crashfs.AnySubset, crashfs.Outcomes{Block: 128}, func(img crashfs.Image) error {
		s, err := checkpoint.Open[counter]("/state", key, checkpoint.WithStore(filestore.WithFS(img.FS)))
		if err != nil {
			return err
		}
		got, _, err := s.Load(background)
		if err == nil && len(img.Acked) > 0 && got.N != 2 {
			err = fmt.Errorf("%d is there", got.N)
		}
		return err
	})
	if report.Violations > 0 || report.Images < 10 {
		t.Errorf("%d images: %v", report.Images, report.First)
	}
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

// Of a recovery that was begun the observer hears, even if what came after it has
// failed; and of none that was not.
func TestFaultsOfRecoveryAreTold(t *testing.T) {
	damaged := []byte("{")
	for _, policy := range []checkpoint.Recovery{checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
		told := map[checkpoint.Recovery]checkpoint.EventKind{
			checkpoint.QuarantineAndStartEmpty: checkpoint.Quarantined, checkpoint.LastGood: checkpoint.Restored}[policy]
		for by, operation := range map[string]func(s *checkpoint.State[counter]) error{
			"load": func(s *checkpoint.State[counter]) error {
				if _, _, err := s.Load(background); !errors.Is(err, checkpoint.ErrCheckpointNotFound) {
					return err
				}
				return nil
			},
			"update": func(s *checkpoint.State[counter]) error { return s.Update(background, add) },
		} {
			var h heard
			late := 0
			opts := []checkpoint.Option{checkpoint.WithRecovery(policy), checkpoint.WithHistory(1)}
			n, err := checkpointtest.Faults(
				func(d *checkpointtest.Disk) error {
					h.take()
					return errors.Join(once(d, opts...), once(d, opts...), d.WriteFile("/state/"+key, damaged))
				},
				func(d *checkpointtest.Disk) error {
					s, err := onDisk(d, append(opts, h.option())...)
					if err == nil {
						err = operation(s)
					}
					return err
				},
				func(d *checkpointtest.Disk, result error) error {
					kinds := h.take()
					if result != nil {
						wantSentence(t, result)
					}
					if outcome(result) == checkpoint.Uncertain {
						return nil
					}
					now, err := d.ReadFile("/state/" + key)
					if err != nil && !errors.Is(err, fs.ErrNotExist) {
						return err
					}
					changed := string(now) != string(damaged)
					if changed && result != nil {
						late++
					}
					if slices.Contains(kinds, told) != changed {
						return fmt.Errorf("changed: %t, but told is %q", changed, kinds)
					}
					return nil
				})
			if err != nil || late == 0 {
				t.Errorf("policy %d by %s: %d faults, %d after it was put away, %v", policy, by, n, late, err)
			}
			t.Logf("policy %d by %s: %d faults, %d after it was put away", policy, by, n, late)
		}
	}
}

// A value that came back, and may not be durable, is written again as a whole before
// it is called durable.
func TestRepeatedAfterRecovery(t *testing.T) {
	faulty := faultfs.Wrap(crashfs.New())
	onDisk := checkpoint.WithStore(filestore.WithFS(faulty))
	s := openState[counter](t, "/state", onDisk, checkpoint.WithRecovery(checkpoint.LastGood))
	counted(t, s, 2)
	if err := afero.WriteFile(faulty, "/state/"+key, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The first fsync of the directory is that of the copy of the bad file.
	faulty.Inject(faultfs.Rule{Call: faultfs.SyncDir, Path: "state", From: 2, Err: syscall.EIO})
	if _, _, err := s.Load(background); outcome(err) != checkpoint.NotDurable {
		t.Fatal(err)
	}
	if got, info := load(t, s); got.N != 1 || info.Generation != 1 {
		t.Errorf("%+v, %+v", got, info)
	}
	from := len(faulty.Calls())
	if err := s.Update(background, func(*counter) error { return nil }); err != nil {
		t.Fatal(err)
	}
	renamed := slices.ContainsFunc(faulty.Calls()[from:], func(c faultfs.Seen) bool { return c.Call == faultfs.Rename })
	if got, info := load(t, s); !renamed || got.N != 1 || info.Generation != 3 {
		t.Errorf("renamed: %t, %+v, %+v", renamed, got, info)
	}
	if got, _, _ := s.Last(); got.N != 1 {
		t.Errorf("last is %+v", got)
	}
}

// A Delete that fails leaves the value in memory, and one that was not durable is
// repeated as a whole.
func TestFaultsOfDelete(t *testing.T) {
	var s *checkpoint.State[counter]
	n, err := checkpointtest.Faults(
		func(d *checkpointtest.Disk) (err error) {
			if s, err = onDisk(d); err == nil {
				err = s.Update(background, add)
			}
			return err
		},
		func(*checkpointtest.Disk) error { return s.Delete(background) },
		func(d *checkpointtest.Disk, result error) error {
			got, _, err := value(d)
			if err != nil {
				return err
			}
			_, _, inMemory := s.Last()
			var state *checkpoint.StateError
			unchanged := errors.As(result, &state) && state.Outcome == checkpoint.Unchanged
			if result == nil && got != 0 || unchanged && got != 1 || inMemory != (result != nil) {
				return fmt.Errorf("%d is there, in memory: %t", got, inMemory)
			}
			if err := s.Delete(background); err != nil {
				return err
			}
			if got, _, err := value(d); err != nil || got != 0 {
				return fmt.Errorf("deleted twice: %d, %w", got, err)
			}
			return nil
		})
	if err != nil || n < 10 {
		t.Errorf("%d faults, %v", n, err)
	}
}
