package render

import (
	"io"
	"math"
)

// writeWide writes one line a file with all that fits on one. It keeps no width:
// whoever asks for it scrolls or greps.
func writeWide(w io.Writer, files []File, o Options) error {
	if len(files) == 0 {
		return nil
	}
	rows := [][]text{{"STATE", "FORMAT", "POLICY", "FINDINGS", "CHECKSUMS", "FILE", "VERDICT"}}
	for _, f := range files {
		rows = append(rows, []text{state(f), formatOf(f), orDash(clean(f.Verdict.Policy)), findingCount(f), sums(f),
			nameIn(f, ""), brief(f)})
	}
	width := make([]int, len(rows[0])-1)
	for _, row := range rows {
		for i := range width {
			width[i] = max(width[i], row[i].width())
		}
	}
	p := page{width: math.MaxInt32, color: o.Color}
	for i, row := range rows {
		var line []span
		for j, t := range row {
			s := plain
			if i == 0 {
				s = strong
			} else if j == 0 {
				s = stateStyle(files[i-1])
			}
			if j < len(width) {
				t = t.pad(width[j] + gap)
			}
			line = append(line, sayAs(s, t))
		}
		p.line(line...)
	}
	return p.writeTo(w)
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
