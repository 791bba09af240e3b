package render

import "io"

// lookahead is how many files columns are fitted to. Later files are cut or
// stick out where they do not fit.
const lookahead = 100

// columns are the lines of a listing: fitted to some files, then written with
// a head and a row for each file.
type columns interface {
	fit(files []File, o Options)
	head(p *page)
	row(p *page, f File)
}

// listing writes one line a file.
type listing struct {
	w       io.Writer
	o       Options
	columns columns
	waiting []File // to be fitted to
	fitted  bool
}

func (l *listing) add(f File) error {
	if l.fitted {
		p := newPage(l.o)
		l.columns.row(p, f)
		return p.writeTo(l.w)
	}
	l.waiting = append(l.waiting, f)
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
	for _, f := range l.waiting {
		l.columns.row(p, f)
	}
	l.waiting = nil
	return p.writeTo(l.w)
}
