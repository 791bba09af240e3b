package input

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	maxLinks = 40  // as Linux counts
	maxDepth = 255 // directories the walk keeps open; real paths have a dozen
)

// walk is the way from a root down to where the walk stands. Each step was
// looked up by name in the one before it, so ".." is a step back on the way we
// came and never a question to the file system, which somebody could answer
// with a directory outside.
type walk struct {
	way []step // way[0] is the root
}

// findInRoot walks to path as if root were "/".
func findInRoot(root, path string) (*walk, error) {
	top, err := openTop(root)
	if err != nil {
		return nil, &rootError{root, err}
	}
	w := &walk{way: []step{top}}
	if err := w.follow(filepath.ToSlash(path)); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// follow goes along path, replacing each link by its text.
func (w *walk) follow(path string) error {
	if path == "" {
		return syscall.ENOENT
	}
	links := 0
	rest := path
	given := len(rest) // this many bytes at the end of rest are the caller's, what precedes is text of a link
	target := ""       // the link that text belongs to
	for rest != "" {
		ours := len(rest) <= given
		name, after, more := strings.Cut(rest, "/")
		if name == "" || name == "." {
			rest = after
			continue
		}
		if name == ".." {
			w.back()
			rest = after
			continue
		}
		if len(w.way) > maxDepth {
			return syscall.ENAMETOOLONG
		}
		next, err := w.here().child(name)
		if err != nil {
			if !ours && errors.Is(err, fs.ErrNotExist) {
				return &danglingError{target}
			}
			return err
		}
		if next.mode()&fs.ModeSymlink == 0 {
			if more && !next.mode().IsDir() {
				next.close()
				return syscall.ENOTDIR
			}
			w.way = append(w.way, next)
			rest = after
			continue
		}
		text, err := next.target()
		next.close()
		if err != nil {
			return err
		}
		if links++; links > maxLinks {
			return syscall.ELOOP
		}
		if text == "" {
			return syscall.ENOENT // as Linux does; it cannot create such a link
		}
		if ours {
			target, given = text, len(after)
		}
		text = filepath.ToSlash(text[len(filepath.VolumeName(text)):])
		if strings.HasPrefix(text, "/") {
			w.backTo(1)
		}
		rest = text
		if more {
			rest += "/" + after
		}
	}
	return nil
}

func (w *walk) here() step { return w.way[len(w.way)-1] }

// back goes up one directory; above the root there is only the root.
func (w *walk) back() { w.backTo(max(1, len(w.way)-1)) }

func (w *walk) backTo(n int) {
	for _, s := range w.way[n:] {
		s.close()
	}
	w.way = w.way[:n]
}

func (w *walk) mode() fs.FileMode { return w.here().mode() }

func (w *walk) open() (file, error) { return w.here().open() }

func (w *walk) close() { w.backTo(0) }

// rootError says that it is the root that fails, not the path.
type rootError struct {
	root string
	err  error
}

func (e *rootError) Error() string { return e.err.Error() }

func (e *rootError) Unwrap() error { return e.err }
