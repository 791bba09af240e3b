//go:build unix

package sysfs

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A tree from somebody else must neither make Read wait nor lead it away.
func TestHostileTree(t *testing.T) {
	const core = "sys/devices/system/cpu/cpu1/topology/core_id"
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "7\n")
	for _, test := range []struct {
		name string
		make func(path string) error
		want string
	}{
		{"a named pipe", func(path string) error { return syscall.Mkfifo(path, 0o644) },
			"CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/cpu1/topology/core_id: not a regular file"},
		{"a link to an absolute path", func(path string) error { return os.Symlink(secret, path) },
			"CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/cpu1/topology/core_id: a link leads out of the directory that is read"},
		{"a link that climbs out", func(path string) error { return os.Symlink("../../../../../../../../../../../../etc/hostname", path) },
			"CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/cpu1/topology/core_id: a link leads out of the directory that is read"},
		{"a link to itself", func(path string) error { return os.Symlink("core_id", path) },
			"CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/cpu1/topology/core_id: too many levels of symbolic links"},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o755) },
			"CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/cpu1/topology/core_id: not a regular file"},
	} {
		dir := t.TempDir()
		plant(t, dir, small)
		path := filepath.Join(dir, core)
		must(t, os.Remove(path))
		must(t, test.make(path))
		got, err := read(t, dir)
		if text := describe(got, err); text != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, text, test.want)
		}
	}
}
