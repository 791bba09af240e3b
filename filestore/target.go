package filestore

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// maxLinks is where Linux gives up, too.
const maxLinks = 40

// target is the place of a key's value.
type target struct {
	key  string
	path string
	dir  string      // where path lies: temporary files go there, and it is synced
	info fs.FileInfo // of the regular file to look like; nil if there is none
	like string      // that file, if it is not the one at path
}

// resolve finds the place of a key without opening it. Only a regular file may
// be there: opening a named pipe hangs, opening a device has effects, and an
// empty directory could be removed by mistake.
func (s *Store) resolve(key string, follow bool) (target, error) {
	path := filepath.Join(s.dir, key)
	for range maxLinks {
		t := target{key: key, path: path, dir: filepath.Dir(path)}
		info, err := s.fs.lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return t, nil
		case err != nil:
			return t, err
		case info.Mode().IsRegular():
			t.info = info
			return t, nil
		case info.Mode()&fs.ModeSymlink == 0 || s.symlinks == RefuseSymlinks:
			return t, &NotRegularError{Path: path, Mode: info.Mode()}
		case !follow:
			return t, nil
		}
		if path, err = s.readlink(path); err != nil {
			return t, err
		}
	}
	return target{}, pathError("open", filepath.Join(s.dir, key), syscall.ELOOP)
}

func (s *Store) readlink(path string) (string, error) {
	to, err := s.fs.readlink(path)
	if err != nil || filepath.IsAbs(to) {
		return to, err
	}
	return filepath.Join(filepath.Dir(path), to), nil
}
