package sysfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

const (
	attributeLimit = 64 << 10 // no attribute of sysfs is larger than a page, which is at most this
	listLimit      = 32 << 20 // /proc/cpuinfo of 8,192 CPUs
	entryLimit     = 1 << 20  // a node has an entry for each 128 MiB of its memory
)

// Dir is a directory as a file system that links cannot leave. A kernel's own
// links in /sys are relative and stay inside.
type Dir struct{ root *os.Root }

// OpenDir opens the directory that path names.
func OpenDir(path string) (*Dir, error) {
	r, err := os.OpenRoot(path)
	return dir(r, err)
}

// OpenDirIn opens the directory path inside the directory root. Links cannot
// leave root.
func OpenDirIn(root, path string) (*Dir, error) {
	outer, err := os.OpenRoot(root)
	if err != nil {
		return nil, reason(err)
	}
	defer outer.Close()
	return dir(outer.OpenRoot(path))
}

func dir(r *os.Root, err error) (*Dir, error) {
	if err != nil {
		return nil, reason(err)
	}
	return &Dir{r}, nil
}

// Close lets go of the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Open implements fs.FS. It does not wait for the other end of a named pipe.
func (d *Dir) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readFile reads a regular file of at most limit bytes.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	}
	blob, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(blob)) > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("more than %d bytes", limit)}
	}
	return blob, nil
}

// readNames returns the names in a directory that keep, at most limit of them,
// sorted.
func readNames(fsys fs.FS, name string, limit int, keep func(string) bool) ([]string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	return collect(d, name, limit, keep)
}
