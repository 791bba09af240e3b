//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package filestore

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks the file at path. A lock file that is removed while we take its
// lock, as the kubelet does with unknown files in its device plugin directory,
// is not the one others will see: then it is tried again.
func (osSystem) TryLock(path string, shared bool, owner string) (func() error, bool, error) {
	for range tempTries {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|openFlags, 0o600)
		if err != nil {
			return nil, false, err
		}
		ok, err := tryLock(f, shared)
		if err != nil || !ok {
			_ = f.Close()
			return nil, false, lockError(path, err)
		}
		if sameFile(f, path) {
			return holdLock(f, shared, owner), true, nil
		}
		_ = f.Close()
	}
	return nil, false, pathError("lock", path, syscall.ESTALE)
}

// lockError says "unsupported" where the file system has no locks.
func lockError(path string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ENOLCK) {
		err = errors.ErrUnsupported
	}
	return pathError("lock", path, err)
}

func sameFile(f *os.File, path string) bool {
	have, err := f.Stat()
	if err != nil {
		return false
	}
	want, err := os.Lstat(path)
	return err == nil && os.SameFile(have, want)
}

// holdLock writes the hint for those who wait; it is only a hint, so a failure
// to write it is none. Closing the file gives the lock back.
func holdLock(f *os.File, shared bool, owner string) func() error {
	if !shared {
		_ = f.Truncate(0)
		_, _ = f.WriteAt([]byte(owner), 0)
	}
	return func() error {
		if !shared {
			_ = f.Truncate(0)
		}
		return f.Close()
	}
}

// flock is what there is where there are no open file description locks.
func flock(f *os.File, shared bool) (bool, error) {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
