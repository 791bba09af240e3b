package render

import (
	"io"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// npdBytes is what node-problem-detector keeps of a plugin's output unless
// configured otherwise (max_output_length).
const npdBytes = 80

// npd writes one line of ASCII for all files: the worst one, and how many more
// are bad.
type npd struct {
	w     io.Writer
	worst File
	files int
	bad   int // that are not calm
}

func (n *npd) add(f File) error {
	if n.files == 0 || urgency(f) < urgency(n.worst) {
		n.worst = f
	}
	n.files++
	if urgency(f) < calm {
		n.bad++
	}
	return nil
}

func (n *npd) end() error {
	_, err := io.WriteString(n.w, strings.TrimSpace(n.line())+"\n")
	return err
}

func (n *npd) line() string {
	switch {
	case n.files == 0:
		return "no kubelet checkpoint file was given"
	case n.bad == 0:
		return fit(plural(n.files, "kubelet checkpoint file is good", "kubelet checkpoint files are good"), "")
	}
	more := text("")
	if n.bad > 1 {
		more = " (+" + number(n.bad-1) + " more)"
	}
	return fit(n.worst.title()+" "+state(n.worst)+": "+brief(n.worst), more)
}

// calm is the urgency of a file that needs nobody.
const calm = 5

// urgency ranks files: first what stops or misleads a kubelet, then what could
// not be checked, then what may be fine.
func urgency(f File) int {
	switch {
	case f.Verdict.State == kubelet.StateDamaged || f.Verdict.State == kubelet.StateCorrupt:
		return 0
	case f.bad():
		return 1
	case f.undecided():
		return 2
	case f.Verdict.State == kubelet.StateOther:
		return 3
	case f.Verdict.State == kubelet.StateUnsigned:
		return 4
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
