package filestore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
)

// Two stores of one directory exclude each other as two processes do: the locks
// belong to open files.
func TestUpdateExcludesOthers(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir, filestore.WithLockTimeout(20*time.Millisecond))
	write(t, a, "k", "old")
	err := a.Update("k", func(old []byte) ([]byte, error) {
		var locked *filestore.LockedError
		if err := b.Write("k", []byte("lost")); !errors.As(err, &locked) {
			t.Errorf("Write during an Update: %v", err)
		} else if pid := "pid " + strconv.Itoa(os.Getpid()); !strings.Contains(locked.Owner, pid) || locked.Waited < 20*time.Millisecond {
			t.Errorf("owner %q, waited %v", locked.Owner, locked.Waited)
		}
		wantValue(t, b, "k", "old") // readers do not wait
		return []byte(string(old) + " and new"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, b, "k", "old and new")
	write(t, b, "k", "free again")
}

func TestUpdatesAddUp(t *testing.T) {
	dir := t.TempDir()
	const stores, each = 4, 25
	var wg sync.WaitGroup
	for range stores {
		s := open(t, dir, filestore.WithLockTimeout(time.Minute))
		wg.Go(func() {
			for range each {
				err := s.Update("n", func(old []byte) ([]byte, error) {
					n, _ := strconv.Atoi(string(old))
					return []byte(strconv.Itoa(n + 1)), nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	wantValue(t, open(t, dir), "n", strconv.Itoa(stores*each))
}

func TestUpdateThatChangesNothing(t *testing.T) {
	s := open(t, t.TempDir())
	failure := errors.New("no")
	if err := s.Update("k", func(old []byte) ([]byte, error) {
		if old != nil {
			t.Errorf("old value %q of a missing key", old)
		}
		return []byte("x"), failure
	}); !errors.Is(err, failure) {
		t.Errorf("Update: %v", err)
	}
	if err := s.Update("k", func([]byte) ([]byte, error) { return nil, nil }); err != nil {
		t.Errorf("Update: %v", err)
	}
	if _, err := s.Read("k"); err != filestore.ErrKeyNotFound {
		t.Errorf("Read: %v", err)
	}
}

// Where there are no locks an Update would only seem safe, and so would all that
// looks before it writes.
func TestUpdateNeedsALock(t *testing.T) {
	set := func(value string) func([]byte) ([]byte, error) {
		return func([]byte) ([]byte, error) { return []byte(value), nil }
	}
	operations := []struct {
		name  string
		needs bool
		do    func(s *filestore.Store) error
	}{
		{name: "write", do: func(s *filestore.Store) error { return s.Write("k", []byte("v")) }},
		{name: "probe", do: func(s *filestore.Store) error { return s.Probe() }},
		{name: "update", needs: true, do: func(s *filestore.Store) error { return s.Update("k", set("w")) }},
		{name: "replace", needs: true, do: func(s *filestore.Store) error {
			_, err := s.Replace("k", []byte("w"), []byte("x"))
			return err
		}},
		{name: "restore", needs: true, do: func(s *filestore.Store) error {
			_, err := s.Restore("k", func([]byte) error { return nil })
			return err
		}},
		{name: "quarantine", needs: true, do: func(s *filestore.Store) error {
			_, err := s.Quarantine("k")
			return err
		}},
		{name: "delete", do: func(s *filestore.Store) error { return s.Delete("k") }},
	}
	locked := open(t, "/s", filestore.WithFS(afero.NewMemMapFs()))
	free := open(t, "/s", filestore.WithFS(afero.NewMemMapFs()), filestore.WithoutLock(), filestore.WithHistory(1))
	for _, op := range operations {
		if err := op.do(locked); errors.Is(err, errors.ErrUnsupported) != op.needs || (err == nil) == op.needs {
			t.Errorf("%s: %v", op.name, err)
		}
		if err := op.do(free); err != nil {
			t.Errorf("%s without lock: %v", op.name, err)
		}
	}
}

// The operating system keeps its locks when it is named as afero names it.
func TestUpdateOnAferosOS(t *testing.T) {
	add := func([]byte) ([]byte, error) { return []byte("v"), nil }
	for _, fsys := range []afero.Fs{afero.NewOsFs(), &afero.OsFs{}, afero.OsFs{}} {
		if err := open(t, t.TempDir(), filestore.WithFS(fsys)).Update("k", add); err != nil {
			t.Errorf("%T: %v", fsys, err)
		}
	}
}

// stale is a name of ours; the others are not.
const stale = ".ckpt-k-0123456789abcdef.tmp"

func TestSweepRemovesOursOnly(t *testing.T) {
	dir := t.TempDir()
	others := []string{".123456789", ".ckpt-k-0123.tmp", ".ckpt-k-0123456789ABCDEF.tmp", ".ckpt--0123456789abcdef.tmp.x", "k"}
	for _, name := range append(others, stale) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir, filestore.WithoutSweep())
	if got := entries(t, dir); len(got) != len(others)+1 {
		t.Errorf("swept without being asked: %q are left", got)
	}
	open(t, dir)
	if got := entries(t, dir); len(got) != len(others) {
		t.Errorf("left: %q", got)
	}
	if ok, err := filepath.Match(filestore.TempPattern, stale); !ok || err != nil {
		t.Errorf("TempPattern does not match %s: %v", stale, err)
	}
}

// While somebody writes, leftovers stay: one of them may be his.
func TestSweepWaitsForWriters(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	err := a.Update("k", func([]byte) ([]byte, error) {
		if err := os.WriteFile(filepath.Join(dir, stale), nil, 0o600); err != nil {
			return nil, err
		}
		b := open(t, dir, filestore.WithLockTimeout(0)) // opens, does not sweep
		if got := entries(t, dir); len(got) != 1 {
			t.Errorf("directory has %q", got)
		}
		var locked *filestore.LockedError
		if _, err := b.Sweep(); !errors.As(err, &locked) {
			t.Errorf("Sweep: %v", err)
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if removed, err := a.Sweep(); err != nil || len(removed) != 1 || removed[0] != stale {
		t.Errorf("Sweep() = %q, %v", removed, err)
	}
}

// The kubelet removes unknown files from its device plugin directory when it
// starts, the lock file among them.
func TestLockFileRemovedWhileHeld(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	err := s.Update("k", func([]byte) ([]byte, error) {
		return []byte("v"), os.Remove(filepath.Join(dir, ".ckpt.lock"))
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "k", "again")
}

// The hint in a lock file is somebody else's text.
func TestOwnerHintIsMadeSafe(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir, filestore.WithLockTimeout(0))
	err := a.Update("k", func([]byte) ([]byte, error) {
		hint := "evil\x1b[31m\x00 owner\nsecond line" + strings.Repeat("x", 1000)
		if err := os.WriteFile(filepath.Join(dir, ".ckpt.lock"), []byte(hint), 0o600); err != nil {
			return nil, err
		}
		var locked *filestore.LockedError
		if err := b.Write("k", nil); !errors.As(err, &locked) || locked.Owner != "evil?[31m? owner" {
			t.Errorf("owner %q", locked.Owner)
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
