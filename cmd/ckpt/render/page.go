package render

import (
	"io"
	"strings"
)

// page collects lines, none wider than width. Only text can be put on it, so
// nothing from a file gets past clean.
type page struct {
	out   strings.Builder
	width int
	color bool

	hidden bool // a secret was left out
}

func newPage(o Options) *page { return &page{width: o.width(), color: o.Color} }

func (p *page) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, p.out.String())
	return err
}

// line puts spans on one line and cuts what is too wide.
func (p *page) line(spans ...span) {
	room := p.width
	var fit []span
	for _, s := range spans {
		if room <= 0 {
			break
		}
		s.text = s.text.cut(room)
		room -= s.text.width()
		fit = append(fit, s)
	}
	for n := len(fit) - 1; n >= 0; n-- {
		fit[n].text = text(strings.TrimRight(string(fit[n].text), " "))
		if fit[n].text != "" {
			break
		}
		fit = fit[:n]
	}
	for _, s := range fit {
		p.span(s.text, s.style)
	}
	p.out.WriteByte('\n')
}

func (p *page) span(t text, s style) {
	if !p.color || sgr[s] == "" || t == "" {
		p.out.WriteString(string(t))
		return
	}
	p.out.WriteString("\x1b[" + sgr[s] + "m" + string(t) + "\x1b[0m")
}

func (p *page) blank() { p.out.WriteByte('\n') }

// heading opens a section; the note follows it on the same line.
func (p *page) heading(title, note text) {
	p.blank()
	if note != "" {
		note = "  " + note
	}
	p.line(sayAs(strong, title), sayAs(faint, note))
}

// para writes running text, indented and wrapped.
func (p *page) para(indent int, s style, t text) { p.hanging(indent, span{}, s, t) }

// hanging writes a label and running text beside it, wrapped with the label's
// width as indent.
func (p *page) hanging(indent int, label span, s style, t text) {
	left := indent + label.text.width()
	for i, line := range t.wrap(p.width - left) {
		if i == 0 {
			p.line(say(spaces(indent)), label, sayAs(s, line))
			continue
		}
		p.line(say(spaces(left)), sayAs(s, line))
	}
}

// more says how many of a list were left out.
func (p *page) more(indent, n int, one, many text) {
	if n > 0 {
		p.line(say(spaces(indent)), sayAs(faint, "… and "+plural(n, "more "+one, "more "+many)+" (use -o json)"))
	}
}
