package render

import (
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// maxExplanations that a page shows, and entries that one of them lists.
const (
	maxExplanations = 3
	maxWhole        = 12
)

// explanations says what happened to the file, right after the headline.
func (p *page) explanations(f File, o Options) {
	list := shown(f.Explanations, o)
	if len(list) == 0 {
		return
	}
	p.blank()
	for i, e := range list {
		if i == maxExplanations {
			break
		}
		s, label := confidence(e)
		p.hanging(2, sayAs(s, label+": "), plain, clean(e.Text)+".")
		if i == 0 && f.Excerpt != nil && e.Text == f.Explanations[0].Text {
			p.excerpt(*f.Excerpt)
		}
		for _, because := range e.Evidence {
			p.hanging(4, sayAs(faint, "because: "), plain, clean(because)+".")
		}
		if odds := chance(e); odds != "" {
			p.hanging(4, sayAs(faint, "chance: "), plain, odds)
		}
		for n, path := range e.Whole {
			if n == maxWhole {
				break
			}
			p.hanging(4, sayAs(good, "whole: "), plain, clean(path))
		}
		p.more(4, len(e.Whole)-maxWhole, "entry", "entries")
	}
	p.more(2, len(list)-maxExplanations, "explanation", "explanations")
}

func confidence(e kubelet.Explanation) (style, text) {
	switch {
	case e.Kind == kubelet.KindUnknown:
		return caution, "not known"
	case e.Confidence == kubelet.Certain:
		return good, "certain"
	case e.Confidence == kubelet.Likely:
		return caution, "likely"
	}
	return caution, "possible"
}

// chance words how probable it is that an explanation fits by accident.
func chance(e kubelet.Explanation) text {
	if e.Kind == kubelet.KindUnknown || e.Tried == 0 || e.Confidence == kubelet.Certain {
		return ""
	}
	odds := int(1 / max(e.Chance, 1e-12))
	return number(int(e.Tried)) + " other files were tried; that one of them fits by accident is 1 in " + number(max(odds, 1)) + "."
}

// excerpt shows a piece of the file with the place marked below it. What is too
// wide is cut on both sides.
func (p *page) excerpt(x Excerpt) {
	room := p.width - 4
	at := oneLine(x.At).cut(room / 2)
	side := (room - at.width()) / 2
	before, after := oneLine(x.Before), oneLine(x.After)
	if before.width() > side || !x.Begins {
		before = ("…" + before).cutLeft(side)
	}
	if after.width() > room-before.width()-at.width() || !x.Ends {
		after = (after + "…").cut(room - before.width() - at.width())
	}
	p.line(say(spaces(4)), sayAs(faint, before), sayAs(bad, at), sayAs(faint, after))
	p.line(say(spaces(4+before.width())), sayAs(bad, text(strings.Repeat("^", max(at.width(), 1)))))
}

// ExcerptOf returns what stands around the place of an explanation. Responses of
// device plugins and drivers' own data hold secrets: of those, nothing is shown.
func ExcerptOf(blob []byte, e kubelet.Explanation) *Excerpt {
	const around = 60
	at := int(e.Offset)
	if at < 0 || at >= len(blob) || strings.Contains(e.Path, "AllocResp") || strings.Contains(e.Path, "ResourceHandles") {
		return nil
	}
	n := int(e.Length)
	if e.Kind == kubelet.KindTrailing || e.Kind == kubelet.KindTruncated || n > around {
		n = 1
	}
	end := min(at+max(n, 1), len(blob))
	before, after := blob[max(at-around, 0):at], blob[end:min(end+around, len(blob))]
	if strings.Contains(string(before), "AllocResp") || strings.Contains(string(after), "AllocResp") ||
		secretValue(string(before)) || secretValue(string(after)) {
		before, after = nil, nil
	}
	return &Excerpt{
		Before: string(before), At: string(blob[at:end]), After: string(after),
		Begins: at <= around, Ends: end+around >= len(blob),
	}
}

// oneLine is clean for what may hold line breaks of its own.
func oneLine(s string) text {
	return clean(strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(s))
}

// shown hides secrets among the values of explanations.
func shown(list []kubelet.Explanation, o Options) []kubelet.Explanation {
	out := make([]kubelet.Explanation, 0, len(list))
	for _, e := range list {
		old, now := o.redact(e.Path, e.Old), o.redact(e.Path, e.New)
		if old != e.Old || now != e.New {
			e.Text = e.Path + " was changed"
			e.Old, e.New = old, now
		}
		also := make([]kubelet.Change, 0, len(e.Also))
		for _, c := range e.Also {
			also = append(also, kubelet.Change{Path: c.Path, Old: o.redact(c.Path, c.Old), New: o.redact(c.Path, c.New)})
		}
		e.Also = also
		out = append(out, e)
	}
	return out
}
