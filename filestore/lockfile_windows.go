package filestore

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var procLockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

const (
	lockFailImmediately = 1
	lockExclusive       = 2
	errLockViolation    = syscall.Errno(33)
	errIOPending        = syscall.Errno(997)
	// Windows locks are mandatory. One byte far behind the end leaves the hint
	// readable.
	lockOffsetHigh = 0x7fffffff
)

// TryLock locks a byte behind the end of the file at path.
func (osSystem) TryLock(path string, shared bool, owner string) (func() error, bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	flags := uintptr(lockFailImmediately)
	if !shared {
		flags |= lockExclusive
	}
	at := syscall.Overlapped{OffsetHigh: lockOffsetHigh}
	ok, _, err := procLockFileEx.Call(f.Fd(), flags, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	if ok == 0 {
		_ = f.Close()
		if errors.Is(err, errLockViolation) || errors.Is(err, errIOPending) {
			return nil, false, nil
		}
		return nil, false, pathError("lock", path, err)
	}
	if !shared {
		_ = f.Truncate(0)
		_, _ = f.WriteAt([]byte(owner), 0)
	}
	return f.Close, true, nil
}
