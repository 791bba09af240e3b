package render

import (
	"strconv"
	"strings"
)

const (
	cpuBlock   = 8  // CPUs between two gaps of a row
	maxMapRows = 64 // rows of a map
	foldRows   = 3  // this many equal rows in a row become one line of words
	mapIndent  = 2
)

// cpuMap draws a grid of CPUs: the code of who holds it, "." for the shared
// pool, "-" for no set, "!" for a clash. Small machines get one row with a number
// above each CPU.
type cpuMap struct {
	holders  []holder
	segments []segment
	cell     int // columns of a code
	stride   int // from one CPU to the next
	label    int // columns of a row's first number; 0: a single row needs none
	perRow   int
}

func newCPUMap(list []holder, segs []segment, width int) cpuMap {
	m := cpuMap{holders: list, segments: segs, cell: 1, stride: 1, perRow: cpuBlock}
	if len(list) > 0 {
		m.cell = list[0].code.width()
	}
	digits := cpuNumber(m.cpus() - 1).width()
	for m.perRow < m.cpus() && m.perRow < 64 {
		m.perRow *= 2
	}
	if m.stride = max(digits, m.cell) + 1; m.cpus() <= m.perRow && m.rowWidth(m.cpus()) <= width {
		return m
	}
	if m.stride = 1; m.cell > 1 {
		m.stride = m.cell + 1 // codes of several letters need a gap
	}
	m.label, m.perRow = max(digits, 3), cpuBlock
	for m.rowWidth(m.perRow*2) <= width && m.perRow < m.cpus() {
		m.perRow *= 2
	}
	return m
}

func (m cpuMap) rowWidth(n int) int {
	w := mapIndent + n*m.stride + (n-1)/cpuBlock
	if m.label > 0 {
		w += m.label + gap
	}
	return w
}

// cpus is how many CPUs there are up to the highest number.
func (m cpuMap) cpus() int {
	if len(m.segments) == 0 {
		return 0
	}
	return m.segments[len(m.segments)-1].to + 1
}

// at returns the segment of cpu.
func (m cpuMap) at(cpu int) int {
	lo, hi := 0, len(m.segments)
	for lo < hi {
		mid := (lo + hi) / 2
		if m.segments[mid].to < cpu {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (p *page) cpuMap(m cpuMap) {
	margin := func(label text) span {
		if m.label == 0 {
			return say(spaces(mapIndent))
		}
		return sayAs(faint, spaces(mapIndent)+label.padLeft(m.label)+spaces(gap))
	}
	p.line(margin(""), sayAs(faint, m.ruler()))
	rows := 0
	for from := 0; from < m.cpus(); rows++ {
		if rows == maxMapRows {
			p.line(margin("…"), sayAs(faint, textf("CPUs %d to %d are not drawn", from, m.cpus()-1)))
			return
		}
		if last := m.uniform(from); last-from+1 >= foldRows*m.perRow {
			p.line(margin(cpuNumber(from)), sayAs(faint, textf("to %d: ", last)+m.words(from)))
			from = last + 1
			continue
		}
		p.line(append([]span{margin(cpuNumber(from))}, m.row(from)...)...)
		from += m.perRow
	}
}

// uniform returns the last CPU of the rows from this one on that are all of one
// segment; from-1 if not even this row is.
func (m cpuMap) uniform(from int) int {
	last := m.segments[m.at(from)].to
	if last == m.cpus()-1 {
		return last
	}
	return from + (last+1-from)/m.perRow*m.perRow - 1
}

func (m cpuMap) words(cpu int) text {
	s := m.segments[m.at(cpu)]
	switch {
	case s.clash:
		return "all held twice"
	case s.holder >= 0:
		return "all " + m.symbol(s)
	case s.shared:
		return "all in the shared pool"
	}
	return "none in any set"
}

// ruler numbers the first CPU of each block within a row, or every CPU of a
// single row.
func (m cpuMap) ruler() (t text) {
	step, n := cpuBlock, m.perRow
	if m.label == 0 {
		step, n = 1, m.cpus()
	}
	for i := 0; i < n; i += step {
		if i > 0 && i%cpuBlock == 0 {
			t += " "
		}
		if m.label == 0 {
			t += cpuNumber(i).padLeft(m.stride)
		} else {
			t += cpuNumber(i).pad(step * m.stride)
		}
	}
	return t
}

func (m cpuMap) row(from int) (spans []span) {
	i := m.at(from)
	for cpu := from; cpu < min(from+m.perRow, m.cpus()); cpu++ {
		for m.segments[i].to < cpu {
			i++
		}
		if cpu > from && cpu%cpuBlock == 0 {
			spans = append(spans, say(" "))
		}
		s := m.segments[i]
		t := m.symbol(s)
		if m.label == 0 {
			t = t.padLeft(m.stride)
		} else {
			t = t.pad(m.stride)
		}
		spans = append(spans, span{t, m.style(s)})
	}
	return merge(spans)
}

func (m cpuMap) symbol(s segment) text {
	repeat := func(r string) text { return text(strings.Repeat(r, m.cell)) }
	switch {
	case s.clash:
		return repeat("!")
	case s.lent:
		return text(strings.ToLower(string(m.holders[s.holder].code)))
	case s.holder >= 0:
		return m.holders[s.holder].code
	case s.shared:
		return repeat(".")
	}
	return repeat("-")
}

func (m cpuMap) style(s segment) style {
	switch {
	case s.clash:
		return bad
	case s.holder >= 0:
		return hue(s.holder)
	}
	return faint
}

// merge joins neighbours of one style.
func merge(spans []span) (merged []span) {
	for _, s := range spans {
		if n := len(merged) - 1; n >= 0 && merged[n].style == s.style {
			merged[n].text += s.text
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

func cpuNumber(n int) text { return text(strconv.Itoa(n)) }
