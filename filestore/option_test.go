package filestore_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// syncs counts what a write and a removal wait for.
func syncs(t *testing.T, d filestore.Durability) (files, dirs int) {
	t.Helper()
	f, err := newFaulted(nil, filestore.WithDurability(d))
	if err != nil {
		t.Fatal(err)
	}
	from := len(f.fs.Calls())
	write(t, f.store, "k", "new")
	write(t, f.store, "k", "new") // unchanged
	if err := f.store.Delete("k"); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.fs.Calls()[from:] {
		switch c.Call {
		case faultfs.Sync:
			files++
		case faultfs.SyncDir:
			dirs++
		}
	}
	return files, dirs
}

func TestDurability(t *testing.T) {
	for d, want := range map[filestore.Durability][2]int{
		filestore.Durable:  {2, 3},
		filestore.Atomic:   {2, 0},
		filestore.Volatile: {0, 0},
	} {
		if files, dirs := syncs(t, d); files != want[0] || dirs != want[1] {
			t.Errorf("durability %d: %d files and %d directories synced, want %v", d, files, dirs, want)
		}
	}
}

func TestUnsyncedDirs(t *testing.T) {
	for _, errno := range []error{syscall.EINVAL, syscall.ENOTSUP} {
		f, err := newFaulted(nil, filestore.WithUnsyncedDirs())
		if err != nil {
			t.Fatal(err)
		}
		f.fs.Inject(faultfs.Rule{Call: faultfs.SyncDir, To: -1, Err: errno})
		write(t, f.store, "k", "new")
		f.fs.Clear()
		f.fs.Inject(faultfs.Rule{Call: faultfs.SyncDir, To: -1, Err: syscall.EIO})
		var notDurable *filestore.NotDurableError
		if err := f.store.Write("k", []byte("newer")); !errors.As(err, &notDurable) {
			t.Errorf("EIO tolerated: %v", err)
		}
	}
}

func TestTryAttributes(t *testing.T) {
	for _, c := range []struct {
		policy filestore.Attributes
		want   error
	}{{filestore.KeepAttributes, syscall.EPERM}, {filestore.TryAttributes, nil}} {
		f, err := newFaulted(nil, filestore.WithAttributes(c.policy))
		if err != nil {
			t.Fatal(err)
		}
		f.fs.Inject(faultfs.Rule{Call: faultfs.Chmod, To: -1, Err: syscall.EPERM})
		if err := f.store.Write("k", []byte("new")); !errors.Is(err, c.want) {
			t.Errorf("policy %d: %v, want %v", c.policy, err, c.want)
		}
	}
}

func TestLockTimeout(t *testing.T) {
	if got := open(t, t.TempDir()).LockTimeout(); got != filestore.DefaultLockTimeout {
		t.Errorf("%v by default", got)
	}
	if got := open(t, t.TempDir(), filestore.WithLockTimeout(0)).LockTimeout(); got != 0 {
		t.Errorf("%v, want none", got)
	}
}

func TestLogger(t *testing.T) {
	disk := crashfs.New()
	if err := errors.Join(disk.Mkdir(storeDir, 0o755), afero.WriteFile(disk, storeDir+"/"+stale, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	logger := filestore.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))
	faulty := faultfs.Wrap(disk, faultfs.Rule{Call: faultfs.Remove, Err: syscall.EROFS})
	open(t, storeDir, filestore.WithFS(faulty), logger)
	open(t, storeDir, filestore.WithFS(faulty), logger)
	for _, want := range []string{"not swept", syscall.EROFS.Error(), "files swept", stale} {
		if !strings.Contains(strings.ReplaceAll(log.String(), "temporary ", ""), want) {
			t.Errorf("log lacks %q:\n%s", want, &log)
		}
	}
}

// The bytes of an overwrite in place may be mixed up when it fails: that is said.
func TestInPlaceFaults(t *testing.T) {
	for _, c := range []struct {
		call      faultfs.Call
		uncertain bool
	}{
		{faultfs.Open, false}, {faultfs.Write, true}, {faultfs.Truncate, true}, {faultfs.Sync, true}, {faultfs.Close, true},
	} {
		f, err := newFaulted(nil, filestore.WithInPlace())
		if err != nil {
			t.Fatal(err)
		}
		f.fs.Inject(
			faultfs.Rule{Call: faultfs.Rename, To: -1, Err: syscall.EBUSY},
			faultfs.Rule{Call: c.call, Path: "k", To: -1, Err: syscall.ENOSPC})
		err = f.store.Write("k", []byte("another value"))
		var unknown *filestore.UncertainError
		if !errors.Is(err, syscall.ENOSPC) || errors.As(err, &unknown) != c.uncertain {
			t.Errorf("%s: %v", c.call, err)
		}
		if left := temps(f.disk); len(left) != 0 {
			t.Errorf("%s: left %q", c.call, left)
		}
	}
}

