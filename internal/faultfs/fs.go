package faultfs

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/afero"
)

var (
	_ afero.Fs      = (*FS)(nil)
	_ afero.Lstater = (*FS)(nil)
)

// Name returns "faultfs".
func (f *FS) Name() string { return "faultfs" }

// Create is OpenFile with O_CREATE and O_TRUNC.
func (f *FS) Create(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open is OpenFile for reading.
func (f *FS) Open(name string) (afero.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile is the call Create, Open or OpenDir.
func (f *FS) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	call := Open
	if flag&os.O_CREATE != 0 {
		call = Create
	} else if info, err := f.inner.Stat(name); err == nil && info.IsDir() {
		call = OpenDir
	}
	var inner afero.File
	err := f.around(call, name, pathError("open", name), func() (err error) {
		inner, err = f.inner.OpenFile(name, flag, perm)
		return err
	})
	if err != nil {
		if inner != nil {
			err = errors.Join(err, inner.Close())
		}
		return nil, err
	}
	return &file{File: inner, fs: f, dir: call == OpenDir}, nil
}

// Mkdir may fail.
func (f *FS) Mkdir(name string, perm fs.FileMode) error {
	return f.around(Mkdir, name, pathError("mkdir", name), func() error { return f.inner.Mkdir(name, perm) })
}

// MkdirAll may fail before it makes anything.
func (f *FS) MkdirAll(name string, perm fs.FileMode) error {
	return f.around(Mkdir, name, pathError("mkdir", name), func() error { return f.inner.MkdirAll(name, perm) })
}

// Remove may fail.
func (f *FS) Remove(name string) error {
	return f.around(Remove, name, pathError("remove", name), func() error { return f.inner.Remove(name) })
}

// RemoveAll may fail before it removes anything.
func (f *FS) RemoveAll(name string) error {
	return f.around(Remove, name, pathError("remove", name), func() error { return f.inner.RemoveAll(name) })
}

// Rename may fail.
func (f *FS) Rename(from, to string) error {
	return f.around(Rename, from, linkError("rename", from, to), func() error { return f.inner.Rename(from, to) })
}

// Stat may fail.
func (f *FS) Stat(name string) (info fs.FileInfo, err error) {
	err = f.around(Stat, name, pathError("stat", name), func() error {
		info, err = f.inner.Stat(name)
		return err
	})
	return info, err
}

// LstatIfPossible may fail.
func (f *FS) LstatIfPossible(name string) (info fs.FileInfo, ok bool, err error) {
	err = f.around(Stat, name, pathError("lstat", name), func() error {
		if l, is := f.inner.(afero.Lstater); is {
			info, ok, err = l.LstatIfPossible(name)
		} else {
			info, err = f.inner.Stat(name)
		}
		return err
	})
	return info, ok, err
}

// ReadlinkIfPossible may fail.
func (f *FS) ReadlinkIfPossible(name string) (to string, err error) {
	err = f.around(Readlink, name, pathError("readlink", name), func() error {
		l, ok := f.inner.(afero.LinkReader)
		if !ok {
			return errors.ErrUnsupported
		}
		to, err = l.ReadlinkIfPossible(name)
		return err
	})
	return to, err
}

// Chmod may fail.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	return f.around(Chmod, name, pathError("chmod", name), func() error { return f.inner.Chmod(name, mode) })
}

// Chown may fail.
func (f *FS) Chown(name string, uid, gid int) error {
	return f.around(Chown, name, pathError("chown", name), func() error { return f.inner.Chown(name, uid, gid) })
}

// Chtimes never fails of itself.
func (f *FS) Chtimes(name string, atime, mtime time.Time) error {
	return f.inner.Chtimes(name, atime, mtime)
}

// locker is filestore.System, which this package need not know.
type locker interface {
	CopyAttributes(from, to string) error
	TryLock(name string, shared bool, owner string) (func() error, bool, error)
}

// TryLock may fail.
func (f *FS) TryLock(name string, shared bool, owner string) (unlock func() error, ok bool, err error) {
	err = f.around(Lock, name, pathError("lock", name), func() error {
		l, is := f.inner.(locker)
		if !is {
			return errors.ErrUnsupported
		}
		unlock, ok, err = l.TryLock(name, shared, owner)
		return err
	})
	if err != nil && unlock != nil {
		err = errors.Join(err, unlock())
	}
	return unlock, ok, err
}

// CopyAttributes may fail.
func (f *FS) CopyAttributes(from, to string) error {
	return f.around(Attrs, to, pathError("setxattr", to), func() error {
		if l, is := f.inner.(locker); is {
			return l.CopyAttributes(from, to)
		}
		return nil
	})
}
