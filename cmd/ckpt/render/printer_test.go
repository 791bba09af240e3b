package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// However many files there are, none is printed twice, left out, or kept.
func TestPrinterOfManyFiles(t *testing.T) {
	const n = 3*lookahead + 1
	for _, format := range []Format{Table, Wide, JSONL} {
		var b strings.Builder
		p, err := NewPrinter(&b, format, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			f := File{Name: fmt.Sprintf("dir/file-%04d", i), Verdict: kubelet.Verdict{State: kubelet.StateOK, Format: "cpu/v2"}}
			if err := p.File(f); err != nil {
				t.Fatal(err)
			}
			if lines := strings.Count(b.String(), "\n"); i >= lookahead && lines < i {
				t.Fatalf("%s: only %d lines after %d files", format, lines, i+1)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if got := strings.Count(b.String(), fmt.Sprintf("file-%04d", i)); got != 1 {
				t.Errorf("%s: file %d is there %d times", format, i, got)
			}
		}
		if format != JSONL {
			if got := strings.Count(b.String(), "\n"); got != n+1 {
				t.Errorf("%s: %d lines for %d files", format, got, n)
			}
		}
	}
}

// A file that comes after the columns were fitted, and is in another directory
// or wider, still has its line.
func TestTableFitsLaterFiles(t *testing.T) {
	var b strings.Builder
	p, err := NewPrinter(&b, Table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range lookahead + 1 {
		f := File{Name: fmt.Sprintf("dir/%d", i), Verdict: kubelet.Verdict{State: kubelet.StateOK}}
		if i == lookahead {
			f = File{Name: "/elsewhere/with/a/very/long/way/to/it/" + strings.Repeat("x", 100), Verdict: kubelet.Verdict{State: kubelet.StateUnreadable, Format: "allocated/v3"}}
		}
		if err := p.File(f); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	last := lines[len(lines)-1]
	if !strings.HasPrefix(last, "un") || !strings.Contains(last, "xx") || len([]rune(last)) > 80 {
		t.Errorf("the last line is %q", last)
	}
}
