package filestore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
)

// FS is the file system under a store: the part that is used of afero.Fs, which
// fits as it is. It is spelled here, with the type of its files left open, so
// that a program that only uses the operating system's does not link afero.
//
// An FS that has symbolic links has the methods of afero.Lstater and
// afero.LinkReader. For what else it may offer, see System.
type FS[F File] interface {
	Open(name string) (F, error)
	OpenFile(name string, flag int, perm fs.FileMode) (F, error)
	Mkdir(name string, perm fs.FileMode) error
	Remove(name string) error
	Rename(from, to string) error
	Stat(name string) (fs.FileInfo, error)
	Chmod(name string, mode fs.FileMode) error
	Chown(name string, uid, gid int) error
}

// File is an open file or directory.
type File interface {
	io.ReadWriteCloser
	Name() string
	Stat() (fs.FileInfo, error)
	Readdir(n int) ([]fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// WithFS puts the store on another file system than the operating system's. One
// that is no System, as those of afero in memory, has no locks: a State, and what
// reads before it writes, works there with WithoutLock only.
func WithFS[F File](fsys FS[F]) Option {
	d := disk{calls: anyFile[F]{fsys}, System: noSystem{}}
	if system, ok := any(fsys).(System); ok {
		d.System = system
	} else if isAferoOS(fsys) {
		d.System = osSystem{}
	}
	d.lstater, _ = any(fsys).(lstater)
	d.linkReader, _ = any(fsys).(linkReader)
	return func(s *Store) { s.fs = d }
}

// calls is an FS whose files may be of any type.
type calls FS[File]

// disk is a file system with all that it offers.
type disk struct {
	calls
	System
	lstater    lstater
	linkReader linkReader
}

type lstater interface {
	LstatIfPossible(name string) (fs.FileInfo, bool, error)
}

type linkReader interface {
	ReadlinkIfPossible(name string) (string, error)
}

// lstat does not follow a link, on file systems that have links.
func (d disk) lstat(name string) (fs.FileInfo, error) {
	if d.lstater == nil {
		return d.Stat(name)
	}
	info, _, err := d.lstater.LstatIfPossible(name)
	return info, err
}

func (d disk) readlink(name string) (string, error) {
	if d.linkReader == nil {
		return "", pathError("readlink", name, errors.ErrUnsupported)
	}
	return d.linkReader.ReadlinkIfPossible(name)
}

// isOS reports whether names are those of the operating system.
func (d disk) isOS() bool {
	_, ok := d.System.(osSystem)
	return ok
}

// anyFile forgets the type of the files.
type anyFile[F File] struct{ FS[F] }

func (a anyFile[F]) Open(name string) (File, error) { return forget(a.FS.Open(name)) }

func (a anyFile[F]) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	return forget(a.FS.OpenFile(name, flag, perm))
}

// forget keeps a failure's nil file from becoming an interface that is not nil.
func forget[F File](f F, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// isAferoOS tells afero's name for the operating system, which must not be a
// store without locks only because it was spelled out.
func isAferoOS(fsys any) bool {
	t := reflect.TypeOf(fsys)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t != nil && t.PkgPath() == "github.com/spf13/afero" && t.Name() == "OsFs"
}

// osFS is the operating system's.
type osFS struct{}

// osDisk returns the file system that a store is on unless told otherwise.
func osDisk() disk {
	return disk{calls: anyFile[*os.File]{osFS{}}, System: osSystem{}, lstater: osFS{}, linkReader: osFS{}}
}

func (osFS) Open(name string) (*os.File, error) { return os.Open(name) }
func (osFS) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (osFS) Mkdir(name string, perm fs.FileMode) error   { return os.Mkdir(name, perm) }
func (osFS) Remove(name string) error                    { return os.Remove(name) }
func (osFS) Rename(from, to string) error                { return os.Rename(from, to) }
func (osFS) Stat(name string) (fs.FileInfo, error)       { return os.Stat(name) }
func (osFS) Chmod(name string, mode fs.FileMode) error   { return os.Chmod(name, mode) }
func (osFS) Chown(name string, uid, gid int) error       { return os.Chown(name, uid, gid) }
func (osFS) ReadlinkIfPossible(n string) (string, error) { return os.Readlink(n) }
func (osFS) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	info, err := os.Lstat(name)
	return info, true, err
}
