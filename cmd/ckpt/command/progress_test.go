package command

import (
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := &progress{w: &out, now: func() time.Time { return now }, start: now}
	for range 300 {
		now = now.Add(10 * time.Millisecond)
		if p.done == 150 {
			p.total.Store(1000)
		}
		p.step()
	}
	p.clear()
	lines := strings.Split(strings.ReplaceAll(out.String(), "\x1b[K", ""), "\r")
	if len(lines) != 13 || lines[1] != "100 files, 100/s" || lines[11] != "300 of 1000 files, 100/s, 7s left" {
		t.Errorf("%q", lines)
	}
	var none *progress
	none.step()
	none.clear()
	if newProgress(&out, func(string) string { return "" }, nil) != nil {
		t.Error("progress on what is no terminal")
	}
}
