package crashfs

import (
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Model says which states of a disk a crash may leave.
type Model int

const (
	// AnySubset keeps any part of what is not durable. It contains the next two.
	AnySubset Model = iota
	// Prefix keeps what happened before some moment.
	Prefix
	// Synced keeps only what is durable.
	Synced
	// SplitRename is AnySubset on a file system whose rename is not atomic.
	SplitRename
)

// Image is a file system after a crash.
type Image struct {
	After int // how many operations of the trace had happened
	FS    *FS // everything on it durable
	Acked []any
}

// Images lists the file systems that may be found after a crash at each point of
// the trace; those of one point are distinct.
func (f *FS) Images(m Model, o Outcomes) iter.Seq[Image] {
	return func(yield func(Image) bool) {
		d := newDisk(f.base)
		var acked []any
		for i := 0; ; i++ {
			seen := map[string]bool{}
			for t := range d.states(m, o) {
				key := t.key()
				if seen[key] {
					continue
				}
				seen[key] = true
				if !yield(Image{i, at(t, f.next), slices.Clip(acked)}) {
					return
				}
			}
			if i == len(f.trace) {
				return
			}
			op := f.trace[i]
			d.do(op, m == SplitRename)
			if op.Kind == Mark {
				acked = append(acked, op.Mark)
			}
		}
	}
}

// states lists what the disk may hold now, with repetitions.
func (d *disk) states(m Model, o Outcomes) iter.Seq[tree] {
	switch m {
	case Synced:
		return func(yield func(tree) bool) { yield(maps.Clone(d.durable)) }
	case Prefix:
		return d.prefixes
	}
	return func(yield func(tree) bool) {
		inos := d.dirty()
		for keep := range 1 << len(d.entries) {
			t := maps.Clone(d.durable)
			for i, c := range d.entries {
				if keep>>i&1 != 0 {
					c.apply(t)
				}
			}
			here := inos
			if len(inos) > 0 {
				reach := t.reachable()
				here = slices.DeleteFunc(slices.Clone(inos), func(ino int) bool { return !reach[ino] })
			}
			if !d.mix(t, here, o, yield) {
				return
			}
		}
	}
}

// mix goes through all combinations of contents of the files that are dirty.
func (d *disk) mix(t tree, inos []int, o Outcomes, yield func(tree) bool) bool {
	if len(inos) == 0 {
		return yield(maps.Clone(t))
	}
	ino := inos[0]
	for _, c := range o.contents(d.durable[ino], d.files[ino]) {
		n := t.edit(ino)
		n.data, n.mode = c.data, c.mode
		if !d.mix(t, inos[1:], o, yield) {
			return false
		}
	}
	return true
}

// prefixes keeps everything up to some step, and what is durable anyway.
func (d *disk) prefixes(yield func(tree) bool) {
	for step := range d.step + 1 {
		t := maps.Clone(d.durable)
		for _, c := range d.entries {
			if c.step <= step {
				c.apply(t)
			}
		}
		for ino, p := range d.files {
			for i, s := range p.steps {
				if s <= step {
					n := t.edit(ino)
					n.data, n.mode = p.versions[i], p.modes[i]
				}
			}
		}
		if !yield(t) {
			return
		}
	}
}

func (d *disk) dirty() []int {
	inos := make([]int, 0, len(d.files))
	for ino := range d.files {
		inos = append(inos, ino)
	}
	slices.Sort(inos)
	return inos
}

func (t tree) reachable() map[int]bool {
	reach := map[int]bool{}
	t.visit(func(_ string, ino int, _ *node) { reach[ino] = true })
	return reach
}

// visit goes through the tree in order of names.
func (t tree) visit(f func(name string, ino int, n *node)) { t.visitDir("", rootIno, f) }

func (t tree) visitDir(name string, ino int, f func(string, int, *node)) {
	n := t[ino]
	if n == nil {
		return
	}
	f("/"+strings.TrimPrefix(name, "/"), ino, n)
	names := make([]string, 0, len(n.kids))
	for kid := range n.kids {
		names = append(names, kid)
	}
	sort.Strings(names)
	for _, kid := range names {
		t.visitDir(name+"/"+kid, n.kids[kid], f)
	}
}

// key is the same for trees that no program can tell apart.
func (t tree) key() string {
	var b []byte
	t.visit(func(name string, _ int, n *node) {
		b = append(b, name...)
		b = append(b, 0)
		b = strconv.AppendUint(b, uint64(n.mode&(fs.ModeType|fs.ModePerm)), 8)
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(len(n.data)), 10)
		b = append(b, ':')
		b = append(b, n.data...)
		b = append(b, n.link...)
		b = append(b, 0)
	})
	return string(b)
}
