package crashfs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/afero"
)

// FS is a file system in memory with a trace. Use New.
type FS struct {
	mu    sync.Mutex
	base  tree // what was durable when the trace began
	live  tree // what a running system shows
	trace []Op
	next  int // inode
	open  int // handles
	locks map[string]int
}

var (
	_ afero.Fs        = (*FS)(nil)
	_ afero.Symlinker = (*FS)(nil)
)

// New returns an empty file system.
func New() *FS { return at(newTree(), rootIno) }

func at(t tree, last int) *FS {
	return &FS{base: t, live: maps.Clone(t), next: last, locks: map[string]int{}}
}

// Checkpoint makes everything durable and begins a new trace.
func (f *FS) Checkpoint() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.base, f.trace = maps.Clone(f.live), nil
}

// Fork returns a copy of what a running system shows, durable, whose new inodes
// begin at first. Copies with ranges that do not meet have traces that mix.
func (f *FS) Fork(first int) *FS {
	f.mu.Lock()
	defer f.mu.Unlock()
	return at(maps.Clone(f.live), max(first, f.next))
}

// WithTrace returns a file system that began like f and has another trace.
func (f *FS) WithTrace(trace []Op) *FS { return &FS{base: f.base, trace: trace, next: f.next} }

// Mark notes what the caller has been told, an acknowledgement for instance.
func (f *FS) Mark(v any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trace = append(f.trace, Op{Kind: Mark, Mark: v})
}

// Trace returns the operations since the last Checkpoint.
func (f *FS) Trace() []Op {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Op(nil), f.trace...)
}

// OpenHandles returns how many files are open.
func (f *FS) OpenHandles() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open
}

// do applies an operation and notes it. The caller holds the lock.
func (f *FS) do(op Op) {
	op.apply(f.live)
	f.trace = append(f.trace, op)
}

func (f *FS) create(at place, mode fs.FileMode, link string) int {
	f.next++
	f.do(Op{Kind: Create, Ino: f.next, Dir: at.dir, Name: at.name, Mode: mode, Link: link})
	return f.next
}

// Name returns "crashfs".
func (f *FS) Name() string { return "crashfs" }

// Create is open(2) with O_CREAT and O_TRUNC.
func (f *FS) Create(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open opens a file or directory for reading.
func (f *FS) Open(name string) (afero.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

const writing = os.O_WRONLY | os.O_RDWR

// OpenFile is open(2). Of the flags it knows those of package os.
func (f *FS) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fail := func(err error) (afero.File, error) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	excl := flag&os.O_CREATE != 0 && flag&os.O_EXCL != 0
	at, err := f.live.lookup(name, !excl)
	if err != nil {
		return fail(err)
	}
	n := f.live[at.ino]
	switch {
	case n == nil && flag&os.O_CREATE == 0:
		return fail(syscall.ENOENT)
	case n == nil:
		at.ino = f.create(at, perm&fs.ModePerm, "")
	case excl:
		return fail(syscall.EEXIST)
	case n.mode.IsDir() && flag&writing != 0:
		return fail(syscall.EISDIR)
	case flag&os.O_TRUNC != 0:
		f.do(Op{Kind: Truncate, Ino: at.ino, Name: at.name})
	}
	f.open++
	return &file{fs: f, ino: at.ino, name: name, base: at.name, writable: flag&writing != 0}, nil
}

// Mkdir makes a directory.
func (f *FS) Mkdir(name string, perm fs.FileMode) error {
	return f.entry("mkdir", name, perm&fs.ModePerm|fs.ModeDir, "")
}

// SymlinkIfPossible makes a symbolic link.
func (f *FS) SymlinkIfPossible(to, name string) error {
	return f.entry("symlink", name, fs.ModeSymlink|0o777, to)
}

// Mkfifo makes a named pipe, for tests of what must not be opened.
func (f *FS) Mkfifo(name string) error { return f.entry("mkfifo", name, fs.ModeNamedPipe|0o600, "") }

func (f *FS) entry(op, name string, mode fs.FileMode, link string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.live.lookup(name, false)
	if err == nil && at.ino != 0 {
		err = syscall.EEXIST
	}
	if err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	f.create(at, mode, link)
	return nil
}

// MkdirAll makes a directory and those above it.
func (f *FS) MkdirAll(name string, perm fs.FileMode) error {
	if info, err := f.Stat(name); err == nil {
		if info.IsDir() {
			return nil
		}
		return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.ENOTDIR}
	}
	if parent := filepath.Dir(name); parent != name {
		if err := f.MkdirAll(parent, perm); err != nil {
			return err
		}
	}
	return f.Mkdir(name, perm)
}

// Remove removes a file or an empty directory.
func (f *FS) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.live.lookup(name, false)
	if err == nil {
		if n := f.live[at.ino]; n == nil {
			err = syscall.ENOENT
		} else if len(n.kids) > 0 {
			err = syscall.ENOTEMPTY
		}
	}
	if err != nil {
		return &fs.PathError{Op: "remove", Path: name, Err: err}
	}
	f.do(Op{Kind: Remove, Ino: at.ino, Dir: at.dir, Name: at.name})
	return nil
}

// RemoveAll is not implemented: no program under test should need it.
func (f *FS) RemoveAll(name string) error {
	return &fs.PathError{Op: "removeall", Path: name, Err: syscall.ENOSYS}
}

// Rename renames a file, atomically replacing what is there.
func (f *FS) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	src, err := f.live.lookup(from, false)
	if err == nil && src.ino == 0 {
		err = syscall.ENOENT
	}
	var dst place
	if err == nil {
		dst, err = f.live.lookup(to, false)
	}
	if err == nil && dst.ino != 0 && f.live[dst.ino].mode.IsDir() != f.live[src.ino].mode.IsDir() {
		err = syscall.EEXIST
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	f.do(Op{Kind: Rename, Ino: src.ino, Dir: src.dir, Name: src.name, ToDir: dst.dir, To: dst.name})
	return nil
}

// Stat follows links.
func (f *FS) Stat(name string) (fs.FileInfo, error) { return f.stat("stat", name, true) }

// LstatIfPossible does not follow links.
func (f *FS) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	info, err := f.stat("lstat", name, false)
	return info, true, err
}

func (f *FS) stat(op, name string, follow bool) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.live.lookup(name, follow)
	if err == nil && at.ino == 0 {
		err = syscall.ENOENT
	}
	if err != nil {
		return nil, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return infoOf(at.name, f.live[at.ino]), nil
}

// ReadlinkIfPossible returns where a link points.
func (f *FS) ReadlinkIfPossible(name string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.live.lookup(name, false)
	n := f.live[at.ino]
	if err == nil && n == nil {
		err = syscall.ENOENT
	} else if err == nil && n.mode&fs.ModeSymlink == 0 {
		err = syscall.EINVAL
	}
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return n.link, nil
}

// Chmod sets the permissions of a file.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, err := f.live.lookup(name, true)
	if err == nil && at.ino == 0 {
		err = syscall.ENOENT
	}
	if err != nil {
		return &fs.PathError{Op: "chmod", Path: name, Err: err}
	}
	f.do(Op{Kind: Chmod, Ino: at.ino, Name: at.name, Mode: f.live[at.ino].mode&fs.ModeType | mode&fs.ModePerm})
	return nil
}

// Chown does nothing: there are no owners.
func (f *FS) Chown(name string, _, _ int) error { _, err := f.Stat(name); return err }

// Chtimes does nothing: there are no times.
func (f *FS) Chtimes(name string, _, _ time.Time) error { _, err := f.Stat(name); return err }
