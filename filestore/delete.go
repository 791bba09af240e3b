package filestore

import (
	"context"
	"errors"
	"io/fs"
)

// Delete removes key, durably. A key that is not there is not an error. Kept values
// stay; see Forget.
func (s *Store) Delete(key string) error { return s.DeleteContext(context.Background(), key) }

// DeleteContext is Delete, but waits for the lock no longer than ctx; if ctx has a
// deadline, until then. Another call of the same Store is waited for all the same,
// and a removal that has begun is not interrupted.
func (s *Store) DeleteContext(ctx context.Context, key string) error {
	if err := ValidateKey(key); err != nil {
		return err
	}
	if ctx == nil {
		return opError("delete", key, errNoContext)
	}
	c := lockFor("delete")
	c.until = ctx
	return s.changeAs(c, "delete", key, func() error { return s.remove(key) })
}

var errNoContext = errors.New("the context is nil")

func (s *Store) remove(key string) (err error) {
	defer func() { s.remember(key, err) }()
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
