package filestore

import (
	"errors"
	"io/fs"
)

// Delete removes key, durably. A key that is not there is not an error.
func (s *Store) Delete(key string) error {
	if err := ValidateKey(key); err != nil {
		return err
	}
	return s.change("delete", key, func() error { return s.remove(key) })
}

func (s *Store) remove(key string) error {
	t, err := s.resolve(key, false)
	if err != nil {
		return err
	}
	dir, err := s.fs.Open(t.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer closeDir(dir)
	err = s.fs.Remove(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
		// An earlier removal may be what is not on disk yet.
		if s.unsure[key] {
			err = s.touchDir(t)
		}
	}
	if err != nil {
		return s.goneAfter(t.path, err)
	}
	if err := s.syncDir(dir); err != nil {
		return &NotDurableError{Path: t.path, Err: err}
	}
	return nil
}

// goneAfter finds out whether a removal or a rename of path that failed has
// happened all the same.
func (s *Store) goneAfter(path string, cause error) error {
	switch _, err := s.fs.lstat(path); {
	case err == nil:
		return cause
	case errors.Is(err, fs.ErrNotExist):
		return &NotDurableError{Path: path, Err: cause}
	default:
		return &UncertainError{Path: path, Err: withCleanup(cause, err)}
	}
}
