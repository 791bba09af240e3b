package render

import (
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// maxLost bounds the paths named of what a kubelet forgets.
const maxLost = 6

// kubelets lists what each release does with the file.
func (p *page) kubelets(v kubelet.Verdict) {
	if len(v.Kubelets) == 0 {
		return
	}
	p.heading("Kubelets", "")
	answers := slices.Clone(v.Kubelets)
	for i := range answers {
		answers[i].Error = cause(answers[i].Error)
	}
	plain, _ := partition(answers)
	newest := recent(plain)
	var current, older []Range
	for _, r := range Collapse(answers) {
		if slices.ContainsFunc(newest, func(a kubelet.Answer) bool { return a.Release == r.From }) {
			current = append(current, r)
		} else {
			older = append(older, r)
		}
	}
	g := &grid{indent: 2, columns: []column{{}, {}, {}}}
	for _, r := range slices.Concat(current, older) {
		s, words := outcome(r.Answer)
		g.row(say(clean(r.Releases())), sayAs(s, words), say(answerDetail(r.Answer)))
	}
	p.grid(g)
	refuses := func(r Range) bool { return r.Verdict == kubelet.Refused }
	if slices.ContainsFunc(current, refuses) && v.Kind != kubelet.Device {
		p.para(2, faint, "A kubelet that refuses this file does not start.")
	}
}

func outcome(a kubelet.Answer) (style, text) {
	switch {
	case a.Panics:
		return bad, "crashes"
	case a.Verdict == kubelet.Accepted:
		return good, "accepted"
	case a.Verdict == kubelet.Lossy:
		return caution, "accepted"
	case a.Verdict == kubelet.Refused:
		return bad, "refused"
	}
	return plain, clean(string(a.Verdict))
}

// answerDetail is the gates, the error that a kubelet prints, and what it forgets.
func answerDetail(a kubelet.Answer) text {
	var parts []text
	if len(a.Gates) > 0 {
		parts = append(parts, textf("with %s", gateNames(a.Gates)))
	}
	if a.Error != "" {
		parts = append(parts, clean(a.Error))
	}
	if a.Random {
		parts = append(parts, "(or the like of it, by chance)")
	}
	if len(a.Lost) > 0 {
		shown, rest := atMost(a.Lost, maxLost)
		t := "forgets " + join(cleanAll(shown), ", ")
		if rest > 0 {
			t += " and " + number(rest) + " more"
		}
		parts = append(parts, t)
	}
	if !a.Measured {
		parts = append(parts, "(from its source, not measured)")
	}
	return join(parts, "; ")
}

// cause cuts the advice to drain the node off a kubelet's error; the findings
// have better.
func cause(err string) string {
	line, _, _ := strings.Cut(err, "\n")
	for _, advice := range []string{", please drain", ". Please drain", " Please drain"} {
		line, _, _ = strings.Cut(line, advice)
	}
	return line
}
