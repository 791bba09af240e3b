package input

import (
	"io/fs"
	"syscall"
	"unsafe"
)

// oPath is O_PATH, which package syscall leaves out on some machines although
// Linux has one value for all that Go runs on.
const oPath = 0x200000

func openTop(root string) (step, error) { return openPathStep(root) }

// pathStep walks by descriptors opened with O_PATH|O_NOFOLLOW: they pin what
// was found without opening it, so a device is not woken, and a directory needs
// search permission only, as in the kernel's own walk.
type pathStep struct {
	fd     int
	parent int // descriptor of the directory it was found in; the walk keeps it open
	name   string
	kind   fs.FileMode
}

func openPathStep(dir string) (step, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(dir, oPath|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	return &pathStep{fd: fd, parent: fd, name: ".", kind: fs.ModeDir}, nil
}

func (s *pathStep) mode() fs.FileMode { return s.kind }

func (s *pathStep) child(name string) (step, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Openat(s.fd, name, oPath|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return &pathStep{fd: fd, parent: s.fd, name: name, kind: kindOf(st.Mode)}, nil
}

// target asks the descriptor, so the text is that of the very link found.
func (s *pathStep) target() (string, error) {
	var buf [4096]byte // PATH_MAX, which bounds the text of a link
	var empty byte
	n, _, errno := syscall.Syscall6(syscall.SYS_READLINKAT, uintptr(s.fd),
		uintptr(unsafe.Pointer(&empty)), uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), 0, 0)
	if errno != 0 {
		return "", errno
	}
	return string(buf[:n]), nil
}

func (s *pathStep) open() (file, error) {
	if s.kind.IsDir() {
		return openAt(s.fd, ".")
	}
	return openAt(s.parent, s.name)
}

func (s *pathStep) close() { syscall.Close(s.fd) }

func kindOf(mode uint32) fs.FileMode {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return 0
	case syscall.S_IFDIR:
		return fs.ModeDir
	case syscall.S_IFLNK:
		return fs.ModeSymlink
	case syscall.S_IFIFO:
		return fs.ModeNamedPipe
	case syscall.S_IFSOCK:
		return fs.ModeSocket
	case syscall.S_IFCHR:
		return fs.ModeDevice | fs.ModeCharDevice
	case syscall.S_IFBLK:
		return fs.ModeDevice
	}
	return fs.ModeIrregular
}

// retry repeats a call that a signal interrupted: FUSE and NFS do that.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
