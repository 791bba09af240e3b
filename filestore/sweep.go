package filestore

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// sweepPatience bounds how long Open may be held up by other writers.
const sweepPatience = 250 * time.Millisecond

// Sweep removes the temporary files which processes that died have left in the
// directory, and returns their names. Open has done so already. It never touches
// one in use: writers share the lock that a sweep has for itself. Files of other
// programs, the kubelet's own temporary files among them, are left alone.
func (s *Store) Sweep() ([]string, error) {
	// Without leftovers there is no need for a lock, nor for a lock file.
	if stale, err := s.temps(); err != nil || len(stale) == 0 {
		return nil, opError("sweep", "", err)
	}
	var removed []string
	err := s.change("sweep", "", func() error {
		stale, err := s.temps()
		if err != nil {
			return err
		}
		removed, err = s.removeTemps(stale)
		return err
	})
	return removed, err
}

func (s *Store) temps() ([]string, error) {
	infos, err := s.readDir(s.dir)
	var names []string
	for _, info := range infos {
		if isTemp(info.Name()) && info.Mode().IsRegular() {
			names = append(names, info.Name())
		}
	}
	return names, err
}

// removeTemps removes what it can and reports what it cannot.
func (s *Store) removeTemps(names []string) ([]string, error) {
	var removed []string
	var errs error
	for _, name := range names {
		err := s.fs.Remove(filepath.Join(s.dir, name))
		if err == nil {
			removed = append(removed, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			errs = withCleanup(err, errs)
		}
	}
	if errs != nil || len(removed) == 0 {
		return removed, errs
	}
	dir, err := s.fs.Open(s.dir)
	if err != nil {
		return removed, err
	}
	defer closeDir(dir)
	return removed, s.syncDir(dir)
}
