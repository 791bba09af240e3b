package render

// grid is a small table. Its columns are as wide as they need to be; where that
// is too wide for the page, the columns marked shrink give way, then the others,
// and the last column wraps.
type grid struct {
	indent  int
	columns []column
	rows    [][]span
}

type column struct {
	right  bool // align right
	shrink bool // may be cut down to minShrunk columns
}

const (
	gap       = 2  // between columns
	minShrunk = 12 // a shrunk column keeps this
	minLast   = 16 // what the other columns leave to the last one if they can
)

func (g *grid) row(cells ...span) { g.rows = append(g.rows, cells) }

// widths returns the width of each column; the last takes the rest of the page.
func (g *grid) widths(page int) []int {
	w := make([]int, len(g.columns))
	for _, row := range g.rows {
		for i, cell := range row {
			w[i] = max(w[i], cell.text.width())
		}
	}
	last := len(w) - 1
	over := g.indent + min(w[last], minLast) - page
	for _, n := range w[:last] {
		over += n + gap
	}
	for _, willing := range []bool{true, false} {
		for i := last - 1; i >= 0 && over > 0; i-- {
			if room := w[i] - minShrunk; g.columns[i].shrink == willing && room > 0 {
				w[i] -= min(room, over)
				over -= min(room, over)
			}
		}
	}
	rest := page - g.indent
	for _, n := range w[:last] {
		rest -= n + gap
	}
	w[last] = max(min(w[last], rest), 1)
	return w
}

func (p *page) grid(g *grid) { p.groups(g, nil) }

// groups writes a grid with a line of its own, such as a pod's UID, above the
// rows whose index is in titles.
func (p *page) groups(g *grid, titles map[int]text) {
	if len(g.rows) == 0 {
		return
	}
	w := g.widths(p.width)
	last := len(w) - 1
	for i, row := range g.rows {
		if title, ok := titles[i]; ok {
			p.line(say(spaces(g.indent-2)), sayAs(strong, title))
		}
		line := []span{say(spaces(g.indent))}
		left := g.indent
		for i, cell := range row[:min(len(row), last)] {
			t := cell.text.cut(w[i])
			if g.columns[i].right {
				t = t.padLeft(w[i])
			} else {
				t = t.pad(w[i])
			}
			line = append(line, sayAs(cell.style, t), say(spaces(gap)))
			left += w[i] + gap
		}
		if len(row) <= last {
			p.line(line...)
			continue
		}
		tail := row[last]
		if g.columns[last].right {
			p.line(append(line, sayAs(tail.style, tail.text.padLeft(w[last])))...)
			continue
		}
		for i, t := range tail.text.wrap(w[last]) {
			if i > 0 {
				line = []span{say(spaces(left))}
			}
			p.line(append(line, sayAs(tail.style, t))...)
		}
	}
}
