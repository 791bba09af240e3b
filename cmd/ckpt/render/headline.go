package render

import (
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// headline is the verdict in plain words: the one sentence that is read when
// nothing else is. The lead is its main clause.
func headline(f File) (s style, lead, rest text) {
	v, name := f.Verdict, f.title()
	r := readersOf(v.Kubelets)
	switch v.State {
	case kubelet.StateMissing:
		return caution, name + " is not there", and(": ", reason(f)) + "."
	case kubelet.StateUnreadable:
		return bad, name + " could not be read", and(": ", reason(f)) + "."
	case kubelet.StateDamaged:
		return bad, name + " is damaged", ": " + damage(v.Damage) + and("; ", refusal(v, r)) + "."
	case kubelet.StateCorrupt:
		if f.has("written-unreadable") {
			return bad, name + " is not damaged, but no kubelet can read it back", " (see Findings)" + and("; ", refusal(v, r)) + "."
		}
		return bad, name + " is corrupt", ": " + mismatch(v) + and("; ", refusal(v, r)) + "."
	case kubelet.StateOther:
		lead, rest = otherness(f, r)
		return caution, name + lead, rest + "."
	case kubelet.StateUnsigned:
		rest = and(": ", reading(r, "accepted unchecked by ")) + "." + remarks(f)
		return caution, name + " has no checksum that protects it", rest
	case kubelet.StateOK:
		if n := f.count(kubelet.SeverityError); n > 0 {
			wrong := plural(n, "thing in it is wrong", "things in it are wrong")
			return bad, name + " has a matching checksum, but " + wrong, " (see Findings)" + and("; ", reading(r, "read by ")) + "."
		}
		if !r.readAny() && len(r.refuse) > 0 {
			return caution, name + " has a matching checksum", ", but " + refusal(v, r) + "." + remarks(f)
		}
		rest = and(": ", join(present(writers(v), reading(r, "read by ")), ", ")) + "." + remarks(f)
		return good, name + " is good", rest
	}
	return caution, name + " was not judged", textf(" (state %q).", string(v.State))
}

// reason is why a file could not be judged.
func reason(f File) text {
	if f.Failure == nil {
		return ""
	}
	return clean(f.Failure.Message)
}

// remarks counts the findings that do not make the file bad.
func remarks(f File) text {
	e, w := f.count(kubelet.SeverityError), f.count(kubelet.SeverityWarning)
	switch {
	case e > 0:
		return " " + plural(e, "thing in it is wrong", "things in it are wrong") + " (see Findings)."
	case w > 0:
		return " " + plural(w, "warning", "warnings") + " (see Findings)."
	}
	return ""
}

func writers(v kubelet.Verdict) text {
	return and("written by kubelet ", enumerate(cleanAll(v.Written)))
}

// present returns the parts that are not empty.
func present(parts ...text) []text {
	return slices.DeleteFunc(parts, func(t text) bool { return t == "" })
}

// reading says who reads a file that somebody reads.
func reading(r readers, verb text) text {
	var t text
	switch {
	case !r.readAny() && len(r.refuse) == 0:
		return ""
	case !r.readAny():
		t = "refused by " + enumerate(r.refuse)
	case len(r.accept) == 0 && len(r.lose) == 1:
		l := r.lose[0]
		t = verb + enumerate(l.releases) + ", which" + verbFor(l.releases, " forgets ", " forget ") + enumerate(l.fields)
	case len(r.accept) == 0:
		t = verb + enumerate(r.all()) + " in part"
	default:
		t = verb + enumerate(r.accept)
	}
	if len(r.accept) > 0 || len(r.lose) > 1 {
		for _, l := range r.lose {
			t += "; " + enumerate(l.releases) + verbFor(l.releases, " forgets ", " forget ") + enumerate(l.fields)
		}
	}
	if len(r.refuse) > 0 && r.readAny() {
		t += "; " + enumerate(r.refuse) + verbFor(r.refuse, " refuses it", " refuse it")
	}
	return t + r.gateEffects()
}

// refusal says who refuses a file that is not good.
func refusal(v kubelet.Verdict, r readers) (t text) {
	drop := text(" refuse")
	if v.Kind == kubelet.Device {
		drop = " ignore" // the device manager logs the error and starts empty
	}
	switch {
	case len(r.refuse) == 0:
		return reading(r, "read by ")
	case r.readAny():
		t = enumerate(r.refuse) + verbFor(r.refuse, drop+"s it", drop+" it") + ", " + enumerate(r.all()) + " still read it"
	case single(r.refuse):
		t = "kubelet " + r.refuse[0] + drop + "s it"
	case len(r.gates) > 0:
		t = "kubelets " + enumerate(r.refuse) + drop + " it"
	default:
		t = "every kubelet (" + enumerate(r.refuse) + ")" + drop + "s it"
	}
	return t + r.gateEffects()
}

// gateEffects goes after what the releases do by default.
func (r readers) gateEffects() (t text) {
	for _, g := range r.gates {
		t += "; " + g.who + " " + g.deed
	}
	return t
}

// single reports whether ranges are one release.
func single(ranges []text) bool {
	return len(ranges) == 1 && !strings.Contains(string(ranges[0]), "–")
}

func verbFor(ranges []text, one, many text) text { return inNumber(!single(ranges), one, many) }

// mismatch says which sum is wrong.
func mismatch(v kubelet.Verdict) text {
	for _, c := range v.Checksums {
		switch {
		case !c.Authoritative || c.OK:
		case c.Stored == 0:
			return "it has no checksum"
		case len(v.Checksums) > 1:
			return textf("%s does not match its content", c.Field)
		}
	}
	return "the checksum does not match its content"
}

// otherness words a file that is not for the kubelets that were asked about, be it
// intact or not.
func otherness(f File, r readers) (lead, rest text) {
	v := f.Verdict
	for _, finding := range v.Findings {
		if finding.Code == "wrong-kind" {
			return " is under the wrong name", ": " + clean(finding.Message)
		}
	}
	if v.Format == "" {
		return " is no kubelet checkpoint that is known", ""
	}
	rest = textf("of layout %s", v.Format)
	if w := writers(v); w != "" {
		rest += " (" + w + ")"
	}
	if len(r.refuse) > 0 {
		rest += ", which " + enumerate(r.refuse) + verbFor(r.refuse, " does not read", " do not read")
	}
	if len(v.Checksums) > 0 && !v.Checksums[0].OK {
		return " is corrupt", ": " + mismatch(v) + ". It is " + rest
	}
	return " is not corrupt", ", but " + rest
}

// damage says in words where decoding stopped.
func damage(d *kubelet.Damage) text {
	if d == nil {
		return "it cannot be decoded"
	}
	at := number(int(d.Offset))
	switch d.Reason {
	case kubelet.DamageEmpty:
		return "it is empty"
	case kubelet.DamageNUL:
		return "NUL bytes from byte " + at + " on, as after a power cut"
	case kubelet.DamageTruncated:
		return "cut off after byte " + at + ", in the middle of its JSON"
	case kubelet.DamageTrailing:
		return "other data follows its JSON, from byte " + at + " on"
	case kubelet.DamageSyntax:
		return "not valid JSON at byte " + at
	case kubelet.DamageType:
		if d.Offset == 0 { // unknown
			return "a JSON value of the wrong type"
		}
		return "a JSON value of the wrong type at byte " + at
	case kubelet.DamageCPUs:
		return "its CPU sets name more CPUs than any machine has"
	}
	return "cannot be decoded at byte " + at
}
