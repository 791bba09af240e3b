package filestore

import (
	"errors"
	"io/fs"

	"github.com/spf13/afero"
)

// System is what the store uses of a file system beyond afero.Fs. On afero.OsFs
// it is built in; another file system may implement it. One that does not is
// used without extended attributes, locks and sweeping.
type System interface {
	// CopyAttributes gives the file named to the extended attributes of the file
	// named from. Mode and owner are set through afero.Fs.
	CopyAttributes(from, to string) error

	// TryLock takes the lock that the named file stands for, without waiting,
	// and creates the file if need be. It excludes every holder but shared ones
	// from each other, in this process and in others, and ends with the process.
	// An exclusive holder leaves owner in the file. If somebody else holds it,
	// ok is false and err nil; if the file system has no locks, err is
	// errors.ErrUnsupported.
	TryLock(name string, shared bool, owner string) (unlock func() error, ok bool, err error)
}

// systemOf returns what fs can do beyond afero.Fs.
func systemOf(fs afero.Fs) System {
	switch f := fs.(type) {
	case System:
		return f
	case *afero.OsFs, afero.OsFs:
		return osSystem{}
	}
	return noSystem{}
}

type noSystem struct{}

func (noSystem) CopyAttributes(string, string) error { return nil }

func (noSystem) TryLock(string, bool, string) (func() error, bool, error) {
	return nil, false, errors.ErrUnsupported
}

// lstat does not follow a link, on file systems that have links.
func lstat(fsys afero.Fs, name string) (fs.FileInfo, error) {
	if l, ok := fsys.(afero.Lstater); ok {
		info, _, err := l.LstatIfPossible(name)
		return info, err
	}
	return fsys.Stat(name)
}

// isOS reports whether names are those of the operating system.
func isOS(fsys afero.Fs) bool {
	_, ok := systemOf(fsys).(osSystem)
	return ok
}
