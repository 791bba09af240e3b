package render

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

// Diff is what two files mean differently.
type Diff struct {
	A, B        string // their names
	Kind        kubelet.Kind
	Differences []kubelet.Change
	// HalvesDiffer: the half for older kubelets contradicts the other half, in
	// one file or in both but otherwise.
	HalvesDiffer bool
}

// WriteDiff writes one difference after the other for people; nothing if there
// is none.
func WriteDiff(w io.Writer, d Diff, o Options) error {
	p := newPage(o)
	p.changes(0, d.Differences, o)
	return p.writeTo(w)
}

// changes writes one change after the other.
func (p *page) changes(indent int, list []kubelet.Change, o Options) {
	for _, c := range list {
		path := say(clean(c.Path) + ": ")
		c.Old, c.New = unlessNull(c.Old), unlessNull(c.New)
		old, now := o.redact(c.Path, c.Old), o.redact(c.Path, c.New)
		switch {
		case c.New == "" && c.Old != "" && !isSet(c.Path):
			p.beside(indent, path, bad, "gone")
			p.para(indent+2, faint, clean(old))
		case c.Old == "" && c.New != "" && !isSet(c.Path):
			p.beside(indent, path, good, "new")
			p.para(indent+2, faint, clean(now))
		default:
			p.beside(indent, path, plain, name(old)+" → "+name(now))
			if words := inWords(c); words != "" {
				p.para(indent+2, faint, words)
			}
		}
	}
}

// beside writes t behind a path or, where that takes up the line, below it.
func (p *page) beside(indent int, path span, s style, t text) {
	const room = 20
	if p.width-indent-path.text.width() >= min(room, t.width()) {
		p.hanging(indent, path, s, t)
		return
	}
	p.para(indent, plain, path.text)
	p.para(indent+2, s, t)
}

// unlessNull is a value, or nothing for one that says nothing.
func unlessNull(value string) string {
	switch value {
	case "null", "{}", "[]":
		return ""
	}
	return value
}

// isSet reports whether an empty value at path says something.
func isSet(path string) bool { return path == "defaultCpuSet" || path == "policyName" }

// inWords says what a change of a CPU set or an amount comes to.
func inWords(c kubelet.Change) text {
	const long = 1 << 12
	if len(c.Old) > long || len(c.New) > long {
		return ""
	}
	a, errA := strconv.ParseUint(c.Old, 10, 64)
	b, errB := strconv.ParseUint(c.New, 10, 64)
	if errA == nil && errB == nil && isAmount(c.Path) {
		if a < b {
			return size(a) + " → " + size(b) + ", " + size(b-a) + " more"
		}
		return size(a) + " → " + size(b) + ", " + size(a-b) + " less"
	}
	if !isCPUs(c.Path) {
		return ""
	}
	x, errX := cpuset.Parse(c.Old)
	y, errY := cpuset.Parse(c.New)
	if errX != nil || errY != nil {
		return ""
	}
	var parts []text
	if more := y.Difference(x); !more.IsEmpty() {
		parts = append(parts, textf("CPUs %s more", more.String()))
	}
	if less := x.Difference(y); !less.IsEmpty() {
		parts = append(parts, textf("CPUs %s less", less.String()))
	}
	return join(parts, ", ")
}

func isAmount(path string) bool {
	for _, field := range []string{".total", ".systemReserved", ".allocatable", ".reserved", ".free", ".size"} {
		if strings.HasSuffix(path, field) {
			return true
		}
	}
	return false
}

func isCPUs(path string) bool {
	for _, field := range []string{"defaultCpuSet", "entries[", "podEntries[", "baselines[", "containers["} {
		if strings.HasPrefix(path, field) {
			return true
		}
	}
	return false
}

// WriteDiffJSON writes the same as one JSON object.
func WriteDiffJSON(w io.Writer, d Diff, o Options) error {
	out := struct {
		SchemaVersion int              `json:"schemaVersion"`
		A             string           `json:"a"`
		B             string           `json:"b"`
		Kind          kubelet.Kind     `json:"kind"`
		Same          bool             `json:"same"`
		Differences   []kubelet.Change `json:"differences"`
		HalvesDiffer  bool             `json:"halvesDiffer,omitempty"`
	}{schemaVersion, d.A, d.B, d.Kind, len(d.Differences) == 0 && !d.HalvesDiffer, make([]kubelet.Change, 0, len(d.Differences)), d.HalvesDiffer}
	for _, c := range d.Differences {
		out.Differences = append(out.Differences, kubelet.Change{Path: c.Path, Old: o.redact(c.Path, c.Old), New: o.redact(c.Path, c.New)})
	}
	enc := json.NewEncoder(termtext.JSONWriter(w))
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
