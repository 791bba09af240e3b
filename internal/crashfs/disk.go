package crashfs

import (
	"io/fs"
	"maps"
)

// disk follows a trace and separates what is durable from what is pending.
type disk struct {
	durable tree
	live    tree
	entries []change
	files   map[int]*pending
	step    int
}

// change is a pending operation on entries, persisted as a whole or not.
type change struct {
	step int
	sets []set
}

// set says that an entry leads to an inode, or to none.
type set struct {
	dir  int
	name string
	ino  int
}

// pending is what a file went through since its last sync.
type pending struct {
	steps    []int
	versions [][]byte
	modes    []fs.FileMode
}

func newDisk(base tree) *disk {
	return &disk{durable: maps.Clone(base), live: maps.Clone(base), files: map[int]*pending{}}
}

// do follows one operation. split tears a rename into its parts.
func (d *disk) do(op Op, split bool) {
	d.step++
	switch op.Kind {
	case Create:
		// The inode itself is nothing without an entry.
		n := &node{mode: op.Mode, link: op.Link}
		if op.Mode.IsDir() {
			n.kids = map[string]int{}
		}
		d.durable[op.Ino] = n
		d.entry(set{op.Dir, op.Name, op.Ino})
	case Remove:
		d.entry(set{op.Dir, op.Name, 0})
	case Rename:
		d.rename(op, split)
	case SyncDir:
		d.syncDir(op.Ino)
	case Sync:
		n := d.durable.edit(op.Ino)
		n.data, n.mode = d.live[op.Ino].data, d.live[op.Ino].mode
		delete(d.files, op.Ino)
	}
	op.apply(d.live)
	switch op.Kind {
	case Write, Truncate, Chmod:
		p := d.files[op.Ino]
		if p == nil {
			p = &pending{}
			d.files[op.Ino] = p
		}
		p.steps = append(p.steps, d.step)
		p.versions = append(p.versions, d.live[op.Ino].data)
		p.modes = append(p.modes, d.live[op.Ino].mode)
	}
}

func (d *disk) entry(sets ...set) {
	d.entries = append(d.entries, change{d.step, sets})
}

func (d *disk) rename(op Op, split bool) {
	from, to := set{op.Dir, op.Name, 0}, set{op.ToDir, op.To, op.Ino}
	switch {
	case split:
		d.entry(set{op.ToDir, op.To, 0})
		d.entry(from)
		d.entry(to)
	case op.Dir != op.ToDir:
		d.entry(to)
		d.entry(from)
	default:
		d.entry(from, to)
	}
}

func (d *disk) syncDir(ino int) {
	rest := d.entries[:0:0]
	for _, c := range d.entries {
		if c.sets[0].dir == ino {
			c.apply(d.durable)
		} else {
			rest = append(rest, c)
		}
	}
	d.entries = rest
}

func (c change) apply(t tree) {
	for _, s := range c.sets {
		if s.ino == 0 {
			delete(t.edit(s.dir).kids, s.name)
		} else {
			t.edit(s.dir).kids[s.name] = s.ino
		}
	}
}
