package input

import (
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"time"
)

// file is an open file or directory. Reading it never waits for data.
type file interface {
	io.ReadCloser
	stat() (mode fs.FileMode, size int64, err error) // type bits only
	// list returns what is in a directory, without hidden names, unless it has
	// more than limit entries. What is surely no file may be left out.
	list(limit int) (entries []entry, more bool, err error)
	// child opens the regular file of that name in a directory.
	child(name string) (file, error)
}

// entry is one name in a directory.
type entry struct {
	name    string
	regular bool // surely a regular file; otherwise it must be looked up
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// trusted is how long after a directory was listed it is believed that a regular
// file in it still is one, and opened without another look.
const trusted = 3 * time.Second

// folder is a directory that is kept open for the files in it. Who uses it does
// so between enter and leave; it is closed when all have left.
type folder struct {
	file
	listed time.Time
	users  atomic.Int32
}

func newFolder(f file) *folder {
	d := &folder{file: f, listed: time.Now()}
	d.users.Store(1)
	return d
}

// enter reports false if the folder is closed, or was listed too long ago.
func (d *folder) enter() bool {
	if time.Since(d.listed) > trusted {
		return false
	}
	for {
		n := d.users.Load()
		if n == 0 {
			return false
		}
		if d.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (d *folder) leave() {
	if d.users.Add(-1) == 0 {
		d.Close()
	}
}
