//go:build linux || darwin

package command

import (
	"os"
	"syscall"
	"unsafe"
)

// windowColumns asks the terminal f for its width, which it may not know (0).
// It reports false if f is no terminal: /dev/null is a character device too.
func windowColumns(f *os.File) (int, bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0
}
