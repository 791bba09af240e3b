package style

import (
	"slices"
	"testing"
)

const (
	maxLines    = 450
	maxMedian   = 150 // of the files that are no tests
	maxMainFile = 20
)

func TestFileLength(t *testing.T) {
	var lengths []int
	for _, f := range sources(t) {
		if f.lines > maxLines {
			t.Errorf("%s has %d lines, at most %d are readable", f.path, f.lines, maxLines)
		}
		if f.path == "cmd/ckpt/main.go" && f.lines > maxMainFile {
			t.Errorf("%s has %d lines, at most %d: commands are a library", f.path, f.lines, maxMainFile)
		}
		if !f.test {
			lengths = append(lengths, f.lines)
		}
	}
	slices.Sort(lengths)
	if median := lengths[len(lengths)/2]; median >= maxMedian {
		t.Errorf("half of the files have %d lines or more, want less than %d", median, maxMedian)
	}
}
