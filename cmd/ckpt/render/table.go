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
	title := text("FILE")
	if dir != "" {
		title = "FILE in " + clean(dir)
	}
	rows := [][]span{{say("STATE"), say("FORMAT"), say(title), say("VERDICT")}}
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
	room := p.width - width[0] - width[1] - 3*gap
	width[2] = max(min(width[2], room-longest), min(width[2], room*2/5))
	for i, row := range rows {
		s := row[2].text.cutLeft(width[2])
		if i == 0 {
			s = row[2].text.cut(width[2])
			for j := range row {
				row[j].style = strong
			}
		}
		p.line(sayAs(row[0].style, row[0].text.pad(width[0]+gap)), sayAs(row[1].style, row[1].text.pad(width[1]+gap)),
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
		if f.Failure != nil {
			return clean(f.Failure.Message)
		}
		return ""
	case kubelet.StateDamaged:
		return damage(v.Damage)
	case kubelet.StateCorrupt:
		if len(v.Checksums) > 0 && v.Checksums[0].Stored == 0 {
			return "no checksum; " + who
		}
		return "checksum does not match; " + who
	case kubelet.StateOther:
		return text(strings.TrimPrefix(string(otherness(v, readersOf(v.Kubelets))), " is "))
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
	if !r.readAny() && len(r.brief) == 0 {
		if len(r.refuse) == 0 {
			return ""
		}
		return "refused by " + enumerate(r.refuse)
	}
	var parts []text
	if len(r.accept) > 0 {
		parts = append(parts, "by "+enumerate(r.accept))
	}
	for _, l := range r.lose {
		parts = append(parts, "in part by "+enumerate(l.releases))
	}
	if len(r.refuse) > 0 {
		parts = append(parts, "not by "+enumerate(r.refuse))
	}
	return "read " + join(append(parts, r.brief...), ", ")
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
