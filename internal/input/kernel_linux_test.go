package input

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// openat2 asks the kernel (5.6 or later) to do the walk.
func openat2(root int, path string, flags, resolve uint64) (int, error) {
	const sysOpenat2 = 437 // the same on every architecture
	how := struct{ flags, mode, resolve uint64 }{flags, 0, resolve}
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return -1, err
	}
	for {
		fd, _, errno := syscall.Syscall6(sysOpenat2, uintptr(root), uintptr(unsafe.Pointer(name)),
			uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
		switch errno {
		case 0:
			return int(fd), nil
		case syscall.EAGAIN, syscall.EINTR: // something was renamed anywhere on the machine
		default:
			return -1, errno
		}
	}
}

// differsFromKernel compares the walk with openat2 and RESOLVE_IN_ROOT, where
// the kernel has it: the same file, or the same error.
func differsFromKernel(open func(string) (step, error), root, path string) error {
	const resolveInRoot = 0x10
	dir, err := os.Open(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	fd, want := openat2(int(dir.Fd()), path, oPath|syscall.O_CLOEXEC, resolveInRoot)
	if want == syscall.ENOSYS || want == syscall.EPERM {
		return nil
	}
	var there syscall.Stat_t
	if want == nil {
		defer syscall.Close(fd)
		if err := syscall.Fstat(fd, &there); err != nil {
			return err
		}
	}

	top, err := open(root)
	if err != nil {
		return err
	}
	w := &walk{way: []step{top}}
	defer w.close()
	got := w.follow(path)
	if want != nil || got != nil {
		if !errors.Is(got, want) || want == nil {
			return fmt.Errorf("error is %v, the kernel says %v", got, want)
		}
		return nil
	}
	f, err := w.open()
	if err != nil {
		return err
	}
	defer f.Close()
	var here syscall.Stat_t
	switch f := f.(type) {
	case descriptor:
		err = syscall.Fstat(int(f), &here)
	case osFile:
		err = syscall.Fstat(int(f.Fd()), &here)
	}
	if err != nil {
		return err
	}
	if here.Dev != there.Dev || here.Ino != there.Ino {
		return errors.New("another file than the kernel's")
	}
	return nil
}
