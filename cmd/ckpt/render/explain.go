package render

import (
	"io"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Explain writes the full page on one file: the verdict in words, who wrote it
// and who reads it, its checksums, what it says, and what to do.
func Explain(w io.Writer, f File, o Options) error {
	p := newPage(o)
	p.headline(headline(f))
	p.explanations(f, o)
	p.facts(f)
	if !f.undecided() {
		p.kubelets(f.Verdict)
		p.content(f.Verdict, o)
	}
	p.findings(f.Verdict.Findings)
	return p.writeTo(w)
}

// headline writes a sentence with its main clause in colour.
func (p *page) headline(s style, lead, rest text) {
	for i, line := range (lead + rest).wrap(p.width) {
		switch tail, ok := strings.CutPrefix(string(line), string(lead)); {
		case i > 0:
			p.line(say(line))
		case ok:
			p.line(sayAs(s, lead), say(text(tail)))
		default:
			p.line(sayAs(s, line))
		}
	}
}

// facts are the lines of "name: value" at the top.
func (p *page) facts(f File) {
	v := f.Verdict
	g := &grid{indent: 2, columns: make([]column, 2)}
	fact := func(name, value text) {
		if value != "" {
			g.row(sayAs(faint, name), say(value))
		}
	}
	if f.Name != "-" && base(f.Name) != f.Name {
		fact("file", clean(f.Name))
	}
	if v.Format != "" {
		fact("format", clean(v.Format)+and(", ", writers(v)))
	} else if v.Kind != "" && v.Kind != kubelet.Unknown {
		fact("kind", clean(string(v.Kind)))
	}
	if v.Policy != "" {
		fact("policy", clean(v.Policy))
	}
	for _, c := range v.Checksums {
		s, words := checksum(c, len(v.Checksums) > 1)
		g.row(sayAs(faint, clean(c.Field)), sayAs(s, words))
	}
	if len(g.rows) > 0 {
		p.blank()
		p.grid(g)
	}
}

// checksum words one sum; several says that there are others to tell it from.
func checksum(c kubelet.Checksum, several bool) (s style, t text) {
	switch {
	case c.OK:
		s, t = good, textf("%d, matches the content", c.Stored)
	case c.Stored == 0:
		s, t = caution, textf("none is stored; that of the content is %d", c.Computed)
	default:
		s, t = bad, textf("%d is stored, but that of the content is %d", c.Stored, c.Computed)
	}
	if several && c.Authoritative {
		t += " (the one that decides)"
	} else if several {
		t += " (for older kubelets)"
	}
	return s, t
}

// and puts t after a separator, if there is a t.
func and(separator, t text) text {
	if t == "" {
		return ""
	}
	return separator + t
}
