package command

import (
	"os"
	"syscall"
	"testing"
	"unsafe"
)

func TestColumns(t *testing.T) {
	none := func(string) string { return "" }
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if got := columns(null, none); got != 0 {
		t.Errorf("%s has %d columns, want 0: it is no terminal", os.DevNull, got)
	}

	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminal to be had: ", err)
	}
	defer tty.Close()
	if got := columns(tty, none); got != fallbackColumns {
		t.Errorf("a terminal that does not tell its width has %d columns, want %d", got, fallbackColumns)
	}
	size := [4]uint16{24, 123}
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, tty.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size))); errno != 0 {
		t.Fatal(errno)
	}
	if got := columns(tty, none); got != 123 {
		t.Errorf("the terminal has %d columns, want 123", got)
	}
	for text, want := range map[string]int{"100": 100, "0": 123, "wide": 123} {
		if got := columns(tty, func(string) string { return text }); got != want {
			t.Errorf("with COLUMNS=%s the terminal has %d columns, want %d", text, got, want)
		}
	}
}
