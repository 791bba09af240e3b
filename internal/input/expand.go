package input

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sort"
	"strings"
	"syscall"
)

// Stdin is the path argument that means standard input.
// A file of that name is read as "./-".
const Stdin = "-"

// maxEntries bounds the names of a directory held in memory to be sorted.
const maxEntries = 100_000

// Item is one file to read, or the reason why there is none.
type Item struct {
	Name string // the path argument, or what a directory among them led to

	reader *Reader
	err    error
	dir    *folder // that was listed with the file; nil: the name is looked up
	base   string  // its name there
}

// Load reads the item into buf; what ReadFile says of buf and errors holds.
func (i Item) Load(buf []byte) (Contents, error) {
	switch {
	case i.err != nil:
		return Contents{Bytes: buf[:0]}, i.err
	case i.Name == Stdin:
		return i.reader.readStdin(buf)
	case i.dir != nil:
		if c, ok, err := i.reader.readIn(i.dir, i.base, i.Name, buf); ok {
			return c, err
		}
	}
	return i.reader.ReadFile(i.Name, buf)
}

// Expand gives the files that paths stand for, in the order of paths:
//
//   - "-" is standard input, once;
//   - a directory is those of Reader.Known that are in it, in that order, or,
//     if none is, all its regular files but hidden ones (and links to regular
//     files), sorted by name, without going into subdirectories;
//   - anything else is itself, also if it cannot be read: Load tells.
//
// Files are looked up as the sequence is consumed and opened by Load, so memory
// does not grow with their number. Going through the sequence again looks
// everything up again, but standard input is then at its end.
func (r *Reader) Expand(paths []string) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		stdin := false
		for _, path := range paths {
			var items iter.Seq[Item]
			switch {
			case path != Stdin:
				items = r.expandPath(path)
			case stdin:
				items = one(r.failed(path, &Error{Path: path, Reason: StdinTwice, Message: "is standard input, which is read only once"}))
			default:
				stdin = true
				items = one(Item{Name: path, reader: r})
			}
			for item := range items {
				if !yield(item) {
					return
				}
			}
		}
	}
}

func (r *Reader) expandPath(path string) iter.Seq[Item] {
	p, err := r.find(path)
	if err != nil {
		return one(r.failed(path, err))
	}
	defer p.close()
	if !p.mode().IsDir() {
		return one(Item{Name: path, reader: r})
	}
	known, err := r.known(path)
	if err != nil {
		return one(r.failed(path, err))
	}
	if len(known) > 0 {
		return slices.Values(known)
	}
	f, err := p.open()
	if err != nil {
		return one(r.failed(path, systemError(path, err)))
	}
	entries, err := list(path, f, maxEntries)
	if err != nil {
		f.Close()
		return one(r.failed(path, err))
	}
	return r.regular(path, newFolder(f), r.withoutBackups(entries))
}

// withoutBackups leaves out what is a copy of another file, unless there is
// nothing else.
func (r *Reader) withoutBackups(entries []entry) []entry {
	if r.BackupMark == "" {
		return entries
	}
	backup := func(e entry) bool { return strings.Contains(e.name, r.BackupMark) }
	if !slices.ContainsFunc(entries, func(e entry) bool { return !backup(e) }) {
		return entries
	}
	return slices.DeleteFunc(entries, backup)
}

func (r *Reader) failed(path string, err error) Item { return Item{Name: path, reader: r, err: err} }

// known gives the well-known files that dir has, of whatever type: a pipe in
// the place of cpu_manager_state is news.
func (r *Reader) known(dir string) ([]Item, error) {
	var found []Item
	var denied []error
	for _, name := range r.Known {
		item := Item{Name: join(dir, name), reader: r}
		p, err := r.find(item.Name)
		if err == nil {
			p.close()
		} else if item.err = err; errors.Is(err, fs.ErrPermission) {
			denied = append(denied, err)
		} else if reason := err.(*Error).Reason; reason == Missing || reason == NotDirectory {
			continue
		}
		found = append(found, item)
	}
	if len(denied) > 0 && len(denied) == len(r.Known) {
		// The directory itself may not be searched: that is said once.
		return nil, systemError(dir, errors.Unwrap(denied[0]))
	}
	return found, nil
}

// list reads what is in a directory, sorted by name, without hidden names.
func list(path string, f file, limit int) ([]entry, error) {
	entries, more, err := f.list(limit)
	if err != nil {
		return nil, systemError(path, err)
	}
	if more {
		return nil, &Error{Path: path, Reason: TooManyFiles, Err: syscall.EFBIG,
			Message: fmt.Sprintf("is a directory with more than %d entries", limit)}
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].name < entries[j].name })
	return entries, nil
}

// regular gives those entries of path that are regular files or cannot be looked
// up, and closes dir. A directory that has none is an error: silence would look
// like success.
func (r *Reader) regular(path string, dir *folder, entries []entry) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		defer dir.leave()
		some := false
		for _, e := range entries {
			item := Item{Name: join(path, e.name), reader: r}
			if e.regular {
				item.dir, item.base = dir, e.name
			} else if p, err := r.find(item.Name); err != nil {
				item.err = err
			} else {
				skip := !p.mode().IsRegular()
				p.close()
				if skip {
					continue
				}
			}
			some = true
			if !yield(item) {
				return
			}
		}
		if !some {
			yield(r.failed(path, &Error{Path: path, Reason: NoFiles, Err: fs.ErrNotExist,
				Message: "is a directory without a file to read"}))
		}
	}
}

// join keeps dir as it was given: to clean "link/.." would change its meaning.
func join(dir, name string) string {
	if os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + "/" + name
}

func one(item Item) iter.Seq[Item] {
	return func(yield func(Item) bool) { yield(item) }
}
