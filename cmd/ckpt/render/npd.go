package render

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// npdBytes is what node-problem-detector keeps of a plugin's output unless
// configured otherwise (max_output_length).
const npdBytes = 80

// writeNPD writes one line of ASCII for all files: the worst one, and how many
// more are as bad.
func writeNPD(w io.Writer, files []File) error {
	sorted := slices.Clone(files)
	slices.SortStableFunc(sorted, func(a, b File) int { return cmp.Compare(urgency(a), urgency(b)) })
	line := "no kubelet checkpoint file was given"
	if len(sorted) > 0 {
		line = npdLine(sorted)
	}
	_, err := io.WriteString(w, strings.TrimSpace(line)+"\n")
	return err
}

func npdLine(sorted []File) string {
	worst := sorted[0]
	if urgency(worst) == calm {
		return fit(plural(len(sorted), "kubelet checkpoint file is good", "kubelet checkpoint files are good"), "")
	}
	others := 0
	for _, f := range sorted[1:] {
		if urgency(f) < calm {
			others++
		}
	}
	more := text("")
	if others > 0 {
		more = " (+" + number(others) + " more)"
	}
	return fit(worst.title()+" "+state(worst)+": "+brief(worst), more)
}

// calm is the urgency of a file that needs nobody.
const calm = 4

// urgency ranks files: first what stops or misleads a kubelet, then what could
// not be checked, then what may be fine.
func urgency(f File) int {
	switch {
	case f.Verdict.State == kubelet.StateDamaged || f.Verdict.State == kubelet.StateCorrupt:
		return 0
	case f.bad():
		return 1
	case f.Verdict.State == kubelet.StateUnreadable:
		return 2
	case f.Verdict.State == kubelet.StateOther:
		return 3
	}
	return calm
}

// fit makes ASCII of t and tail in at most npdBytes, cutting t alone.
func fit(t, tail text) string {
	a, b := ascii(t), ascii(tail)
	if room := npdBytes - len(b); len(a) > room {
		a = a[:room-3] + "..."
	}
	return a + b
}

// ascii spells out the few other characters that this package writes.
func ascii(t text) string {
	s := strings.NewReplacer("–", "-", "…", "...").Replace(string(t))
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}
