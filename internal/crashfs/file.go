package crashfs

import (
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"
)

// file is an open file. It stays usable when its name is gone.
type file struct {
	fs       *FS
	ino      int
	name     string // as it was opened
	base     string // as its directory has it
	off      int64
	writable bool
	closed   bool
}

// use takes the lock and returns the node, or why the call cannot be.
func (h *file) use(op string, ok func(*node) error) (*node, error) {
	h.fs.mu.Lock()
	n := h.fs.live[h.ino]
	err := ok(n)
	if h.closed {
		err = fs.ErrClosed
	}
	if err != nil {
		h.fs.mu.Unlock()
		return nil, &fs.PathError{Op: op, Path: h.name, Err: err}
	}
	return n, nil
}

func always(*node) error { return nil }

func isFile(n *node) error {
	if n.mode.IsDir() {
		return syscall.EISDIR
	}
	return nil
}

func (h *file) mayWrite(*node) error {
	if !h.writable {
		return syscall.EBADF
	}
	return nil
}

func (h *file) Name() string { return h.name }

func (h *file) Close() error {
	n, err := h.use("close", always)
	if err != nil {
		return err
	}
	defer h.fs.mu.Unlock()
	h.closed = true
	h.fs.open--
	if h.writable || n.mode.IsDir() {
		h.fs.do(Op{Kind: Close, Ino: h.ino, Name: h.base})
	}
	return nil
}

func (h *file) Read(p []byte) (int, error) {
	n, err := h.ReadAt(p, h.off)
	h.off += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (h *file) ReadAt(p []byte, off int64) (int, error) {
	n, err := h.use("read", isFile)
	if err != nil {
		return 0, err
	}
	defer h.fs.mu.Unlock()
	if off >= int64(len(n.data)) {
		return 0, io.EOF
	}
	c := copy(p, n.data[off:])
	if c < len(p) {
		return c, io.EOF
	}
	return c, nil
}

func (h *file) Write(p []byte) (int, error) {
	n, err := h.WriteAt(p, h.off)
	h.off += int64(n)
	return n, err
}

func (h *file) WriteAt(p []byte, off int64) (int, error) {
	if _, err := h.use("write", h.mayWrite); err != nil {
		return 0, err
	}
	defer h.fs.mu.Unlock()
	if len(p) > 0 {
		h.fs.do(Op{Kind: Write, Ino: h.ino, Name: h.base, Off: off, Data: slices.Clone(p)})
	}
	return len(p), nil
}

func (h *file) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

func (h *file) Truncate(size int64) error {
	if _, err := h.use("truncate", h.mayWrite); err != nil {
		return err
	}
	defer h.fs.mu.Unlock()
	h.fs.do(Op{Kind: Truncate, Ino: h.ino, Name: h.base, Off: size})
	return nil
}

func (h *file) Sync() error {
	n, err := h.use("sync", always)
	if err != nil {
		return err
	}
	defer h.fs.mu.Unlock()
	kind := Sync
	if n.mode.IsDir() {
		kind = SyncDir
	}
	h.fs.do(Op{Kind: kind, Ino: h.ino, Name: h.base})
	return nil
}

func (h *file) Seek(off int64, whence int) (int64, error) {
	n, err := h.use("seek", always)
	if err != nil {
		return 0, err
	}
	defer h.fs.mu.Unlock()
	switch whence {
	case io.SeekCurrent:
		off += h.off
	case io.SeekEnd:
		off += int64(len(n.data))
	}
	if off < 0 {
		return 0, &fs.PathError{Op: "seek", Path: h.name, Err: syscall.EINVAL}
	}
	h.off = off
	return off, nil
}

func (h *file) Stat() (fs.FileInfo, error) {
	n, err := h.use("stat", always)
	if err != nil {
		return nil, err
	}
	defer h.fs.mu.Unlock()
	return infoOf(h.base, n), nil
}

// Readdir returns all entries whatever count is: directories here are small.
func (h *file) Readdir(int) ([]fs.FileInfo, error) {
	n, err := h.use("readdir", func(n *node) error {
		if !n.mode.IsDir() {
			return syscall.ENOTDIR
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer h.fs.mu.Unlock()
	infos := make([]fs.FileInfo, 0, len(n.kids))
	for name, ino := range n.kids {
		infos = append(infos, infoOf(name, h.fs.live[ino]))
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	return infos, nil
}

func (h *file) Readdirnames(count int) ([]string, error) {
	infos, err := h.Readdir(count)
	names := make([]string, 0, len(infos))
	for _, info := range infos {
		names = append(names, info.Name())
	}
	return names, err
}

type info struct {
	name string
	mode fs.FileMode
	size int64
}

func infoOf(name string, n *node) fs.FileInfo { return info{name, n.mode, int64(len(n.data))} }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
