package input

import (
	"io/fs"
	"os"
)

// place is one spot a path leads to: a file, a directory, or a link itself.
// It need not be open in the usual sense, and finding it has no side effects.
type place interface {
	mode() fs.FileMode // type bits only
	open() (file, error)
	close()
}

// step is a place inside a root, from which a walk can go on.
// Neither child nor open ever follows a symbolic link out of the root.
type step interface {
	place
	child(name string) (step, error) // name is one component, never "." or ".."
	target() (string, error)         // of a symbolic link
}

// plain is a place outside of any root, where links mean what the system says.
type plain struct {
	path string
	info fs.FileInfo
}

func findPlain(path string) (place, error) {
	info, err := os.Stat(path)
	if err != nil {
		if target, lerr := os.Readlink(path); lerr == nil && os.IsNotExist(err) {
			err = &danglingError{target}
		}
		return nil, err
	}
	return plain{path, info}, nil
}

func (p plain) mode() fs.FileMode { return p.info.Mode().Type() }

func (p plain) open() (file, error) { return openFile(p.path) }

func (p plain) close() {}
