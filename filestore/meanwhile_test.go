package filestore_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// What somebody else does between two of our calls.

// meanwhile does something when the store first makes a call on a name.
func meanwhile(t *testing.T, call faultfs.Call, name string, do func(f *faulted) error, opts ...filestore.Option) *faulted {
	t.Helper()
	f, err := newFaulted(nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	f.fs.Inject(faultfs.Rule{Call: call, Path: name, Do: func() {
		if err := do(f); err != nil {
			t.Error(err)
		}
	}})
	t.Cleanup(func() {
		if f.fs.Fired() == 0 {
			t.Error("nothing happened meanwhile")
		}
	})
	return f
}

func TestPipePutInPlace(t *testing.T) {
	f := meanwhile(t, faultfs.Open, "k", func(f *faulted) error {
		return errors.Join(f.disk.Remove("/s/k"), f.disk.Mkfifo("/s/k"))
	})
	var irregular *filestore.NotRegularError
	if _, err := f.store.Read("k"); !errors.As(err, &irregular) {
		t.Errorf("Read: %v", err)
	}
}

func grow(n int) func(f *faulted) error {
	return func(f *faulted) error {
		return afero.WriteFile(f.disk, "/s/k", []byte(strings.Repeat("x", n)), 0o600)
	}
}

func TestFileGrowsWhileRead(t *testing.T) {
	f := meanwhile(t, faultfs.Read, "k", grow(5000))
	if got, err := f.store.Read("k"); err != nil || len(got) != 5000 {
		t.Errorf("Read: %d bytes, %v", len(got), err)
	}
	f = meanwhile(t, faultfs.Read, "k", grow(5000), filestore.WithMaxSize(4000))
	var tooLarge *filestore.TooLargeError
	if _, err := f.store.Read("k"); !errors.As(err, &tooLarge) {
		t.Errorf("Read over the limit: %v", err)
	}
}

func TestFileShrinksWhileRead(t *testing.T) {
	f := meanwhile(t, faultfs.Read, "k", grow(1))
	if _, err := f.store.Read("k"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Read: %v", err)
	}
}

func TestFileRemovedWhileRead(t *testing.T) {
	f := meanwhile(t, faultfs.Open, "k", func(f *faulted) error { return f.disk.Remove("/s/k") })
	if _, err := f.store.Read("k"); err != filestore.ErrKeyNotFound {
		t.Errorf("Read: %v", err)
	}
}

func TestFileRemovedBeforeGeneration(t *testing.T) {
	f := meanwhile(t, faultfs.Open, "k", func(f *faulted) error { return f.disk.Remove("/s/k") }, filestore.WithHistory(1))
	write(t, f.store, "k", "longer than before") // of another size, so it is not read to compare
	wantValue(t, f.store, "k", "longer than before")
}

// A program that takes no lock writes after Replace has looked: what it wrote stays.
func TestChangedBeforeBackup(t *testing.T) {
	for want, do := range map[string]func(f *faulted) error{
		"xxxxxxx": grow(7),
		"":        func(f *faulted) error { return f.disk.Remove("/s/k") },
	} {
		f, err := newFaulted(nil)
		if err != nil {
			t.Fatal(err)
		}
		f.fs.Inject(faultfs.Rule{Call: faultfs.Open, Path: "k", From: 2, Do: func() {
			if err := do(f); err != nil {
				t.Error(err)
			}
		}})
		if _, err := f.store.Replace("k", []byte("old"), []byte("new")); !errors.Is(err, filestore.ErrChanged) || f.fs.Fired() != 1 {
			t.Errorf("Replace: %v, %d", err, f.fs.Fired())
		}
		if got, err := f.store.Read("k"); string(got) != want || err != nil && err != filestore.ErrKeyNotFound {
			t.Errorf("Read: %q, %v, want %q", got, err, want)
		}
	}
}

// A foreign sweep takes the temporary file: told, and nothing has changed.
func TestTemporaryFileStolen(t *testing.T) {
	f := meanwhile(t, faultfs.Rename, anyTemp, func(f *faulted) error {
		return f.disk.Remove(temps(f.disk)[0])
	})
	err := f.store.Write("k", []byte("new"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "removed by somebody else") {
		t.Errorf("Write: %v", err)
	}
	wantValue(t, f.store, "k", "old")
}

func TestDirectoryMadeByAnother(t *testing.T) {
	f := meanwhile(t, faultfs.Mkdir, "new", func(f *faulted) error { return f.disk.Mkdir("/new", 0o755) })
	if err := f.do("open"); err != nil {
		t.Error(err)
	}
}

func TestDirectoryGone(t *testing.T) {
	f, err := newFaulted(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{f.disk.Remove("/s/k"), f.disk.Remove("/s/l"), f.disk.Remove("/s")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f.fs.Inject(faultfs.Rule{Call: faultfs.Mkdir, Err: syscall.ENOSPC})
	if err := f.store.Write("k", nil); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Write: %v", err)
	}
	if err := f.store.Delete("k"); err != nil {
		t.Errorf("Delete: %v", err)
	}
	write(t, f.store, "k", "v")
}

// The directory is changed and changed back; each part can fail.
func TestTouchFails(t *testing.T) {
	for _, rule := range []faultfs.Rule{
		{Call: faultfs.Create, Path: anyTemp, Err: syscall.ENOSPC},
		{Call: faultfs.Close, Path: anyTemp, Err: syscall.ENOSPC},
		{Call: faultfs.Remove, Path: anyTemp, Err: syscall.ENOSPC},
	} {
		f, err := newFaulted(nil)
		if err != nil {
			t.Fatal(err)
		}
		f.fs.Inject(faultfs.Rule{Call: faultfs.SyncDir, Err: syscall.EIO}, rule)
		if got := classify("delete", f.do("delete")); got != undurable {
			t.Fatalf("outcome %s", got)
		}
		if err := f.do("delete"); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", rule.Call, err)
		}
	}
}

// plain hides everything but afero.Fs.
type plain struct{ afero.Fs }

// links adds lstat, without readlink.
type links struct {
	afero.Fs
	afero.Lstater
}

func TestFileSystemWithLessToOffer(t *testing.T) {
	f, err := newFaulted(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, storeDir, filestore.WithFS(plain{f.disk}))
	write(t, s, "k", "new")
	wantValue(t, s, "k", "new")

	if err := f.disk.SymlinkIfPossible("k", "/s/link"); err != nil {
		t.Fatal(err)
	}
	s = open(t, storeDir, filestore.WithFS(links{f.disk, f.disk}), filestore.WithSymlinks(filestore.FollowSymlinks))
	if _, err := s.Read("link"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Read through a link: %v", err)
	}
	f.fs.Inject(faultfs.Rule{Call: faultfs.Readlink, Err: syscall.EIO})
	s = open(t, storeDir, filestore.WithFS(f.fs), filestore.WithSymlinks(filestore.FollowSymlinks))
	if _, err := s.Read("link"); !errors.Is(err, syscall.EIO) {
		t.Errorf("Read through a link that cannot be read: %v", err)
	}
}

// stuck is a file that never has anything to read, nor an end.
type stuck struct{ afero.File }

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestReadWithoutProgress(t *testing.T) {
	f, err := newFaulted(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &mutant{base: f.disk, openFile: func(m *mutant, name string, flag int, perm fs.FileMode) (afero.File, error) {
		h, err := m.reallyOpen(name, flag, perm)
		if err == nil && path.Base(name) == "k" {
			h = stuck{h}
		}
		return h, err
	}}
	s := open(t, storeDir, filestore.WithFS(m))
	if _, err := s.Read("k"); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("Read: %v", err)
	}
}

func TestWorkingDirectoryGone(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PWD", "")
	if err := os.Remove(dir); err != nil {
		t.Skip(err)
	}
	if _, err := filestore.Open("relative"); err == nil {
		t.Error("a relative directory was opened though there is none to start from")
	}
}
