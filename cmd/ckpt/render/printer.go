package render

import "io"

// A Printer writes the verdicts of files one after the other, each as soon as
// its format allows. It holds on to the rows of at most lookahead files, so that memory does
// not grow with their number; for Prom, the metrics are held until Close.
type Printer struct{ form form }

// form is a Printer of one format.
type form interface {
	add(f File) error
	end() error
}

// NewPrinter returns a Printer to w.
func NewPrinter(w io.Writer, format Format, o Options) (*Printer, error) {
	switch format {
	case Table:
		return &Printer{&listing{w: w, o: o, columns: &table{}}}, nil
	case Wide:
		return &Printer{&listing{w: w, o: o, columns: &wide{}}}, nil
	case JSON:
		return &Printer{&jsonArray{w: w, o: o}}, nil
	case JSONL:
		return &Printer{newJSONLines(w, o)}, nil
	case NPD:
		return &Printer{&npd{w: w}}, nil
	case Prom:
		return &Printer{newProm(w)}, nil
	}
	_, err := ParseFormat(string(format))
	return nil, err
}

// File writes f, or keeps what is needed of it until it can be written.
func (p *Printer) File(f File) error { return p.form.add(f) }

// Close writes what is left. Without it, the output is not whole.
func (p *Printer) Close() error { return p.form.end() }

// Verify writes the verdicts of files.
func Verify(w io.Writer, format Format, files []File, o Options) error {
	p, err := NewPrinter(w, format, o)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := p.File(f); err != nil {
			return err
		}
	}
	return p.Close()
}
