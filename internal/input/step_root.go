package input

import (
	"io/fs"
	"os"
	"path"
)

// rootStep walks by os.Root, which every system has. It holds no descriptor of
// its own: each question goes down again from the root, and os.Root answers
// none that leads outside.
type rootStep struct {
	root *os.Root
	name string // from the root, free of links when it was looked up
	kind fs.FileMode
}

func openRootStep(dir string) (step, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &rootStep{root, ".", fs.ModeDir}, nil
}

func (s *rootStep) mode() fs.FileMode { return s.kind }

func (s *rootStep) child(name string) (step, error) {
	full := path.Join(s.name, name)
	info, err := s.root.Lstat(full)
	if err != nil {
		return nil, err
	}
	return &rootStep{s.root, full, info.Mode().Type()}, nil
}

func (s *rootStep) target() (string, error) { return s.root.Readlink(s.name) }

func (s *rootStep) open() (file, error) {
	return newOSFile(s.root.OpenFile(s.name, os.O_RDONLY|openFlags, 0))
}

func (s *rootStep) close() {
	if s.name == "." {
		s.root.Close()
	}
}
