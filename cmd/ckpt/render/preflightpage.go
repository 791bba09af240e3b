package render

import (
	"io"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

const (
	maxSteps   = 3  // steps of one stage that a page shows
	maxHolders = 20 // pods that a page lists for a file
)

// stageTitles say in words what a stage is.
var stageTitles = map[string]text{
	preflight.StageConfig:          "reads its configuration",
	preflight.StageValidation:      "validates it",
	preflight.StageReservation:     "reserves resources",
	preflight.StageTopology:        "makes the topology manager",
	preflight.StageDRA:             "reads dra_manager_state",
	preflight.StageCPUNew:          "makes the CPU manager",
	preflight.StageMemoryNew:       "makes the memory manager",
	preflight.StageAllocated:       "reads the allocated pods",
	preflight.StageCPUStart:        "checks cpu_manager_state",
	preflight.StageMemoryStart:     "checks memory_manager_state",
	preflight.StageNodeAllocatable: "compares with the capacity",
	preflight.StageDevices:         "reads the device checkpoint",
}

// logged is how the error of a stage begins in the kubelet's log.
var logged = map[string]text{
	preflight.StageCPUStart:    "start cpu manager error: ",
	preflight.StageMemoryStart: "start memory manager error: ",
}

func preflightPage(w io.Writer, pf Preflight, o Options) error {
	p := newPage(o)
	all := endings(pf.Answers)
	p.preflightHeadline(pf, all)
	if pf.Plan != nil {
		p.plan(pf)
	}
	if pf.Files != nil || len(pf.Answers) > 0 {
		p.para(0, faint, "State files that were found: "+join(cleanAll(orNone(pf.Files)), ", ")+".")
	}
	for _, e := range all {
		p.ending(e, pf.Only)
	}
	p.advice(pf.Report, pf.Answers)
	return p.writeTo(w)
}

func orNone(names []string) []string {
	if len(names) == 0 {
		return []string{"none"}
	}
	return names
}

// preflightHeadline is the answer in one sentence. Releases of which there is the
// same to say are named together, though they may differ further down.
func (p *page) preflightHeadline(pf Preflight, all []*ending) {
	s := good
	var parts []text
	var joint []*ending
	words := func(e *ending) text {
		if !e.answer.Starts {
			t := and(": ", clean(e.answer.Error+e.answer.Undecided))
			if e.answer.Stage == preflight.StageMemoryStart { // whose text names no figures
				t += and(": ", clean(e.answer.Cause()))
			}
			return t
		}
		return and(", but ", remarksOf(e.answer))
	}
	for _, e := range all {
		like := func(other *ending) bool { return other.manner() == e.manner() && words(other) == words(e) }
		if i := slices.IndexFunc(joint, like); i >= 0 {
			joint[i] = joint[i].with(e)
		} else {
			joint = append(joint, e)
		}
	}
	for _, e := range joint {
		t := words(e)
		switch {
		case !e.answer.Starts:
			s = bad
		case t != "" && s == good:
			s = caution
		}
		parts = append(parts, e.who()+" "+e.deed()+t)
	}
	if len(parts) == 0 {
		parts = []text{"no kubelet was asked for"}
	}
	if pf.Plan != nil {
		parts[0] = "with the change, " + parts[0]
	}
	p.para(0, s, join(parts, "; ")+".")
}

// remarksOf says what is lost although the kubelet starts.
func remarksOf(a preflight.Answer) text {
	var parts []text
	for _, st := range a.Steps {
		if st.OK && st.Warning != "" {
			words := clean(st.Warning)
			if rest, ok := strings.CutPrefix(string(words), "the kubelet "); ok {
				words = "it " + text(rest)
			}
			parts = append(parts, words)
		}
	}
	return join(parts, "; ")
}

func (p *page) plan(pf Preflight) {
	p.heading("Change that is not made", "")
	for _, s := range pf.Plan {
		p.para(2, plain, clean(s))
	}
	var now []text
	for _, e := range endings(pf.Now) {
		now = append(now, e.who()+" "+e.deed()+and(": ", clean(e.answer.Error)))
	}
	p.para(2, faint, "now: "+join(now, "; "))
}

// ending lists the steps of a start.
func (p *page) ending(e *ending, only kubelet.Kind) {
	title := e.who()
	p.heading(text(strings.ToUpper(string(title[:1])))+title[1:], reservedNote(e.answer))
	g := &grid{indent: 2, columns: []column{{}, {}, {}}}
	told := false // what the log shows
	count := map[string]int{}
	flush := func(stage string) {
		if n := count[stage] - maxSteps; n > 0 {
			g.row(say(""), say(""), sayAs(faint, "… and "+number(n)+" more (use -o json)"))
		}
	}
	last := ""
	for _, st := range e.answer.Steps {
		if st.Stage != last {
			flush(last)
		}
		last = st.Stage
		if count[st.Stage]++; count[st.Stage] > maxSteps {
			continue
		}
		name := say(clean(st.Stage))
		if count[st.Stage] > 1 {
			name = say("")
		}
		switch {
		case st.OK && st.Warning == "":
			g.row(name, sayAs(good, "ok"), sayAs(faint, stageTitles[st.Stage]))
		case st.OK:
			g.row(name, sayAs(caution, "but"), say(clean(st.Warning)))
		case !st.Reached && count[st.Stage] > 1:
			g.row(name, sayAs(faint, "-"), sayAs(faint, "the rest of it is not reached"))
		case !st.Reached:
			g.row(name, sayAs(faint, "-"), sayAs(faint, "not reached: what it needs failed before"))
		case st.Error == "":
			g.row(name, sayAs(caution, "?"), say(clean(st.Warning)))
		default:
			words := logged[st.Stage] + clean(st.Error)
			g.row(name, sayAs(bad, "FAILS"), say(words))
			if because := st.Because(); because != "" {
				g.row(say(""), say(""), say("because "+clean(because)))
			}
			if !told {
				told = true
				note := text("this is what its log shows")
				switch {
				case only != "" && st.Stage == preflight.StageConfig:
					note = "--only ends here; a kubelet may log it and go on"
				case st.Own:
					note = "this is what its log says, in words of its own"
				case e.answer.Random:
					note = "this, or another, is what its log shows"
				}
				g.row(say(""), say(""), sayAs(strong, note))
			}
		}
	}
	flush(last)
	p.grid(g)
	if e.answer.Random {
		p.para(2, caution, "By chance, the same start ends in one of these ways:")
		for _, t := range e.answer.Possible {
			words := clean(t)
			if t == "" {
				words = "it succeeds"
			}
			p.hanging(4, say("- "), plain, words)
		}
	}
}

func reservedNote(a preflight.Answer) text {
	if a.ReservedCPUs == "" {
		return ""
	}
	return textf("reserves CPUs %s", a.ReservedCPUs)
}

// advice says what to do, and what it costs. Findings without advice are told
// as they are.
func (p *page) advice(r preflight.Report, answers []preflight.Answer) {
	if len(r.Findings) == 0 {
		return
	}
	p.heading("What to do", "")
	listed := map[string]bool{} // files whose pods are listed
	for i, f := range bySeverity(r.Findings) {
		if i > 0 {
			p.blank()
		}
		label := clean(string(f.Severity)).pad(7)
		at := slices.IndexFunc(r.Advice, func(a preflight.Advice) bool { return a.Code == f.Code && (a.Path == "" || a.Path == f.Path) })
		if at < 0 {
			p.hanging(2, sayAs(severityStyle[f.Severity], label+"  "), plain, clean(f.Message)+textf(" [%s]", f.Code))
			if f.Hint != "" {
				p.hanging(11, sayAs(faint, "to do: "), plain, clean(f.Hint))
			}
			continue
		}
		a := r.Advice[at]
		p.hanging(2, sayAs(severityStyle[f.Severity], label+"  "), plain, textf("[%s] ", f.Code)+whose(a, answers)+clean(a.Do))
		for _, other := range a.Instead {
			p.hanging(11, sayAs(faint, "or: "), plain, clean(other))
		}
		if a.Deleting != "" {
			p.hanging(11, sayAs(faint, "price of deleting: "), plain, clean(a.Deleting))
		}
		if !listed[a.File] {
			listed[a.File] = true
			p.holders(a)
		}
	}
}

// whose says for which kubelets advice is, if not for all that were asked about.
func whose(a preflight.Advice, answers []preflight.Answer) text {
	if len(a.Releases) == len(answers) {
		return ""
	}
	return (&ending{releases: a.Releases}).who() + ": "
}

func (p *page) holders(a preflight.Advice) {
	if len(a.Lost) == 0 {
		return
	}
	g := &grid{indent: 11, columns: []column{{shrink: true}, {}}}
	for _, h := range a.Lost[:min(len(a.Lost), maxHolders)] {
		g.row(say(clean(h.Pod)), say(holds(h)))
	}
	p.grid(g)
	p.more(11, len(a.Lost)-maxHolders, "pod", "pods")
}

func holds(h preflight.Holder) text {
	var parts []text
	if h.CPUs != "" {
		parts = append(parts, textf("CPUs %s", h.CPUs))
	}
	for _, name := range sortedKeys(h.Memory) {
		parts = append(parts, size(h.Memory[name])+" of "+clean(name))
	}
	for _, name := range sortedKeys(h.Devices) {
		parts = append(parts, number(h.Devices[name])+" of "+clean(name))
	}
	for _, name := range sortedKeys(h.Allocated) {
		parts = append(parts, clean(name)+" "+clean(h.Allocated[name]))
	}
	switch {
	case h.Allocated != nil && len(parts) == 0:
		return "nothing"
	case len(parts) == 0:
		return "claims"
	}
	return join(parts, ", ")
}
