package filestore_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// on returns an opener of the store on the mutant's file system.
func (m mutant) on(b base) (*filestore.Store, error) {
	m.base = b
	return filestore.Open(storeDir, filestore.WithFS(&m), filestore.WithLockTimeout(time.Millisecond))
}

// shownBy returns the letters of the tests that find the mistake.
func (m mutant) shownBy() (string, error) {
	shown := ""
	open := func(fs *crashfs.FS) (store, error) { return m.on(fs) }
	for _, c := range []struct {
		letter string
		model  crashfs.Model
	}{{"S", crashfs.Synced}, {"P", crashfs.Prefix}, {"X", crashfs.AnySubset}} {
		found, err := anyViolation(named(), open, c.model)
		if err != nil {
			return "", err
		}
		if found {
			shown += c.letter
		}
	}
	if m.hidesFault() {
		shown += "F"
	}
	if m.disturbed() != nil {
		shown += "L"
	}
	return shown, nil
}

// anyViolation stops at the first.
func anyViolation(ws []workload, open opener, m crashfs.Model) (bool, error) {
	for _, w := range ws {
		fs, err := w.run(open)
		if err != nil {
			return false, fmt.Errorf("%s: %w", w.name, err)
		}
		invariant := w.invariant(1)
		for img := range fs.Images(m, crashfs.Outcomes{}) {
			if invariant(img) != nil {
				return true, nil
			}
		}
	}
	return false, nil
}

// hidesFault reports whether an fsync or close that fails goes unnoticed.
func (m mutant) hidesFault() bool {
	for _, call := range []faultfs.Call{faultfs.Sync, faultfs.SyncDir, faultfs.Close} {
		fs := crashfs.New()
		// Open syncs a directory, too: the second is that of the write.
		from := 1
		if call == faultfs.SyncDir {
			from = 2
		}
		faulty := faultfs.Wrap(fs, faultfs.Rule{Call: call, From: from, Err: syscall.EIO})
		s, err := m.on(faulty)
		if err != nil {
			continue
		}
		if err := s.Write("k", []byte("v")); faulty.Fired() > 0 && !errors.Is(err, syscall.EIO) {
			return true
		}
	}
	return false
}

// disturbed writes while another process opens the store, at each of its calls.
func (m mutant) disturbed() error {
	for call := 1; ; call++ {
		fs := crashfs.New()
		if err := fs.Mkdir(storeDir, 0o755); err != nil {
			return err
		}
		var other error
		faulty := faultfs.Wrap(fs, faultfs.Rule{From: call, Do: func() {
			_, other = m.on(fs)
		}})
		s, err := m.on(faulty)
		if err == nil {
			err = s.Write("k", []byte("v"))
		}
		if err != nil || other != nil {
			return fmt.Errorf("opened by another at call %d: %w", call, errors.Join(err, other))
		}
		if faulty.Fired() == 0 {
			return nil
		}
	}
}

func TestNoMistakeIsShownWithoutOne(t *testing.T) {
	sequential(t)
	if shown, err := (mutant{}).shownBy(); err != nil || shown != "" {
		t.Errorf("the right store is found wrong by %q, %v", shown, err)
	}
}

// Each mistake has to be found, and by just the tests that can see it: dropping
// all that was not synced, the usual test, passes three of them.
func TestMistakesAreShown(t *testing.T) {
	sequential(t)
	for _, c := range mistakes {
		shown, err := c.m.shownBy()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		t.Logf("%-48s %s", c.name, shown)
		if shown != c.shown {
			t.Errorf("%s: shown by %q, want %q", c.name, shown, c.shown)
		}
	}
}
