package crashfs

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// rootIno is the inode of "/".
const rootIno = 1

// node is an inode. It is never changed in place, so that trees share it: edit
// puts a copy in its place.
type node struct {
	mode fs.FileMode
	data []byte
	link string
	kids map[string]int
}

// tree is a file system at rest. Nodes that no entry leads to are not part of it.
type tree map[int]*node

func newTree() tree {
	return tree{rootIno: {mode: fs.ModeDir | 0o755, kids: map[string]int{}}}
}

func (t tree) edit(ino int) *node {
	c := *t[ino]
	c.kids = maps.Clone(c.kids)
	t[ino] = &c
	return &c
}

// place is where a path leads: an entry of a directory, and the inode there, or 0.
type place struct {
	dir  int
	name string
	ino  int
}

const maxLinks = 40

// lookup walks to name. The last component may be missing; if follow is set, it
// is not a link.
func (t tree) lookup(name string, follow bool) (place, error) {
	name = path.Clean("/" + filepath.ToSlash(name))
	for range maxLinks {
		at, rest, err := t.walk(name)
		if err != nil {
			return place{}, err
		}
		n := t[at.ino]
		if n == nil || n.mode&fs.ModeSymlink == 0 || rest == "" && !follow {
			if rest != "" {
				return place{}, syscall.ENOENT
			}
			return at, nil
		}
		to := n.link
		if !path.IsAbs(to) {
			to = path.Join(t.pathOf(at.dir), to)
		}
		name = path.Join(to, rest)
	}
	return place{}, syscall.ELOOP
}

// walk goes down until the end of name, a link, or a missing entry.
func (t tree) walk(name string) (at place, rest string, err error) {
	at = place{dir: rootIno, name: "/", ino: rootIno}
	rest = strings.TrimPrefix(name, "/")
	for rest != "" {
		n := t[at.ino]
		switch {
		case n == nil || n.mode&fs.ModeSymlink != 0:
			return at, rest, nil
		case !n.mode.IsDir():
			return at, rest, syscall.ENOTDIR
		}
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		at = place{dir: at.ino, name: part, ino: n.kids[part]}
	}
	return at, "", nil
}

// pathOf finds the path of a directory; trees are small.
func (t tree) pathOf(ino int) string {
	found := "/"
	t.visit(func(name string, at int, _ *node) {
		if at == ino {
			found = name
		}
	})
	return found
}
