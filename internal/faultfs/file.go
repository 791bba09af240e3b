package faultfs

import (
	"io/fs"

	"github.com/spf13/afero"
)

// file is an open file of an FS.
type file struct {
	afero.File
	fs  *FS
	dir bool
}

// either picks the name of a call on this file.
func (h *file) either(file, dir Call) Call {
	if h.dir {
		return dir
	}
	return file
}

func (h *file) do(call Call, do func() error) error {
	return h.fs.around(call, h.Name(), pathError(string(call), h.Name()), do)
}

func (h *file) Sync() error { return h.do(h.either(Sync, SyncDir), h.File.Sync) }

// Close closes the file even if it reports a failure, as close(2) does.
func (h *file) Close() error {
	call := h.either(Close, CloseDir)
	r := h.fs.meet(call, h.Name())
	if r != nil && r.Do != nil && !r.After {
		r.Do()
	}
	err := h.File.Close()
	if r != nil && r.Do != nil && r.After {
		r.Do()
	}
	if r != nil && r.Err != nil {
		return pathError("close", h.Name())(r.Err)
	}
	return err
}

func (h *file) Truncate(size int64) error {
	return h.do(Truncate, func() error { return h.File.Truncate(size) })
}

func (h *file) Stat() (info fs.FileInfo, err error) {
	err = h.do(Stat, func() error {
		info, err = h.File.Stat()
		return err
	})
	return info, err
}

func (h *file) Readdir(count int) (infos []fs.FileInfo, err error) {
	err = h.do(ReadDir, func() error {
		infos, err = h.File.Readdir(count)
		return err
	})
	return infos, err
}

// Read may fail, or with Short read half of what was asked for, or with Short
// and an error both.
func (h *file) Read(p []byte) (int, error) { return h.move(Read, p, h.File.Read) }

// Write may do the same.
func (h *file) Write(p []byte) (int, error) { return h.move(Write, p, h.File.Write) }

func (h *file) move(call Call, p []byte, do func([]byte) (int, error)) (int, error) {
	r := h.fs.meet(call, h.Name())
	if r == nil {
		return do(p)
	}
	if r.Do != nil && !r.After {
		r.Do()
	}
	n, err := 0, error(nil)
	switch {
	case r.Short:
		n, err = do(p[:len(p)/2])
	case r.After || r.Err == nil:
		n, err = do(p)
	}
	if r.Do != nil && r.After {
		r.Do()
	}
	if r.Err != nil {
		err = pathError(string(call), h.Name())(r.Err)
	}
	return n, err
}
