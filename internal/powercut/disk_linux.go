package powercut

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Disk is a mounted file system in a file.
type Disk struct {
	fsType  string
	options string
	loop    string // device
	mount   string // directory
	mounted bool
}

// sizes are the smallest that mkfs takes, with room; the image is sparse.
var sizes = map[string]int64{"ext4": 64 << 20, "xfs": 320 << 20}

// New makes a file system of the given type in dir and mounts it with the given
// options. The error says what is missing.
func New(dir, fsType, options string) (*Disk, error) {
	if os.Getuid() != 0 {
		return nil, errors.New("not root")
	}
	image := filepath.Join(dir, fsType+".img")
	d := &Disk{fsType: fsType, options: options, mount: filepath.Join(dir, fsType)}
	if err := os.Mkdir(d.mount, 0o700); err != nil {
		return nil, err
	}
	f, err := os.Create(image)
	if err != nil {
		return nil, err
	}
	err = f.Truncate(sizes[fsType])
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	if _, err := run("mkfs."+fsType, "-q", image); err != nil {
		return nil, err
	}
	if d.loop, err = run("losetup", "--find", "--show", image); err != nil {
		return nil, err
	}
	if err := d.remount(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Dir is where the file system is mounted.
func (d *Disk) Dir() string { return d.mount }

// fsShutdown is FS_IOC_SHUTDOWN, _IOR('X', 125, __u32).
const (
	fsShutdown = 0x8004587d
	noLogFlush = 2 // not even what the journal holds in memory
)

// Cut takes the power away. Every later call on the file system fails.
func (d *Disk) Cut() error {
	f, err := os.Open(d.mount)
	if err != nil {
		return err
	}
	defer f.Close()
	how := uint32(noLogFlush)
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), fsShutdown, uintptr(unsafe.Pointer(&how))); errno != 0 {
		return fmt.Errorf("shut %s down: %w", d.fsType, errno)
	}
	return nil
}

// Restart mounts the file system again, as after a boot. Nothing on it may be open.
func (d *Disk) Restart() error {
	if err := d.unmount(); err != nil {
		return err
	}
	return d.remount()
}

func (d *Disk) remount() error {
	if err := syscall.Mount(d.loop, d.mount, d.fsType, 0, d.options); err != nil {
		return fmt.Errorf("mount %s: %w", d.fsType, err)
	}
	d.mounted = true
	return nil
}

func (d *Disk) unmount() error {
	if !d.mounted {
		return nil
	}
	// Somebody who looks at every new mount may still be there for a moment.
	for try := 0; ; try++ {
		err := syscall.Unmount(d.mount, 0)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EBUSY) || try == 50 {
			return fmt.Errorf("unmount %s: %w", d.fsType, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	d.mounted = false
	return nil
}

// Close unmounts the file system and gives the loop device back.
func (d *Disk) Close() error {
	err := d.unmount()
	if d.loop != "" {
		_, lerr := run("losetup", "--detach", d.loop)
		err = errors.Join(err, lerr)
	}
	return err
}

func run(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, text)
	}
	return text, nil
}
