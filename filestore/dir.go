package filestore

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// makeDir makes the directory of the store and those above it, each durable
// before the next. An fsync makes a directory's entries durable, not its own
// name; so the parent is what has to be synced, also when the directory is
// already there: the process that made it may have died before it got that far.
func (s *Store) makeDir() error {
	var missing []string
	dir := s.dir
	for {
		info, err := s.fs.Stat(dir)
		if err == nil && !info.IsDir() {
			return pathError("mkdir", dir, syscall.ENOTDIR)
		}
		if err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) || parent == dir {
			return err
		}
		missing = append(missing, dir)
		dir = parent
	}
	if err := s.syncParent(dir); err != nil && !mayNotSync(err) {
		return err
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := s.mkdir(missing[i]); err != nil {
			return err
		}
		if err := s.syncParent(missing[i]); err != nil {
			return err
		}
	}
	return nil
}

// mkdir makes one directory, or finds that somebody else has just made it.
func (s *Store) mkdir(dir string) error {
	err := s.fs.Mkdir(dir, s.dirMode)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, serr := s.fs.Stat(dir); serr != nil || !info.IsDir() {
		return err
	}
	return nil
}

// mayNotSync tells the errors of a directory above the store that is none of
// our business: one we may not open, or on a file system without directory
// fsync. The store's own directory existed before us.
func mayNotSync(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || cannotSync(err)
}

func (s *Store) syncParent(dir string) error {
	parent := filepath.Dir(dir)
	if parent == dir {
		return nil
	}
	d, err := s.fs.Open(parent)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return s.syncDir(d)
}

// openDir opens the directory that will have to be synced. It is done before
// anything is changed: when descriptors have run out, nothing has happened yet.
func (s *Store) openDir(dir string) (File, error) {
	d, err := s.fs.Open(dir)
	if errors.Is(err, fs.ErrNotExist) && dir == s.dir {
		if err := s.makeDir(); err != nil {
			return nil, err
		}
		d, err = s.fs.Open(dir)
	}
	return d, err
}

// syncDir makes the entries of an open directory durable.
func (s *Store) syncDir(d File) error {
	if s.durability != Durable || !dirsCanSync {
		return nil
	}
	err := d.Sync()
	if err != nil && s.unsyncedDirs && cannotSync(err) {
		return nil
	}
	if err == nil {
		// When xfs has shut itself down after an I/O error, fsync of a directory
		// returns 0 although the log was thrown away; but stat returns EIO.
		_, err = d.Stat()
	}
	return err
}

// cannotSync tells a file system that has no fsync of directories from one that
// failed to do it.
func cannotSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported)
}

// closeDir drops the error: after the fsync there is nothing left to fail.
func closeDir(d File) { _ = d.Close() }

// touchDir changes a directory and changes it back, so that its blocks are
// written again even if the kernel holds them for clean after a failed fsync.
func (s *Store) touchDir(t target) error {
	tmp, err := s.createTemp(t)
	if err != nil {
		return err
	}
	err = tmp.Close()
	rerr := s.fs.Remove(tmp.Name())
	if err == nil {
		return rerr
	}
	return withCleanup(err, rerr)
}
