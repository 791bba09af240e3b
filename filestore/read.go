package filestore

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Read returns the value of key, or ErrKeyNotFound. It takes no lock: a reader
// sees the old value or the new one, whole.
func (s *Store) Read(key string) ([]byte, error) {
	if err := ValidateKey(key); err != nil {
		return nil, err
	}
	data, err := s.current(key)
	if err == nil || err == ErrKeyNotFound {
		return data, err
	}
	return nil, opError("read", key, err)
}

func (s *Store) current(key string) ([]byte, error) {
	t, err := s.resolve(key, true)
	if err != nil {
		return nil, err
	}
	if t.info == nil {
		return nil, ErrKeyNotFound
	}
	data, err := s.readFile(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrKeyNotFound
	}
	return data, err
}

// readFile reads a regular file that resolve has seen. By now something else may
// be there, so a link is not followed, a pipe does not block, and the mode is
// looked at again.
func (s *Store) readFile(path string) ([]byte, error) {
	f, err := s.fs.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &NotRegularError{Path: path, Mode: info.Mode()}
	}
	if info.Size() > s.maxSize {
		return nil, &TooLargeError{Size: info.Size(), Limit: s.maxSize}
	}
	data, err := s.readAll(f, info.Size())
	if err == nil && int64(len(data)) < info.Size() {
		err = pathError("read", path, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// readAll reads to the end of f, expected to be size bytes away.
func (s *Store) readAll(f File, size int64) ([]byte, error) {
	data := make([]byte, 0, size+bytes.MinRead)
	idle := 0
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if idle++; n > 0 {
			idle = 0
		}
		switch {
		case err == io.EOF:
			return data, nil
		case int64(len(data)) > s.maxSize:
			return nil, &TooLargeError{Size: int64(len(data)), Limit: s.maxSize}
		case err != nil && (idle > interruptions || !errors.Is(err, syscall.EINTR)):
			return nil, err
		case idle > interruptions:
			return nil, pathError("read", f.Name(), io.ErrNoProgress)
		}
	}
}

// holds reports whether the file at path is there and has exactly this content.
func (s *Store) holds(path string, data []byte) (bool, error) {
	got, err := s.readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && bytes.Equal(got, data), err
}
