package render

import (
	"math"
	"slices"
)

// wide writes one line a file with all that fits on one. It keeps no width:
// whoever asks for it scrolls or greps.
type wide struct {
	width [6]int // of all columns but the last
}

var wideHead = [...]text{"STATE", "FORMAT", "POLICY", "FINDINGS", "CHECKSUMS", "FILE", "VERDICT"}

func (t *wide) entry(f File) entry {
	return entry{cells: []span{sayAs(stateStyle(f), state(f)), say(formatOf(f)), say(orDash(clean(f.Verdict.Policy))),
		say(findingCount(f)), say(sums(f)), say(nameIn(f.Name, "")), say(brief(f))}}
}

func (t *wide) fit(entries []entry, _ Options) {
	for i := range t.width {
		t.width[i] = wideHead[i].width()
	}
	for _, e := range entries {
		for i := range t.width {
			t.width[i] = max(t.width[i], e.cells[i].text.width())
		}
	}
}

func (t *wide) head(p *page) {
	var line []span
	for _, name := range wideHead {
		line = append(line, sayAs(strong, name))
	}
	t.write(p, line)
}

func (t *wide) row(p *page, e entry) { t.write(p, slices.Clone(e.cells)) }

func (t *wide) write(p *page, line []span) {
	p.width = math.MaxInt32
	for i, w := range t.width {
		line[i].text = line[i].text.pad(w + gap)
	}
	p.line(line...)
}

func orDash(t text) text {
	if t == "" {
		return "-"
	}
	return t
}

// findingCount is "2E 1W 0I", short enough for a column.
func findingCount(f File) text {
	var parts []text
	for i, s := range severities {
		if n := f.count(s); n > 0 {
			parts = append(parts, textf("%d%s", n, text("EWI"[i:i+1])))
		}
	}
	return orDash(join(parts, " "))
}

// sums writes each checksum as stored, and what it should be if it differs.
func sums(f File) text {
	var parts []text
	for _, c := range f.Verdict.Checksums {
		t := textf("%s=%d", c.Field, c.Stored)
		if c.Stored != c.Computed {
			t += textf("!=%d", c.Computed)
		}
		parts = append(parts, t)
	}
	return orDash(join(parts, " "))
}
