package filestore_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/testchild"
)

func needRoot(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("not root")
	}
}

// mounted mounts a file system for the test, or skips it.
func mounted(t *testing.T, source, dir, fsType string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount(source, dir, fsType, flags, options); err != nil {
		t.Skipf("mount %s: %v", fsType, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
}

// refused checks that a write fails for the given reason and changes nothing.
func refused(t *testing.T, s *filestore.Store, value []byte, want error) {
	t.Helper()
	if err := s.Write("k", value); !errors.Is(err, want) {
		t.Errorf("Write: %v; want %v", err, want)
	}
	wantValue(t, s, "k", "old")
	for _, name := range entries(t, s.Dir()) {
		if name[0] == '.' {
			t.Errorf("left: %s", name)
		}
	}
}

func TestRealFullFileSystem(t *testing.T) {
	needRoot(t)
	for name, options := range map[string]string{"no space": "size=64k", "no inodes": "nr_inodes=6"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			mounted(t, "tmpfs", dir, "tmpfs", 0, options)
			s := open(t, dir)
			write(t, s, "k", "old")
			value := bytes.Repeat([]byte("x"), 128<<10)
			if name == "no inodes" {
				value = []byte("new")
				for i := range 10 {
					_ = os.WriteFile(filepath.Join(dir, "filler"+string(rune('0'+i))), nil, 0o600)
				}
			}
			// Room must be to be made also if there is none for a lock file.
			if err := os.Remove(filepath.Join(dir, ".ckpt.lock")); err != nil {
				t.Fatal(err)
			}
			_ = os.WriteFile(filepath.Join(dir, "another"), nil, 0o600)
			refused(t, s, value, syscall.ENOSPC)
			if err := s.Delete("another"); err != nil {
				t.Errorf("Delete: %v", err)
			}
			_ = os.WriteFile(filepath.Join(dir, "another"), nil, 0o600)
			if err := s.Probe(); (name == "no inodes") != errors.Is(err, syscall.ENOSPC) {
				t.Errorf("Probe: %v", err)
			}
			for i := range 10 {
				_ = os.Remove(filepath.Join(dir, "filler"+string(rune('0'+i))))
			}
			write(t, s, "k", "fits")
		})
	}
}

func TestRealReadOnly(t *testing.T) {
	needRoot(t)
	dir := t.TempDir()
	mounted(t, "tmpfs", dir, "tmpfs", 0, "")
	s := open(t, dir)
	write(t, s, "k", "old")
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	refused(t, s, []byte("new"), syscall.EROFS)
	if err := s.Delete("k"); !errors.Is(err, syscall.EROFS) {
		t.Errorf("Delete: %v", err)
	}
	// Reading, and opening for it, goes on.
	wantValue(t, open(t, dir), "k", "old")
}

func TestRealDescriptorsExhausted(t *testing.T) {
	s := open(t, t.TempDir())
	write(t, s, "k", "old")
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Skip(err)
	}
	var files []*os.File
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	for {
		f, err := os.Open("/")
		if err != nil || len(files) > 1<<16 {
			break
		}
		files = append(files, f)
		if len(files) == 1 { // the limit counts from here
			lower := before
			lower.Cur = uint64(f.Fd()) + 20
			if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &lower); err != nil {
				t.Skip(err)
			}
			defer func() { _ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before) }()
		}
	}
	// With no descriptor, then with one more each time, until it is enough: it
	// never gets as far as the rename and fails after it.
	for {
		err := s.Write("k", []byte("new"))
		var notDurable *filestore.NotDurableError
		if errors.As(err, &notDurable) {
			t.Errorf("Write: %v", err)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EMFILE) || len(files) == 0 {
			t.Fatalf("Write: %v", err)
		}
		_ = files[len(files)-1].Close()
		files = files[:len(files)-1]
	}
	wantValue(t, s, "k", "new")
}

// setFlags sets inode flags like chattr(1).
func setFlags(t *testing.T, path string, flags uint32) {
	t.Helper()
	const setFlagsIoctl = 0x40086602 // FS_IOC_SETFLAGS
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), setFlagsIoctl, uintptr(unsafe.Pointer(&flags))); errno != 0 {
		t.Skip(errno)
	}
}

