package filestore

import (
	"errors"
	"fmt"
)

// Restore makes the newest generation that good accepts the value of key again
// and returns it. What was there is copied into quarantine first; if it cannot be
// read, Restore fails and leaves the choice to call Quarantine before.
//
// It is for a person, or for a program that knows what its checkpoint says. A
// kubelet file that comes back from the past describes containers that are gone
// and omits those that run.
func (s *Store) Restore(key string, good func(data []byte) error) (Generation, error) {
	if err := ValidateKey(key); err != nil {
		return Generation{}, err
	}
	if good == nil {
		return Generation{}, opError("restore", key, errors.New("there is no function to check a value"))
	}
	var restored Generation
	err := s.change("restore", key, func() error {
		gens, err := s.generations(key)
		if err != nil {
			return err
		}
		why := ErrNoGoodGeneration
		for _, gen := range gens {
			data, err := s.readFile(gen.Path)
			if err == nil {
				err = good(data)
			}
			if err != nil {
				why = fmt.Errorf("%w; generation %d: %w", why, gen.Seq, err)
				continue
			}
			restored = gen
			return s.bringBack(key, data)
		}
		return why
	})
	return restored, err
}

// Quarantine takes the value of key out of the way, durably: the file becomes
// .KEY.corrupt-TIME beside it, whose path is returned. The key is then not found.
//
// The store never does so by itself. A kubelet that finds no file starts from
// nothing, and gives the CPUs and devices of running containers to others; one
// that finds a bad file stops, and a person can look.
func (s *Store) Quarantine(key string) (path string, err error) {
	if err := ValidateKey(key); err != nil {
		return "", err
	}
	err = s.change("quarantine", key, func() error {
		path, err = s.quarantine(key)
		return err
	})
	return path, err
}

// bringBack writes an older value, and makes no generation of the newer.
func (s *Store) bringBack(key string, data []byte) (err error) {
	defer func() { s.remember(key, err) }()
	t, err := s.resolve(key, s.symlinks == FollowSymlinks)
	if err != nil {
		return err
	}
	if s.unchanged(t, data) {
		return s.settle(t)
	}
	var copied string
	if t.info != nil {
		if copied, err = s.quarantinePath(key); err != nil {
			return err
		}
		err = s.copyAside(t, copied, newLook)
	}
	if err == nil {
		err = s.put(t, data)
	}
	if copied != "" && nothingChanged(err) {
		// What it is a copy of is there still, and the next attempt makes another.
		err = withCleanup(err, s.fs.Remove(copied))
	}
	return err
}

func (s *Store) quarantine(key string) (moved string, err error) {
	defer func() { s.remember(key, err) }()
	t, err := s.resolve(key, false)
	if err != nil {
		return "", err
	}
	if t.info == nil {
		return "", ErrKeyNotFound
	}
	path, err := s.quarantinePath(key)
	if err != nil {
		return "", err
	}
	dir, err := s.fs.Open(s.dir)
	if err != nil {
		return "", err
	}
	defer closeDir(dir)
	if err := s.fs.Rename(t.path, path); err != nil {
		return path, s.goneAfter(t.path, err)
	}
	if err := s.syncDir(dir); err != nil {
		return path, &NotDurableError{Path: t.path, Err: err}
	}
	return path, nil
}

func (s *Store) quarantinePath(key string) (string, error) {
	return s.freePath(s.dir, key, "."+key+".corrupt-")
}
