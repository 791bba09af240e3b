package render

import (
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// table writes how a file is, what it is, its name, and in words what is wrong
// or who reads it. Names give way to words, from the left.
type table struct {
	dir   string // that all files are below
	width [3]int
	whole bool // names are not cut
}

// leastVerdict is the room of the last column behind the longest of whole names.
const leastVerdict = 24

func (t *table) entry(f File) entry {
	return entry{f.Name, []span{sayAs(stateStyle(f), state(f)), say(formatOf(f)), {}, say(brief(f))}}
}

// cells are those of e with its name.
func (t *table) cells(e entry) []span {
	cells := slices.Clone(e.cells)
	cells[2] = say(nameIn(e.name, t.dir))
	return cells
}

func (t *table) fit(entries []entry, o Options) {
	if t.whole = o.WholeNames; !t.whole {
		t.dir = commonDir(entries)
	}
	t.width = [3]int{len("STATE"), len("FORMAT"), len("FILE")}
	longest := len("VERDICT")
	for _, e := range entries {
		cells := t.cells(e)
		for i := range t.width {
			t.width[i] = max(t.width[i], cells[i].text.width())
		}
		longest = max(longest, cells[3].text.width())
	}
	t.width[0], t.width[1] = min(t.width[0], 10), min(t.width[1], 14)
	if t.dir != "" {
		t.width[2] = max(t.width[2], len("FILE in ")+clean(t.dir).width())
	}
	if t.whole {
		return
	}
	room := o.width() - t.width[0] - t.width[1] - 3*gap
	t.width[2] = max(min(t.width[2], room-longest), min(t.width[2], room*2/5))
}

func (t *table) head(p *page) {
	file := text("FILE")
	if t.dir != "" {
		file = "FILE in " + clean(t.dir).cutLeft(t.width[2]-len("FILE in "))
	}
	t.write(p, []span{sayAs(strong, "STATE"), sayAs(strong, "FORMAT"), sayAs(strong, file), sayAs(strong, "VERDICT")})
}

func (t *table) row(p *page, e entry) {
	cells := t.cells(e)
	if t.whole {
		t.width[2] = max(t.width[2], cells[2].text.width())
	}
	cells[2].text = cells[2].text.cutLeft(t.width[2])
	t.write(p, cells)
}

func (t *table) write(p *page, cells []span) {
	used := 0
	for i, w := range t.width {
		if i > 0 { // the state is what people search for, and is short
			cells[i].text = cells[i].text.cut(w)
		}
		cells[i].text = cells[i].text.pad(w + gap)
		used += w + gap
	}
	if t.whole {
		p.width = max(p.width, used+leastVerdict)
	}
	p.line(cells...)
}

// state is the word of the first column. A file that matches its checksum but is
// wrong in itself must not be called ok at a glance.
func state(f File) text {
	if f.Verdict.State == kubelet.StateOK && f.bad() {
		return "error"
	}
	return clean(string(f.Verdict.State))
}

func stateStyle(f File) style {
	switch f.Verdict.State {
	case kubelet.StateOK:
		if f.bad() {
			return bad
		}
		return good
	case kubelet.StateCorrupt, kubelet.StateDamaged, kubelet.StateUnreadable:
		return bad
	}
	return caution
}

func formatOf(f File) text {
	if f.Verdict.Format != "" {
		return clean(f.Verdict.Format)
	}
	if f.Verdict.Kind != "" && f.Verdict.Kind != kubelet.Unknown {
		return clean(string(f.Verdict.Kind))
	}
	return "-"
}

// brief is the last column: the worst finding of a file that is wrong in itself,
// else who reads it.
func brief(f File) text {
	v := f.Verdict
	who := readBy(readersOf(v.Kubelets))
	switch v.State {
	case kubelet.StateMissing, kubelet.StateUnreadable:
		return reason(f)
	case kubelet.StateDamaged:
		return damage(v.Damage)
	case kubelet.StateCorrupt:
		if len(v.Checksums) > 0 && v.Checksums[0].Stored == 0 {
			return "no checksum; " + who
		}
		return "checksum does not match; " + who
	case kubelet.StateOther:
		lead, rest := otherness(f, readersOf(v.Kubelets))
		return text(strings.TrimPrefix(string(lead+rest), " is "))
	case kubelet.StateUnsigned:
		return "no checksum; " + who
	}
	if !f.bad() {
		if len(v.Kubelets) == 0 {
			return "checksum matches"
		}
		if slices.ContainsFunc(v.Findings, func(x kubelet.Finding) bool {
			return x.Code == "cpu-in-no-set" && x.Severity == kubelet.SeverityWarning
		}) { // what is left of a file may look so: good at a glance is too good
			who += "; has CPUs in no set"
		}
		return who
	}
	t := clean(bySeverity(v.Findings)[0].Message)
	if n := f.count(kubelet.SeverityError); n > 1 {
		return number(n) + " errors: " + t
	}
	return t
}

// readBy says in few words who reads a file, and who does not.
func readBy(r readers) text {
	var yes, no []text
	if len(r.accept) > 0 {
		yes = append(yes, "by "+enumerate(r.accept))
	}
	for _, l := range r.lose {
		yes = append(yes, "partly by "+enumerate(l.releases))
	}
	if len(r.refuse) > 0 {
		no = append(no, "not by "+enumerate(r.refuse))
	}
	for _, g := range r.gates {
		switch g.what {
		case kubelet.Refused:
			no = append(no, "not by "+g.who)
		case kubelet.Lossy:
			yes = append(yes, "partly by "+g.who)
		default:
			yes = append(yes, "by "+g.who)
		}
	}
	if len(yes) == 0 {
		return and("refused by ", enumerate(r.refuse))
	}
	return "read " + join(append(yes, no...), ", ")
}

// commonDir returns the directory that all files are below, "" if it does not
// shorten anything.
func commonDir(entries []entry) string {
	if len(entries) < 2 {
		return ""
	}
	dir := entries[0].name
	for _, e := range entries {
		for !strings.HasPrefix(e.name, dir+"/") {
			i := strings.LastIndexByte(dir, '/')
			if i <= 0 {
				return ""
			}
			dir = dir[:i]
		}
	}
	return dir
}

func nameIn(name, dir string) text {
	if name == "-" {
		return "(standard input)"
	}
	if dir != "" {
		return clean(strings.TrimPrefix(name, dir+"/"))
	}
	return clean(name)
}
