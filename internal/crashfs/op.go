package crashfs

import (
	"fmt"
	"io/fs"
)

// Kind is what an operation does.
type Kind string

// The operations that change something, or after which a crash is of interest.
const (
	Create   Kind = "create" // a file, directory or link, at Dir/Name
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Chmod    Kind = "chmod"
	Rename   Kind = "rename" // Dir/Name to ToDir/To
	Remove   Kind = "remove"
	Sync     Kind = "sync"    // a file
	SyncDir  Kind = "syncdir" // a directory
	Close    Kind = "close"   // a file that was open for writing, or a directory
	Mark     Kind = "mark"    // what the caller has been told
)

// Op is one operation of a trace. Inodes, not paths, are its subjects, so that
// traces can be interleaved.
type Op struct {
	Kind  Kind
	Ino   int
	Dir   int
	Name  string
	ToDir int
	To    string
	Off   int64 // of a write; the size of a truncation
	Data  []byte
	Mode  fs.FileMode
	Link  string
	Mark  any
}

// String gives the operation with the names that it had.
func (o Op) String() string {
	switch o.Kind {
	case Rename:
		return fmt.Sprintf("rename %s %s", o.Name, o.To)
	case Write:
		return fmt.Sprintf("write %s %d bytes at %d", o.Name, len(o.Data), o.Off)
	case Mark:
		return fmt.Sprintf("mark %v", o.Mark)
	}
	return fmt.Sprintf("%s %s", o.Kind, o.Name)
}

// apply does the operation to a tree at once, as a running system shows it.
func (o Op) apply(t tree) {
	switch o.Kind {
	case Create:
		n := &node{mode: o.Mode, link: o.Link}
		if o.Mode.IsDir() {
			n.kids = map[string]int{}
		}
		t[o.Ino] = n
		t.edit(o.Dir).kids[o.Name] = o.Ino
	case Write:
		n := t.edit(o.Ino)
		n.data = written(n.data, o.Off, o.Data)
	case Truncate:
		n := t.edit(o.Ino)
		n.data = resized(n.data, o.Off)
	case Chmod:
		t.edit(o.Ino).mode = o.Mode
	case Rename:
		delete(t.edit(o.Dir).kids, o.Name)
		t.edit(o.ToDir).kids[o.To] = o.Ino
	case Remove:
		delete(t.edit(o.Dir).kids, o.Name)
	}
}

func written(old []byte, off int64, data []byte) []byte {
	size := max(int64(len(old)), off+int64(len(data)))
	b := make([]byte, size)
	copy(b, old)
	copy(b[off:], data)
	return b
}

func resized(old []byte, size int64) []byte {
	b := make([]byte, size)
	copy(b, old)
	return b
}
