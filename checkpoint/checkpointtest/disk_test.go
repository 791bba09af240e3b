package checkpointtest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
)

// prepared returns the claims that a program finds when it starts on d.
func prepared(d *checkpointtest.Disk) ([]string, error) {
	s, err := open(d)
	if err != nil {
		return nil, err
	}
	doc, _, err := s.Load(background)
	if errors.Is(err, checkpoint.ErrCheckpointNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var uids []string
	for uid := range doc.Claims {
		uids = append(uids, uid)
	}
	slices.Sort(uids)
	return uids, nil
}

func TestFaults(t *testing.T) {
	n, err := checkpointtest.Faults(
		func(d *checkpointtest.Disk) error { return prepare(d, "old") },
		func(d *checkpointtest.Disk) error { return prepare(d, "new") },
		func(d *checkpointtest.Disk, result error) error {
			uids, err := prepared(d)
			if err != nil {
				return err
			}
			both := slices.Equal(uids, []string{"new", "old"})
			var state *checkpoint.StateError
			switch {
			case result == nil && !both:
				return fmt.Errorf("acknowledged, but there is %q", uids)
			case errors.As(result, &state) && state.Outcome == checkpoint.Unchanged && !slices.Equal(uids, []string{"old"}):
				return fmt.Errorf("called unchanged, but there is %q", uids)
			}
			return nil
		})
	if err != nil || n < 30 {
		t.Errorf("%d faults, %v", n, err)
	}
	t.Logf("%d faults", n)
}

func TestCrashes(t *testing.T) {
	n, err := checkpointtest.Crashes(
		func(d *checkpointtest.Disk) error { return prepare(d, "old") },
		func(d *checkpointtest.Disk) error { return errors.Join(prepare(d, "new"), prepare(d, "newer")) },
		func(d *checkpointtest.Disk, acknowledged []any) error {
			uids, err := prepared(d)
			if err != nil {
				return err
			}
			for _, uid := range append(acknowledged, "old") {
				if !slices.Contains(uids, uid.(string)) {
					return fmt.Errorf("%q is lost, there is %q", uid, uids)
				}
			}
			return nil
		})
	if err != nil || n < 100 {
		t.Errorf("%d disks, %v", n, err)
	}
	t.Logf("%d disks", n)
}

// The kit finds the fault of a program that takes an error for a success, and of
// one that acknowledges too early.
func TestBrokenPrograms(t *testing.T) {
	nothing := func(*checkpointtest.Disk) error { return nil }
	_, err := checkpointtest.Faults(nothing,
		func(d *checkpointtest.Disk) error { _ = prepare(d, "new"); return nil },
		func(d *checkpointtest.Disk, result error) error {
			if uids, err := prepared(d); err != nil || result == nil && len(uids) == 0 {
				return fmt.Errorf("there is %q, %w", uids, err)
			}
			return nil
		})
	if err == nil || !strings.Contains(err.Error(), "the change returned") {
		t.Errorf("ignored errors: %v", err)
	}
	_, err = checkpointtest.Crashes(nothing,
		func(d *checkpointtest.Disk) error {
			d.Acknowledge("new")
			return prepare(d, "new")
		},
		func(d *checkpointtest.Disk, acknowledged []any) error {
			if uids, err := prepared(d); err != nil || len(uids) == 0 && len(acknowledged) > 0 {
				return fmt.Errorf("there is %q, %w", uids, err)
			}
			return nil
		})
	if err == nil || !strings.Contains(err.Error(), "disks are bad") {
		t.Errorf("acknowledged too early: %v", err)
	}
	for _, run := range []func() (int, error){
		func() (int, error) { return checkpointtest.Faults(failing, failing, nil) },
		func() (int, error) { return checkpointtest.Crashes(failing, failing, nil) },
		func() (int, error) { return checkpointtest.Crashes(nothing, failing, nil) },
	} {
		if n, err := run(); n != 0 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
	}
}

// Files that are text are shown as such.
func TestCrashesShowsFiles(t *testing.T) {
	_, err := checkpointtest.Crashes(
		func(d *checkpointtest.Disk) error { return d.WriteFile("/state/bytes", []byte("\x00\"")) },
		func(d *checkpointtest.Disk) error { return d.WriteFile("/state/text", []byte(`{"a":"\\"}`)) },
		func(d *checkpointtest.Disk, _ []any) error {
			if text, _ := d.ReadFile("/state/text"); len(text) < 10 {
				return nil
			}
			return errors.New("it is there")
		})
	for _, want := range []string{"-- /state/text --\n{\"a\":\"\\\\\"}\n", "-- /state/bytes --\n\\x00\\\"\n"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func failing(*checkpointtest.Disk) error { return errors.New("no") }

func TestDiskFiles(t *testing.T) {
	d := checkpointtest.NewDisk()
	if err := d.WriteFile("/state/prepared-claims", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if blob, err := d.ReadFile("/state/prepared-claims"); err != nil || string(blob) != "{}" {
		t.Errorf("%s, %v", blob, err)
	}
	if names, err := d.Files("/state"); err != nil || !slices.Equal(names, []string{"prepared-claims"}) {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := d.ReadFile("/state/other"); err == nil {
		t.Error("a file that is not there")
	}
	if _, err := d.Files("/other"); err == nil {
		t.Error("a directory that is not there")
	}
	if _, err := prepared(d); err == nil {
		t.Error("{} is read as a state")
	}
}
