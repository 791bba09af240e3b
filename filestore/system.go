package filestore

import "errors"

// System is what the store uses of a file system beyond FS. For the operating
// system it is built in; another file system may implement it. One that does not is
// used without extended attributes, locks and sweeping. Write, Delete and Probe go on
// without a lock there; Update, Replace, Restore and Quarantine, which would only seem
// safe, fail with a *NoLockError unless WithoutLock says that nobody else writes.
type System interface {
	// CopyAttributes gives the file named to the extended attributes of the file
	// named from. Mode and owner are set through FS.
	CopyAttributes(from, to string) error

	// TryLock takes the lock that the named file stands for, without waiting,
	// and creates the file if need be. It excludes every holder but shared ones
	// from each other, in this process and in others, and ends with the process.
	// An exclusive holder leaves owner in the file. If somebody else holds it,
	// ok is false and err nil; if the file system has no locks, err is
	// errors.ErrUnsupported.
	TryLock(name string, shared bool, owner string) (unlock func() error, ok bool, err error)
}

type noSystem struct{}

func (noSystem) CopyAttributes(string, string) error { return nil }

func (noSystem) TryLock(string, bool, string) (func() error, bool, error) {
	return nil, false, errors.ErrUnsupported
}
