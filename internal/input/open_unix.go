//go:build unix

package input

import (
	"io"
	"os"
	"syscall"
)

// openFlags keep an open from waiting for a pipe's writer and from making a
// terminal ours, should one be swapped in after the check.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY

// impatient reads what is there and never waits. os.File would wait in the
// poller for the regular files of /proc that can be polled.
type impatient struct {
	conn syscall.RawConn
}

func newImpatient(f *os.File) (io.Reader, error) {
	conn, err := f.SyscallConn()
	return impatient{conn}, err
}

func (r impatient) Read(p []byte) (n int, err error) {
	cerr := r.conn.Read(func(fd uintptr) bool {
		for {
			n, err = syscall.Read(int(fd), p)
			if err != syscall.EINTR {
				return true
			}
		}
	})
	switch {
	case cerr != nil:
		return 0, cerr
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}
