package filestore

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// put is the write protocol, and the only place that replaces a file. The order
// of its steps is what the promise rests on; doc.go says what each is for.
func (s *Store) put(t target, data []byte) error {
	dir, err := s.openDir(t.dir)
	if err != nil {
		return err
	}
	defer closeDir(dir)
	tmp, err := s.createTemp(t)
	if err != nil {
		return err
	}
	if err := s.fill(tmp, t, data); err != nil {
		return withCleanup(err, s.fs.Remove(tmp.Name()))
	}
	if err := s.fs.Rename(tmp.Name(), t.path); err != nil {
		return s.renameFailed(tmp.Name(), t, data, err)
	}
	if err := s.syncDir(dir); err != nil {
		return &NotDurableError{Path: t.path, Err: err}
	}
	return nil
}

// fill completes the temporary file. After a failed fsync the file is given up:
// the kernel may have dropped the pages, and a second fsync would say nothing.
func (s *Store) fill(tmp File, t target, data []byte) error {
	err := writeAll(tmp, data)
	if err == nil {
		err = s.keepAttributes(tmp, t)
	}
	if err == nil && s.durability != Volatile {
		err = tmp.Sync()
	}
	// Network file systems report at close what they could not write.
	cerr := tmp.Close()
	if err == nil {
		return cerr
	}
	return withCleanup(err, cerr)
}

// renameFailed finds out what a failed rename has done. It may have happened all
// the same: an NFS server's answer is lost, or a journal fails after the fact.
func (s *Store) renameFailed(tmp string, t target, data []byte, cause error) error {
	_, err := s.fs.lstat(tmp)
	if err == nil && errors.Is(cause, syscall.EBUSY) {
		cause = s.replaceMounted(t, data, cause)
	}
	switch {
	case err == nil && cause == nil:
		// The value is in place; a sweep can take what is left.
		if rerr := s.fs.Remove(tmp); rerr != nil {
			s.log.Warn("temporary file not removed", "file", tmp, "error", rerr)
		}
		return nil
	case err == nil:
		return withCleanup(cause, s.fs.Remove(tmp))
	case !errors.Is(err, fs.ErrNotExist):
		return &UncertainError{Path: t.path, Err: withCleanup(withCleanup(cause, err), s.fs.Remove(tmp))}
	}
	switch same, err := s.holds(t.path, data); {
	case err != nil:
		return &UncertainError{Path: t.path, Err: withCleanup(cause, err)}
	case same:
		return &NotDurableError{Path: t.path, Err: cause}
	}
	return errGone(tmp, cause)
}

// interruptions is how often a call may be interrupted before that is an error.
const interruptions = 100

// writeAll writes data or says why not. A short write is an error whatever the
// file system says about it.
func writeAll(f File, data []byte) error {
	for try := 0; ; try++ {
		n, err := f.Write(data)
		if errors.Is(err, syscall.EINTR) && n >= 0 && n <= len(data) && try < interruptions {
			data = data[n:]
			continue
		}
		if err == nil && n != len(data) {
			err = pathError("write", f.Name(), io.ErrShortWrite)
		}
		return err
	}
}
