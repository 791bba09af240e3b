package render

import "io"

// lookahead is how many files columns are fitted to. Later files are cut or
// stick out where they do not fit.
const lookahead = 100

// columns are the lines of a listing: fitted to some files, then written with
// a head and a row for each file.
type columns interface {
	// entry is what the row of a file needs; its verdict may be large.
	entry(f File) entry
	fit(entries []entry, o Options)
	head(p *page)
	row(p *page, e entry)
}

// entry is one file of a listing.
type entry struct {
	name  string
	cells []span // one for each column
}

// listing writes one line a file.
type listing struct {
	w       io.Writer
	o       Options
	columns columns
	waiting []entry // to be fitted to
	fitted  bool
}

func (l *listing) add(f File) error {
	e := l.columns.entry(f)
	if l.fitted {
		p := newPage(l.o)
		l.columns.row(p, e)
		return p.writeTo(l.w)
	}
	l.waiting = append(l.waiting, e)
	if len(l.waiting) < lookahead {
		return nil
	}
	return l.start()
}

func (l *listing) end() error {
	if l.fitted || len(l.waiting) == 0 {
		return nil
	}
	return l.start()
}

// start writes the head and the files that waited for it.
func (l *listing) start() error {
	l.fitted = true
	l.columns.fit(l.waiting, l.o)
	p := newPage(l.o)
	l.columns.head(p)
	for _, e := range l.waiting {
		l.columns.row(p, e)
	}
	l.waiting = nil
	return p.writeTo(l.w)
}
