//go:build !windows && !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package filestore

import "errors"

// TryLock says that there are no locks on this system.
func (osSystem) TryLock(string, bool, string) (func() error, bool, error) {
	return nil, false, errors.ErrUnsupported
}
