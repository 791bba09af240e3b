// Package rewrite writes the one file that a person has named.
//
// A write is atomic and durable, as package filestore promises it. A file that
// is replaced keeps its mode, owner and attributes, and what it held stays
// beside it as FILE.ckpt-backup-TIME. What is there is compared with what the
// person was told about before anything changes, and read back afterwards. Only
// regular files are written; a link is followed to the file it leads to.
//
// Not promised: that a kubelet which runs meanwhile does not write too. It takes
// no lock.
package rewrite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubeckpt/ckpt/filestore"
)

// Done is what has been written.
type Done struct {
	Path   string // the file, links resolved
	Backup string // of what it held; "" if it was not there, or held the same
	Bytes  []byte // read back
}

// InPlace replaces the file at path, which is known to hold old. It leaves a lock
// file, .ckpt.lock, in the directory.
func InPlace(path string, old, data []byte) (Done, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return Done{}, err
	}
	if old == nil {
		old = []byte{} // it is there, and empty
	}
	var opts []filestore.Option
	// A kubelet that starts removes all other files from this directory.
	if dir := filepath.Dir(real); filepath.Base(dir) == "device-plugins" {
		opts = append(opts, filestore.WithBackupDir(filepath.Dir(dir)))
	}
	return replace(real, old, data, opts...)
}

// File writes data to a file that need not be there yet, in a directory that must
// be. In one that belongs to others nothing but the file is left behind.
func File(path string, data []byte) (Done, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = path, nil
	}
	if err != nil {
		return Done{}, err
	}
	// The store would make the directory; a person has mistyped it.
	dir := filepath.Dir(real)
	if info, err := os.Stat(dir); err != nil {
		return Done{}, err
	} else if !info.IsDir() {
		return Done{}, fmt.Errorf("%q is not a directory", dir)
	}
	opts := []filestore.Option{filestore.WithoutLock(), filestore.WithoutSweep()}
	s, err := filestore.Open(dir, opts...)
	if err != nil {
		return Done{}, err
	}
	old, err := s.Read(filepath.Base(real))
	if errors.Is(err, filestore.ErrKeyNotFound) {
		err = nil
	}
	if err != nil {
		return Done{}, nameOf(path, err)
	}
	return replace(real, old, data, opts...)
}

// New makes a file that is not there yet. It leaves a lock file, as InPlace does.
func New(path string, data []byte) (Done, error) { return replace(path, nil, data) }

func replace(path string, old, data []byte, opts ...filestore.Option) (Done, error) {
	s, err := filestore.Open(filepath.Dir(path), opts...)
	if err != nil {
		return Done{}, err
	}
	key := filepath.Base(path)
	done := Done{Path: path}
	if done.Backup, err = s.Replace(key, old, data); err != nil {
		return done, nameOf(path, err)
	}
	done.Bytes, err = s.Read(key)
	return done, nameOf(path, err)
}

// nameOf adds the path, and what to do about a name that the store refuses.
func nameOf(path string, err error) error {
	var invalid *filestore.InvalidKeyError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &invalid):
		return fmt.Errorf("%q cannot be written: a file name has letters, digits, '-', '_' and '.' only, and begins and ends with a letter or digit; take another name", path)
	}
	return fmt.Errorf("%q: %w", path, err)
}
