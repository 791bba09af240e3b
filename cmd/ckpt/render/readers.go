package render

import (
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// readers is who reads a file, in releases rather than answers: the base of
// every sentence about it.
type readers struct {
	accept, refuse []text // ranges of releases
	lose           []loss
	gates          []gated
}

// gated is what some releases do with gates set, where it is another verdict.
type gated struct {
	who  text // "1.36 with G"
	what kubelet.Outcome
	deed text // "refuses it"
}

// loss is what some releases forget of a file that they read.
type loss struct{ releases, fields []text }

// recent returns the newest unbroken run of answers, given in order. That an
// older release, such as 1.13 beside 1.29 to 1.37, refuses today's files is no
// news: older ones count only if nobody else reads the file.
func recent(answers []kubelet.Answer) []kubelet.Answer {
	first := len(answers)
	for first > 0 && (first == len(answers) || minor(answers[first-1].Release)+1 == minor(answers[first].Release)) {
		first--
	}
	reads := func(a kubelet.Answer) bool { return a.Verdict != kubelet.Refused }
	if slices.ContainsFunc(answers[:first], reads) && !slices.ContainsFunc(answers[first:], reads) {
		return answers
	}
	return answers[first:]
}

func readersOf(answers []kubelet.Answer) readers {
	plain, _ := partition(answers)
	plain = recent(plain)
	r := readers{accept: releasesWith(plain, kubelet.Accepted), refuse: releasesWith(plain, kubelet.Refused)}
	var losing []kubelet.Answer
	for _, a := range plain {
		if a.Verdict == kubelet.Lossy {
			a.Lost = lostNames(a.Lost)
			a.Error = ""
			losing = append(losing, a)
		}
	}
	for _, run := range runs(losing) {
		r.lose = append(r.lose, loss{[]text{clean(run.Releases())}, cleanAll(run.Lost)})
	}
	for _, run := range Collapse(answers) {
		i := slices.IndexFunc(plain, func(a kubelet.Answer) bool { return a.Release == run.From })
		if i >= 0 && plain[i].Verdict != run.Verdict {
			who := textf("%s with %s", run.Releases(), gateNames(run.Gates))
			r.gates = append(r.gates, gated{who, run.Verdict, deed(run)})
		}
	}
	return r
}

func deed(r Range) text {
	many := r.From != r.To
	switch r.Verdict {
	case kubelet.Accepted:
		return inNumber(many, "reads all of it", "read all of it")
	case kubelet.Refused:
		return inNumber(many, "refuses it", "refuse it")
	}
	return inNumber(many, "forgets ", "forget ") + enumerate(cleanAll(lostNames(r.Lost)))
}

func inNumber(many bool, singular, plural text) text {
	if many {
		return plural
	}
	return singular
}

func (r readers) readAny() bool { return len(r.accept)+len(r.lose) > 0 }

// all returns every release that reads the file, whole or not.
func (r readers) all() []text {
	all := slices.Clone(r.accept)
	for _, l := range r.lose {
		all = append(all, l.releases...)
	}
	return all
}

func releasesWith(answers []kubelet.Answer, o kubelet.Outcome) []text {
	var kept []kubelet.Answer
	for _, a := range answers {
		if a.Verdict == o {
			kept = append(kept, a)
		}
	}
	return releaseRanges(kept)
}

func releaseRanges(answers []kubelet.Answer) (ranges []text) {
	var names []string
	for _, a := range answers {
		names = append(names, a.Release)
	}
	return releaseNames(names)
}

// releaseNames collapses releases in ascending order: "1.13", "1.29–1.37".
func releaseNames(names []string) (ranges []text) {
	for i := 0; i < len(names); i++ {
		from := i
		for i+1 < len(names) && minor(names[i])+1 == minor(names[i+1]) {
			i++
		}
		r := Range{From: names[from], To: names[i]}
		ranges = append(ranges, clean(r.Releases()))
	}
	return ranges
}

// lostNames names what is lost by the field that newer formats added.
func lostNames(paths []string) (names []string) {
	for _, path := range paths {
		name := lostName(path)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func lostName(path string) string {
	fields := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })
	for _, field := range fields {
		switch field {
		case "podEntries", "baselines", "ShareID", "skipNodeOperations", "PodLevelResources", "EmptyDirVolumeLimits":
			return field
		}
	}
	switch path {
	case "entries", "allocationEntries":
		return "all entries"
	}
	return "part of it"
}
