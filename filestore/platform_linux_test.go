package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Where the kernel has no OFD locks, flock has to do the same.
func TestFlock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	for i, c := range []struct {
		first, second bool // shared
		ok            bool
	}{{false, false, false}, {false, true, false}, {true, false, false}, {true, true, true}} {
		a, b := open(), open()
		if ok, err := flock(a, c.first); !ok || err != nil {
			t.Fatalf("case %d: first: %v, %v", i, ok, err)
		}
		if ok, err := flock(b, c.second); ok != c.ok || err != nil {
			t.Errorf("case %d: second: %v, %v", i, ok, err)
		}
		_, _ = a.Close(), b.Close()
		if _, err := flock(a, false); err == nil {
			t.Errorf("case %d: a closed file was locked", i)
		}
	}
}

func TestLockError(t *testing.T) {
	if err := lockError("l", syscall.ENOLCK); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("ENOLCK: %v", err)
	}
	if err := lockError("l", syscall.EIO); !errors.Is(err, syscall.EIO) || errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("EIO: %v", err)
	}
	dir := t.TempDir()
	if _, _, err := (osSystem{}).TryLock(dir, true, ""); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("directory: %v", err)
	}
	if err := os.Symlink("x", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := (osSystem{}).TryLock(filepath.Join(dir, "link"), true, ""); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("link: %v", err)
	}
}

func TestCopyAttributesFails(t *testing.T) {
	dir := t.TempDir()
	from, gone := filepath.Join(dir, "from"), filepath.Join(dir, "gone")
	if err := os.WriteFile(from, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (osSystem{}).CopyAttributes(gone, from); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("from a missing file: %v", err)
	}
	if err := syscall.Setxattr(from, "user.x", []byte("1"), 0); err != nil {
		t.Skip(err)
	}
	if err := (osSystem{}).CopyAttributes(from, gone); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("to a missing file: %v", err)
	}
	if err := (osSystem{}).CopyAttributes(from, from); err != nil {
		t.Errorf("of one that is there: %v", err)
	}
	if err := copyXattr(from, gone, "user.absent"); err != nil {
		t.Errorf("of one that is gone: %v", err)
	}
	if err := copyXattr(gone, from, "user.x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("from a missing file: %v", err)
	}
}

func TestNoXattrs(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{pathError("listxattr", "f", syscall.ENOTSUP), true},
		{pathError("setxattr user.x", "f", syscall.ENOTSUP), false},
		{pathError("listxattr", "f", syscall.EIO), false},
	} {
		if got := isNoXattrs(c.err); got != c.want {
			t.Errorf("isNoXattrs(%v) = %v", c.err, got)
		}
	}
}
