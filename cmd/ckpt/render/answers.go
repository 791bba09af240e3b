package render

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Range is a run of consecutive releases which, with the same feature gates,
// answer alike. From and To are the ends.
type Range struct {
	From, To string
	kubelet.Answer
}

// Collapse joins the answers of neighbouring releases that agree in everything a
// user can see. Answers with the fewest gates of their release come first, as
// ranges in order of release; the others follow by their gates, and only where
// the gates change something that fewer gates do not.
func Collapse(answers []kubelet.Answer) []Range {
	plain, gated := partition(answers)
	ranges := runs(plain)
	base := map[string]kubelet.Answer{}
	for _, a := range plain {
		base[a.Release] = a
	}
	byGates := map[string][]kubelet.Answer{}
	for _, a := range gated {
		if !alike(a, base[a.Release]) && !implied(a, gated) {
			key := gateNames(a.Gates)
			byGates[key] = append(byGates[key], a)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byGates)) {
		ranges = append(ranges, runs(byGates[key])...)
	}
	return ranges
}

// partition splits answers into those with the fewest gates of their release
// and the rest, each in order of release.
func partition(answers []kubelet.Answer) (plain, gated []kubelet.Answer) {
	fewest := map[string]int{}
	for _, a := range answers {
		if n, ok := fewest[a.Release]; !ok || len(a.Gates) < n {
			fewest[a.Release] = len(a.Gates)
		}
	}
	taken := map[string]bool{}
	for _, a := range answers {
		if len(a.Gates) == fewest[a.Release] && !taken[a.Release] {
			taken[a.Release] = true
			plain = append(plain, a)
			continue
		}
		gated = append(gated, a)
	}
	older := func(list []kubelet.Answer) {
		sort.SliceStable(list, func(i, j int) bool { return minor(list[i].Release) < minor(list[j].Release) })
	}
	older(plain)
	older(gated)
	return plain, gated
}

// implied reports whether fewer gates, but some, already give the same answer.
func implied(a kubelet.Answer, gated []kubelet.Answer) bool {
	return slices.ContainsFunc(gated, func(b kubelet.Answer) bool {
		if b.Release != a.Release || len(b.Gates) >= len(a.Gates) || !alike(a, b) {
			return false
		}
		for name, on := range b.Gates {
			if set, ok := a.Gates[name]; !ok || set != on {
				return false
			}
		}
		return true
	})
}

func runs(answers []kubelet.Answer) (ranges []Range) {
	for _, a := range answers {
		if n := len(ranges) - 1; n >= 0 && minor(ranges[n].To)+1 == minor(a.Release) &&
			alike(ranges[n].Answer, a) && maps.Equal(ranges[n].Gates, a.Gates) {
			ranges[n].To = a.Release
			ranges[n].Measured = ranges[n].Measured && a.Measured
			continue
		}
		ranges = append(ranges, Range{a.Release, a.Release, a})
	}
	return ranges
}

// alike reports whether two answers read the same, gates and release aside.
func alike(a, b kubelet.Answer) bool {
	return a.Verdict == b.Verdict && a.Error == b.Error && a.Panics == b.Panics &&
		a.Random == b.Random && slices.Equal(a.Lost, b.Lost)
}

// Releases returns "1.29–1.37", or "1.37" for a range of one.
func (r Range) Releases() string {
	if r.From == r.To {
		return r.From
	}
	return r.From + "–" + r.To
}

// gateNames returns the gates as users say them, in order: "A" for one that is
// on, "A off" for one that is not.
func gateNames(gates map[string]bool) string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		if !gates[name] {
			name += " off"
		}
		names = append(names, name)
	}
	return strings.Join(names, " and ")
}

// minor returns the 37 of "1.37", or a number that is next to no other.
func minor(release string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(release, "1."))
	if err != nil {
		return -2
	}
	return n
}
