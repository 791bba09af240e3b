//go:build unix

package filestore_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/kubeckpt/ckpt/filestore"
)

// What is no regular file is named, and neither opened nor replaced nor removed.
// Opening the pipe would hang the test.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "empty-dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	if l, err := net.Listen("unix", filepath.Join(dir, "socket")); err == nil {
		defer l.Close()
	}
	kinds := map[string]string{"pipe": "a named pipe", "empty-dir": "a directory", "socket": "a socket"}
	if err := syscall.Mknod(filepath.Join(dir, "device"), syscall.S_IFCHR|0o600, 1<<8|3); err == nil {
		kinds["device"] = "a device"
	}
	before := strings.Join(entries(t, dir), " ")
	s := open(t, dir)
	for key, kind := range kinds {
		_, rerr := s.Read(key)
		_, qerr := s.Quarantine(key)
		for op, err := range map[string]error{
			"read": rerr, "write": s.Write(key, []byte("x")), "delete": s.Delete(key), "quarantine": qerr,
		} {
			var irregular *filestore.NotRegularError
			if !errors.As(err, &irregular) || !strings.Contains(err.Error(), kind) {
				t.Errorf("%s of %s: %v", op, kind, err)
			}
		}
	}
	if after := strings.Join(entries(t, dir), " "); after != before {
		t.Errorf("directory has %s, had %s", after, before)
	}
}

// A hard link is a file of its own name: the other name keeps the old value.
func TestHardLink(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(t.TempDir(), "other")
	s := open(t, dir)
	write(t, s, "k", "old")
	if err := os.Link(filepath.Join(dir, "k"), other); err != nil {
		t.Skip(err)
	}
	write(t, s, "k", "new")
	wantValue(t, s, "k", "new")
	if content(t, other) != "old" {
		t.Error("the other name has changed")
	}
}

func TestModeIsKept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "k")
	for _, c := range []struct {
		policy filestore.Attributes
		want   os.FileMode
	}{
		{filestore.KeepAttributes, 0o644},
		{filestore.TryAttributes, 0o644},
		{filestore.DropAttributes, 0o600},
	} {
		if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		write(t, open(t, dir, filestore.WithAttributes(c.policy)), "k", "new")
		if info, err := os.Stat(path); err != nil || info.Mode() != c.want {
			t.Errorf("policy %d: mode %v, %v; want %v", c.policy, info.Mode(), err, c.want)
		}
	}
}

func TestDirMode(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	open(t, dir, filestore.WithDirMode(0o700))
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if info, err := os.Stat(d); err != nil || info.Mode() != os.ModeDir|0o700 {
			t.Errorf("%s: %v, %v", d, info.Mode(), err)
		}
	}
}

func TestOwnerIsKept(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root gives files away")
	}
	dir := t.TempDir()
	s := open(t, dir)
	write(t, s, "k", "old")
	path := filepath.Join(dir, "k")
	if err := os.Chown(path, 65534, 12345); err != nil {
		t.Skip(err)
	}
	write(t, s, "k", "new")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st := info.Sys().(*syscall.Stat_t); st.Uid != 65534 || st.Gid != 12345 {
		t.Errorf("owner %d:%d", st.Uid, st.Gid)
	}
}
