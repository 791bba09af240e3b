package filestore

import (
	"errors"
	"os"
	"syscall"
)

// ofdSetLock is F_OFD_SETLK of fcntl(2), Linux 3.15. Unlike those of F_SETLK
// such locks belong to the open file: two stores of one process exclude each
// other, and closing another descriptor of the file does not drop them.
const ofdSetLock = 37

func tryLock(f *os.File, shared bool) (bool, error) {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK}
	if shared {
		lock.Type = syscall.F_RDLCK
	}
	err := syscall.FcntlFlock(f.Fd(), ofdSetLock, &lock)
	switch {
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EACCES):
		return false, nil
	case errors.Is(err, syscall.EINVAL):
		return flock(f, shared)
	}
	return err == nil, err
}
