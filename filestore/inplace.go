package filestore

import (
	"os"
)

// replaceMounted deals with a file that is a mount point: it says so or, if the
// caller accepts that, overwrites it.
func (s *Store) replaceMounted(t target, data []byte, cause error) error {
	if !s.inPlace {
		return &MountPointError{Path: t.path, Err: cause}
	}
	f, err := s.fs.OpenFile(t.path, os.O_WRONLY|openFlags, 0)
	if err != nil {
		return withCleanup(&MountPointError{Path: t.path, Err: cause}, err)
	}
	err = writeAll(f, data)
	if err == nil {
		err = f.Truncate(int64(len(data)))
	}
	if err == nil && s.durability != Volatile {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	} else {
		err = withCleanup(err, cerr)
	}
	if err != nil {
		return &UncertainError{Path: t.path, Err: err}
	}
	return nil
}
