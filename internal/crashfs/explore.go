package crashfs

import (
	"fmt"
	"slices"
	"strings"
)

// Report says what Explore has seen.
type Report struct {
	Points     int // of the trace, at which it may crash
	Images     int
	Violations int
	First      *Counterexample // nil if there is none
}

// Add adds up two reports and keeps the first counterexample.
func (r *Report) Add(other Report) {
	r.Points += other.Points
	r.Images += other.Images
	r.Violations += other.Violations
	if r.First == nil {
		r.First = other.First
	}
}

// Counterexample is a crash after which something does not hold.
type Counterexample struct {
	Trace []Op
	After int
	Files string
	Err   error
}

// Explore checks an invariant on every image of f's trace.
func Explore(f *FS, m Model, o Outcomes, invariant func(Image) error) Report {
	r := Report{Points: len(f.trace) + 1}
	for img := range f.Images(m, o) {
		r.Images++
		files := ""
		if r.First == nil {
			files = img.FS.String() // before the check changes it
		}
		if err := invariant(img); err != nil {
			r.Violations++
			if r.First == nil {
				r.First = &Counterexample{slices.Clone(f.trace), img.After, files, err}
			}
		}
	}
	return r
}

// String shows the trace with the crash in it, and the files that were left in
// the manner of txtar.
func (c *Counterexample) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n", c.Err)
	for i := range len(c.Trace) + 1 {
		if i == c.After {
			b.WriteString("    ---- crash ----\n")
		}
		if i < len(c.Trace) {
			fmt.Fprintf(&b, "    %v\n", c.Trace[i])
		}
	}
	return b.String() + c.Files
}

// String shows the files in the manner of txtar, other than printable bytes quoted.
func (f *FS) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	f.live.visit(func(name string, _ int, n *node) {
		if n.mode.IsRegular() {
			q := fmt.Sprintf("%q", n.data)
			fmt.Fprintf(&b, "-- %s --\n%s\n", name, q[1:len(q)-1])
		}
	})
	return b.String()
}
