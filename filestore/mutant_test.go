package filestore_test

import (
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
)

// base is what the store uses of crashfs and faultfs.
type base interface {
	afero.Fs
	afero.Lstater
	filestore.System
}

// mutant is a file system that turns the store on it into one with a mistake: it
// leaves out, moves or falsifies calls. So the code under test is the real one,
// and the mistakes are those of its steps.
type mutant struct {
	base
	openFile func(m *mutant, name string, flag int, perm fs.FileMode) (afero.File, error)
	sync     func(m *mutant, f afero.File, dir bool) error
	close    func(m *mutant, f afero.File) error
	rename   func(m *mutant, from, to string) error
	remove   func(m *mutant, name string) error
	tryLock  bool // every lock is granted

	late    []func() error // done before the next call
	removed bool           // the last change was the removal of a key
}

// catchUp does what was put off.
func (m *mutant) catchUp() {
	late := m.late
	m.late = nil
	for _, do := range late {
		_ = do()
	}
}

func (m *mutant) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	m.catchUp()
	open := (*mutant).reallyOpen
	if m.openFile != nil {
		open = m.openFile
	}
	return open(m, name, flag, perm)
}

func (m *mutant) reallyOpen(name string, flag int, perm fs.FileMode) (afero.File, error) {
	f, err := m.base.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	info, err := m.base.Stat(name)
	return &mutantFile{f, m, err == nil && info.IsDir()}, nil
}

func (m *mutant) Open(name string) (afero.File, error) { return m.OpenFile(name, os.O_RDONLY, 0) }

func (m *mutant) Rename(from, to string) error {
	m.catchUp()
	m.removed = false
	if m.rename != nil {
		return m.rename(m, from, to)
	}
	return m.base.Rename(from, to)
}

func (m *mutant) Remove(name string) error {
	m.catchUp()
	m.removed = filestore.ValidateKey(path.Base(name)) == nil
	if m.remove != nil {
		return m.remove(m, name)
	}
	return m.base.Remove(name)
}

func (m *mutant) TryLock(name string, shared bool, owner string) (func() error, bool, error) {
	if m.tryLock {
		return func() error { return nil }, true, nil
	}
	return m.base.TryLock(name, shared, owner)
}

// syncPath opens a file or directory and syncs it.
func (m *mutant) syncPath(name string) error {
	f, err := m.base.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

type mutantFile struct {
	afero.File
	m   *mutant
	dir bool
}

func (f *mutantFile) Sync() error {
	if f.m.sync != nil {
		return f.m.sync(f.m, f.File, f.dir)
	}
	return f.File.Sync()
}

func (f *mutantFile) Close() error {
	if f.m.close != nil {
		return f.m.close(f.m, f.File)
	}
	return f.File.Close()
}

// renamed is a file that goes by another name.
type renamed struct {
	afero.File
	name string
}

func (f renamed) Name() string { return f.name }

func isTempName(name string) bool { return strings.HasPrefix(path.Base(name), ".ckpt-") }

// elsewhere moves temporary files to another name.
func elsewhere(to func(name string) string) mutant {
	move := func(name string) string {
		if isTempName(name) {
			return to(name)
		}
		return name
	}
	return mutant{
		openFile: func(m *mutant, name string, flag int, perm fs.FileMode) (afero.File, error) {
			f, err := m.reallyOpen(move(name), flag, perm)
			if err != nil {
				return nil, err
			}
			return renamed{f, name}, nil
		},
		rename: func(m *mutant, from, to string) error { return m.base.Rename(move(from), to) },
		remove: func(m *mutant, name string) error { return m.base.Remove(move(name)) },
	}
}

// keyOfTemp gives the path of the key for which a temporary file was made.
func keyOfTemp(name string) string {
	key := strings.TrimPrefix(path.Base(name), ".ckpt-")
	return path.Join(path.Dir(name), key[:strings.LastIndex(key, "-")])
}

// mistakes are the mutants, each with the models of a crash that show it; other
// is set where it takes an injected error or a second process.
var mistakes = []struct {
	name  string
	shown string // S synced only, P prefix, X any subset, F fault, L lock
	m     mutant
}{
	{"no fsync of the file", "SPX", mutant{sync: func(_ *mutant, f afero.File, dir bool) error {
		if dir {
			return f.Sync()
		}
		return nil
	}}},
	{"fsync of the file after the rename", "X", mutant{
		sync: func(_ *mutant, f afero.File, dir bool) error {
			if dir {
				return f.Sync()
			}
			return nil
		},
		rename: func(m *mutant, from, to string) error {
			if err := m.base.Rename(from, to); err != nil {
				return err
			}
			return m.syncPath(to)
		}}},
	{"fsync of the directory before the rename", "SPX", mutant{
		sync: func(m *mutant, f afero.File, dir bool) error {
			if dir && f.Name() == storeDir && !m.removed {
				return nil
			}
			return f.Sync()
		},
		rename: func(m *mutant, from, to string) error {
			if err := m.syncPath(storeDir); err != nil {
				return err
			}
			return m.base.Rename(from, to)
		}}},
	{"written in place", "PX", mutant{
		openFile: func(m *mutant, name string, flag int, perm fs.FileMode) (afero.File, error) {
			if !isTempName(name) {
				return m.reallyOpen(name, flag, perm)
			}
			f, err := m.reallyOpen(keyOfTemp(name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, perm)
			if err != nil {
				return nil, err
			}
			return renamed{f, name}, nil
		},
		rename: func(*mutant, string, string) error { return nil }}},
	{"old file removed first", "PX", mutant{
		rename: func(m *mutant, from, to string) error {
			_ = m.base.Remove(to)
			return m.base.Rename(from, to)
		}}},
	{"acknowledged before the fsync of the directory", "SPX", mutant{
		sync: func(m *mutant, f afero.File, dir bool) error {
			if dir && f.Name() == storeDir {
				m.late = append(m.late, func() error { return m.syncPath(storeDir) })
				return nil
			}
			return f.Sync()
		}}},
	{"no fsync of the directory", "SPX", mutant{
		sync: func(_ *mutant, f afero.File, dir bool) error {
			if dir && f.Name() == storeDir {
				return nil
			}
			return f.Sync()
		}}},
	{"no fsync of the parent directory", "SPX", mutant{
		sync: func(_ *mutant, f afero.File, dir bool) error {
			if dir && f.Name() != storeDir {
				return nil
			}
			return f.Sync()
		}}},
	{"no fsync of the directory after a removal", "SPX", mutant{
		sync: func(m *mutant, f afero.File, dir bool) error {
			if dir && m.removed {
				return nil
			}
			return f.Sync()
		}}},
	{"temporary file in another directory", "PX", elsewhere(func(name string) string {
		return "/" + path.Base(name)
	})},
	{"temporary file that List shows", "PX", elsewhere(func(name string) string {
		return path.Join(path.Dir(name), strings.TrimPrefix(path.Base(name), "."))
	})},
	{"sweep without a lock", "L", mutant{tryLock: true}},
	{"error of fsync ignored", "F", mutant{sync: func(_ *mutant, f afero.File, _ bool) error {
		_ = f.Sync()
		return nil
	}}},
	{"error of close ignored", "F", mutant{close: func(_ *mutant, f afero.File) error {
		_ = f.Close()
		return nil
	}}},
}
