package render

import (
	"io"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// writeTable writes one line a file: how it is, what it is, its name, and in
// words what is wrong or who reads it. Names give way to words, from the left.
func writeTable(w io.Writer, files []File, o Options) error {
	if len(files) == 0 {
		return nil
	}
	p := newPage(o)
	dir := commonDir(files)
	rows := [][]span{{say("STATE"), say("FORMAT"), say("FILE"), say("VERDICT")}}
	for _, f := range files {
		rows = append(rows, []span{sayAs(stateStyle(f), state(f)), say(formatOf(f)), say(nameIn(f, dir)), say(brief(f))})
	}
	var width [3]int
	longest := 0
	for _, row := range rows {
		for i := range width {
			width[i] = max(width[i], row[i].text.width())
		}
		longest = max(longest, row[3].text.width())
	}
	width[0], width[1] = min(width[0], 10), min(width[1], 14)
	if dir != "" {
		width[2] = max(width[2], len("FILE in ")+clean(dir).width())
	}
	room := p.width - width[0] - width[1] - 3*gap
	width[2] = max(min(width[2], room-longest), min(width[2], room*2/5))
	for i, row := range rows {
		s := row[2].text.cutLeft(width[2])
		if i == 0 {
			if dir != "" {
				s = "FILE in " + clean(dir).cutLeft(width[2]-len("FILE in "))
			}
			for j := range row {
				row[j].style = strong
			}
		}
		p.line(sayAs(row[0].style, row[0].text.cut(width[0]).pad(width[0]+gap)), sayAs(row[1].style, row[1].text.cut(width[1]).pad(width[1]+gap)),
			sayAs(row[2].style, s.pad(width[2]+gap)), row[3])
	}
	return p.writeTo(w)
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
		lead, rest := otherness(v, readersOf(v.Kubelets))
		return text(strings.TrimPrefix(string(lead+rest), " is "))
	case kubelet.StateUnsigned:
		return "no checksum; " + who
	}
	if !f.bad() {
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
func commonDir(files []File) string {
	if len(files) < 2 {
		return ""
	}
	dir := files[0].Name
	for _, f := range files {
		for !strings.HasPrefix(f.Name, dir+"/") {
			i := strings.LastIndexByte(dir, '/')
			if i <= 0 {
				return ""
			}
			dir = dir[:i]
		}
	}
	return dir
}

func nameIn(f File, dir string) text {
	if f.Name == "-" {
		return "(standard input)"
	}
	if dir != "" {
		return clean(strings.TrimPrefix(f.Name, dir+"/"))
	}
	return clean(f.Name)
}
