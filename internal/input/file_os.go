package input

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// osFile is a file as package os has it.
type osFile struct {
	*os.File
	src io.Reader // of its bytes
}

// newOSFile takes what an open returned.
func newOSFile(f *os.File, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	src, err := newImpatient(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return osFile{f, src}, nil
}

func (f osFile) Read(p []byte) (int, error) { return f.src.Read(p) }

func (f osFile) stat() (fs.FileMode, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	return info.Mode().Type(), info.Size(), nil
}

func (f osFile) list(limit int) (entries []entry, more bool, err error) {
	// Only names: their types would be looked up by path, past the root.
	names, err := f.Readdirnames(limit + 1)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	for _, name := range names {
		if !hidden(name) {
			entries = append(entries, entry{name: name})
		}
	}
	return entries, len(names) > limit, nil
}

func (osFile) child(string) (file, error) { return nil, errors.ErrUnsupported }