func TestRealImmutable(t *testing.T) {
	needRoot(t)
	const immutable, appendOnly = 0x10, 0x20
	dir := t.TempDir()
	s := open(t, dir)
	write(t, s, "k", "old")
	path := filepath.Join(dir, "k")
	setFlags(t, path, immutable)
	defer setFlags(t, path, 0)
	refused(t, s, []byte("new"), syscall.EPERM)
	if err := s.Delete("k"); !errors.Is(err, syscall.EPERM) {
		t.Errorf("Delete: %v", err)
	}
	setFlags(t, path, 0)

	// In such a directory a file can be made and not removed; both is said.
	setFlags(t, dir, appendOnly)
	err := s.Write("k", []byte("new"))
	setFlags(t, dir, 0)
	if !errors.Is(err, syscall.EPERM) || !bytes.Contains([]byte(err.Error()), []byte("clean-up failed")) {
		t.Errorf("Write into an append-only directory: %v", err)
	}
	wantValue(t, s, "k", "old")
	open(t, dir)
	if got := entries(t, dir); !slices.Equal(got, []string{"k"}) {
		t.Errorf("directory has %q", got)
	}
}

func TestRealMountPoint(t *testing.T) {
	needRoot(t)
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(outside, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "k")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mounted(t, outside, path, "", syscall.MS_BIND, "")
	s := open(t, dir)
	refused(t, s, []byte("new"), syscall.EBUSY)
	var mount *filestore.MountPointError
	if err := s.Write("k", []byte("new")); !errors.As(err, &mount) || mount.Path != path {
		t.Errorf("Write: %v", err)
	}
	in := open(t, dir, filestore.WithInPlace())
	for _, value := range []string{"a longer value", "short", ""} {
		write(t, in, "k", value)
		wantValue(t, in, "k", value)
		if got := content(t, outside); got != value {
			t.Errorf("outside: %q", got)
		}
	}
	if got := entries(t, dir); !slices.Equal(got, []string{"k"}) {
		t.Errorf("directory has %q", got)
	}
}

func TestRealXattrs(t *testing.T) {
	dir := fastDir(t)
	s := open(t, dir)
	write(t, s, "k", "old")
	path := filepath.Join(dir, "k")
	attrs := map[string]string{"user.small": "x", "user.empty": ""}
	if os.Getuid() == 0 {
		attrs["trusted.large"] = string(bytes.Repeat([]byte("y"), 3000))
		attrs["security.selinux"] = "system_u:object_r:container_file_t:s0\x00"
	}
	for name, value := range attrs {
		if err := syscall.Setxattr(path, name, []byte(value), 0); err != nil {
			t.Logf("not tried: %s: %v", name, err)
			delete(attrs, name)
		}
	}
	if len(attrs) == 0 {
		t.Skip("no extended attributes here")
	}
	write(t, s, "k", "new")
	for name, want := range attrs {
		buf := make([]byte, 4096)
		n, err := syscall.Getxattr(path, name, buf)
		if err != nil || string(buf[:n]) != want {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	write(t, open(t, dir, filestore.WithAttributes(filestore.DropAttributes)), "k", "newer")
	for name := range attrs {
		if _, err := syscall.Getxattr(path, name, make([]byte, 4096)); name != "security.selinux" && !errors.Is(err, syscall.ENODATA) {
			t.Errorf("%s kept though not wanted: %v", name, err)
		}
	}
}

// otherUser runs one test of this binary as nobody.
func otherUser(t *testing.T, dir string) (string, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The binary lies where nobody may not go.
	copied := filepath.Join(fastDir(t), "test")
	b, err := os.ReadFile(self)
	if err == nil {
		err = errors.Join(os.Chmod(filepath.Dir(copied), 0o755), os.WriteFile(copied, b, 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := testchild.Command(childRole, dir, "ours", "0", "0", "false")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Dir = copied, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestRealForeignUser(t *testing.T) {
	needRoot(t)
	dir := filepath.Join(fastDir(t), "store")
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	write(t, s, "key0", "old")
	out, err := otherUser(t, dir)
	if err == nil || !bytes.Contains([]byte(out), []byte("permission denied")) {
		t.Errorf("writing as nobody: %v: %s", err, out)
	}
	wantValue(t, s, "key0", "old")
}
