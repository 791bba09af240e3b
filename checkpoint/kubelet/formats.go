package kubelet

import (
	"fmt"
	"slices"
)

// FormatInfo is one row of the table, as plain data.
type FormatInfo struct {
	ID        string    `json:"id"` // "cpu/v2"
	Kind      Kind      `json:"kind"`
	Title     string    `json:"title"`
	Shape     string    `json:"shape"` // the JSON; capitals stand for values
	Written   []string  `json:"written"`
	Read      []string  `json:"read"`
	Sums      []SumInfo `json:"sums"`
	Prefilled bool      `json:"prefilled"` // a file that sets neither data nor checksum passes as an empty one
	Source    string    `json:"source"`
}

// SumInfo says what one stored checksum covers.
type SumInfo struct {
	Field         string   `json:"field"`
	Algorithm     string   `json:"algorithm"`
	TypeNames     []string `json:"typeNames"`            // printed names that are accepted; the first is written
	ZeroPasses    []string `json:"zeroPasses,omitempty"` // the releases that do not check a 0
	Authoritative bool     `json:"authoritative"`
}

// Formats returns the table: every known on-disk version, oldest first within
// a kind.
func Formats() []FormatInfo {
	var out []FormatInfo
	for _, k := range tables {
		for _, f := range k.inOrder() {
			info := FormatInfo{ID: f.id.String(), Kind: k.kind, Title: f.title, Shape: f.shape, Source: f.source,
				Prefilled: f.prefilled, Written: []string{}, Read: []string{}}
			for _, w := range f.writes {
				info.Written = append(info.Written, w.String())
			}
			info.Read = k.spans(func(a attempt) bool { return a.format == f })
			zero := k.spans(func(a attempt) bool { return a.format == f && a.zeroPasses })
			for i, sm := range f.sums {
				si := SumInfo{Field: sm.field, Algorithm: sm.algorithm, Authoritative: i == 0}
				for _, sp := range sm.spellings {
					si.TypeNames = append(si.TypeNames, sp.typeName)
				}
				if i == 0 && len(zero) > 0 {
					si.ZeroPasses = zero
				}
				info.Sums = append(info.Sums, si)
			}
			out = append(out, info)
		}
	}
	return out
}

// inOrder returns the formats by version.
func (k *kindTable) inOrder() []*format {
	out := append([]*format{}, k.formats...)
	for i := range out { // a handful
		for j := i; j > 0 && out[j].id.Version < out[j-1].id.Version; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func (w writer) String() string {
	if w.gate == "" {
		return w.span.String()
	}
	return w.span.String() + " with " + w.gate
}

// spans words the paths that have such an attempt, adjacent ones as one.
func (k *kindTable) spans(has func(attempt) bool) []string {
	words := []string{}
	var open *Span
	flush := func() {
		if open != nil {
			words = append(words, open.String())
		}
		open = nil
	}
	for i := range k.paths {
		p := &k.paths[i]
		if !slices.ContainsFunc(p.attempts, has) {
			continue
		}
		switch others := k.siblings(p, has); {
		case len(others) > 0:
			flush()
			words = append(words, p.String())
		case open != nil && open.Has(p.span.From) && open.To == p.span.To:
		case open != nil && minor(open.To)+1 == minor(p.span.From):
			open.To = p.span.To
		default:
			flush()
			span := p.span
			open = &span
		}
	}
	flush()
	return words
}

// siblings are the paths of the same releases, under other gates, that have no
// such attempt.
func (k *kindTable) siblings(p *path, has func(attempt) bool) (out []*path) {
	for i := range k.paths {
		if q := &k.paths[i]; q.span == p.span && !slices.ContainsFunc(q.attempts, has) {
			out = append(out, q)
		}
	}
	return out
}

func (p *path) String() string {
	text := p.span.String()
	for gate, on := range p.gates {
		if on {
			text += " with " + gate
		} else {
			text += " without " + gate
		}
	}
	return text
}

// Text is one text that a checksum covers.
type Text struct {
	Format   string `json:"format"`
	Field    string `json:"field"` // JSON name of the stored sum
	TypeName string `json:"typeName"`
	Text     string `json:"text"`
	Sum      uint64 `json:"sum"`
	Stored   uint64 `json:"stored"`
}

// Texts returns what is hashed of a file when it is read as format ("cpu/v2"),
// or, if format is empty, as the format that the file is found to have. The
// first text is the one that decides.
func Texts(blob []byte, format string, o Options) ([]Text, error) {
	s := newSession(blob)
	if d := syntaxDamage(blob); d != nil {
		return nil, fmt.Errorf("not decodable (%s): %s", d.Reason, d.Error)
	}
	f := formatByID(format)
	switch {
	case f != nil:
	case format != "":
		return nil, fmt.Errorf("unknown format %q", format)
	default:
		kind := o.Kind
		if kind == "" {
			kind = kindOfName(o.FileName)
		}
		if kind == "" {
			kind = s.kindOfContent()
		}
		k := tableOf(kind)
		if k == nil {
			return nil, fmt.Errorf("not a kubelet checkpoint file")
		}
		if f = s.identify(k).format; f == nil {
			return nil, fmt.Errorf("no %s format fits the file", kind)
		}
	}
	d := s.decode(f)
	if d.err != nil {
		return nil, fmt.Errorf("does not decode as %s: %s", f.id, words(d.err, f.names))
	}
	var out []Text
	for i := range f.sums {
		sm := &f.sums[i]
		for j := range sm.spellings {
			sp := &sm.spellings[j]
			text, err := sm.text(sp, d.doc)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.id, err)
			}
			n, _ := s.computed(f, sm, sp)
			out = append(out, Text{f.id.String(), sm.field, sp.typeName, text, n, sm.stored(d.doc)})
		}
	}
	return out, nil
}

func formatByID(id string) *format {
	for _, k := range tables {
		for _, f := range k.formats {
			if f.id.String() == id {
				return f
			}
		}
	}
	return nil
}
