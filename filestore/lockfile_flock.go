//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package filestore

import "os"

func tryLock(f *os.File, shared bool) (bool, error) { return flock(f, shared) }