func TestInPlaceWithoutCleanUp(t *testing.T) {
	f, err := newFaulted(nil, filestore.WithInPlace(), filestore.WithLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	f.fs.Inject(
		faultfs.Rule{Call: faultfs.Rename, Err: syscall.EBUSY},
		faultfs.Rule{Call: faultfs.Remove, Err: syscall.EIO})
	write(t, f.store, "k", "new")
	wantValue(t, f.store, "k", "new")
}

// A rename of which nothing is known, because looking fails too.
func TestUncertainRename(t *testing.T) {
	for name, rules := range map[string][]faultfs.Rule{
		"temporary file cannot be seen": {
			{Call: faultfs.Rename, Err: syscall.EIO},
			{Call: faultfs.Stat, Path: anyTemp, From: 2, To: -1, Err: syscall.EACCES}},
		"result cannot be read": {
			{Call: faultfs.Rename, Err: syscall.EIO, After: true},
			{Call: faultfs.Open, Path: "k", To: -1, Err: syscall.EACCES}},
	} {
		f, err := newFaulted(nil)
		if err != nil {
			t.Fatal(err)
		}
		f.fs.Inject(rules...)
		err = f.store.Write("k", []byte("new"))
		var unknown *filestore.UncertainError
		if !errors.As(err, &unknown) || !errors.Is(err, syscall.EIO) || !errors.Is(err, syscall.EACCES) {
			t.Errorf("%s: %v", name, err)
		}
		f.fs.Clear()
		write(t, f.store, "k", "again")
	}
}

// A second fsync of a directory after a failed one may lie. The whole change is
// made again.
func TestRepeatedAfterNotDurable(t *testing.T) {
	for _, op := range []string{"put", "delete"} {
		f, err := newFaulted(nil)
		if err != nil {
			t.Fatal(err)
		}
		f.fs.Inject(faultfs.Rule{Call: faultfs.SyncDir, Err: syscall.EIO})
		if got := classify(op, f.do(op)); got != undurable {
			t.Fatalf("%s: outcome %s", op, got)
		}
		from := len(f.fs.Calls())
		if err := f.do(op); err != nil {
			t.Fatal(err)
		}
		created := false
		for _, c := range f.fs.Calls()[from:] {
			created = created || c.Call == faultfs.Create
		}
		if !created {
			t.Errorf("%s: repeated without changing the directory", op)
		}
	}
}

// What the function of an Update returns says nothing of the store, not even if it
// is the error of another store: what was durable still is, and what was not is not.
func TestOnlyOwnErrorsAreRemembered(t *testing.T) {
	ofAnother := []error{
		&filestore.NotDurableError{Path: "/other/k", Err: errFault},
		&filestore.UncertainError{Path: "/other/k", Err: errFault},
		nil,
	}
	for _, failure := range ofAnother {
		f, err := newFaulted(nil)
		if err != nil {
			t.Fatal(err)
		}
		creates := func() (n int) {
			for _, c := range f.fs.Calls() {
				if c.Call == faultfs.Create && strings.HasSuffix(c.Path, ".tmp") {
					n++
				}
			}
			return n
		}
		nothing := func() {
			err := f.store.Update("k", func([]byte) ([]byte, error) { return nil, failure })
			if !errors.Is(err, failure) {
				t.Fatal(err)
			}
		}
		write(t, f.store, "k", "new")
		nothing()
		before := creates()
		if write(t, f.store, "k", "new"); creates() != before {
			t.Errorf("%v: written again, which nobody asked for", failure)
		}
		f.fs.Inject(faultfs.Rule{Call: faultfs.SyncDir, Err: syscall.EIO})
		if got := classify("put", f.store.Write("k", []byte("newer"))); got != undurable {
			t.Fatalf("outcome %s", got)
		}
		nothing()
		before = creates()
		if write(t, f.store, "k", "newer"); creates() == before {
			t.Errorf("%v: it is forgotten that the value may not be durable", failure)
		}
	}
}
