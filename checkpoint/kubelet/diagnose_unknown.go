package kubelet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
)

// otherVersion explains a file that is not broken, but not for the kubelets
// that were asked about.
func (d *diagnosis) otherVersion() {
	id := d.s.identify(d.k)
	e := Explanation{Kind: KindVersion, Offset: -1, Confidence: Possible}
	if id.format == nil {
		return
	}
	e.Text = fmt.Sprintf("the file has the layout %s, which none of the kubelets asked for reads", id.format.id)
	if len(d.v.Written) > 0 {
		e.Text += "; kubelet " + strings.Join(d.v.Written, ", ") + " writes it"
	}
	if id.good {
		e.Confidence = Certain
		e.Evidence = []string{"its checksum is right"}
	}
	d.add(e)
}

// unknown says that nothing was found, and what is striking all the same.
func (d *diagnosis) unknown() {
	e := Explanation{Kind: KindUnknown, Confidence: Possible, Tried: d.tried, Offset: -1,
		Text: "no single edit that was tried gives the stored checksum"}
	if d.v.State == StateDamaged {
		e.Offset, e.Text = d.v.Damage.Offset, "no part of the file has a checksum that could say what it was"
	}
	if d.stopped() {
		e.Text += "; the search was stopped before its end"
	}
	if d.v.State == StateCorrupt {
		d.entryMissing()
	}
	for _, other := range d.found {
		if other.Confidence != Possible {
			return
		}
	}
	d.add(e)
}

// entryMissing looks for what nobody holds though somebody should. With hints
// it names the entry, else it only says what is missing.
func (d *diagnosis) entryMissing() {
	id := d.s.identify(d.k)
	if id.format == nil || d.s.decode(id.format).err != nil {
		return
	}
	sm := &id.format.sums[0]
	sk, err := d.s.sketchOf(d.k.kind, id.format, sm, &sm.spellings[0])
	if err != nil {
		return
	}
	s := newSearch(d, id.format, sm, sk)
	switch d.k.kind {
	case CPU:
		v := s.cpus()
		missing := upTo(v.top + 1).without(v.once)
		if v.def < 0 || missing.empty() {
			return
		}
		if !s.missingPod(v, missing) {
			d.add(Explanation{Kind: KindMissing, Path: "entries", Confidence: Possible, Offset: -1,
				Text: fmt.Sprintf("an entry seems to be missing: CPUs %s are in no set", missing)})
		}
	case Memory:
		v := s.memory()
		for _, t := range v.tables {
			var held uint64
			for _, b := range v.blocks {
				if b.resource == t.resource && len(b.nodes) > 0 && b.nodes[0] == t.node {
					held += s.number(b.size)
				}
			}
			if reserved := s.number(t.reserved); reserved > held {
				d.add(Explanation{Kind: KindMissing, Path: "entries", Confidence: Possible, Offset: -1,
					Text: fmt.Sprintf("an entry seems to be missing: NUMA node %s has %d bytes of %s more reserved than all containers hold",
						t.node, reserved-held, t.resource)})
			}
		}
	}
}

// missingPod puts the pods of the hints where they would stand, with the CPUs
// that are missing.
func (s *search) missingPod(v *cpuView, missing cpuBits) bool {
	if s.sk.json >= 0 {
		return false // the order of the entries in the data half is not known
	}
	for g := range s.sk.groups {
		group := &s.sk.groups[g]
		if group.schema != "entries" || group.order != byKey {
			continue
		}
		for _, uid := range s.d.o.Hints.PodUIDs {
			i := s.rank(group, uid)
			if i < 0 || s.d.stopped() {
				continue
			}
			for _, text := range podTexts(uid, s.d.o.Hints.Containers, missing) {
				s.tried++
				if s.insert(group, i, text) {
					s.hit(hit{kind: KindMissing, tok: -1, path: group.path + fmt.Sprintf("[%q]", uid), old: podJSON(text)}, true)
				}
			}
		}
	}
	if len(s.hits) == 0 {
		return false
	}
	s.report()
	for i := range s.d.found {
		if e := &s.d.found[i]; e.Kind == KindMissing {
			e.Text = fmt.Sprintf("the entry %s is missing: %s", e.Path, e.Old)
		}
	}
	return true
}

// insert tries an entry more in front of the i-th of a group.
func (s *search) insert(g *group, i int, text string) bool {
	switch {
	case len(g.entries) == 0:
		return s.text.Replace(g.a, g.b, text)
	case i < len(g.entries):
		at := g.entries[i].a
		return s.text.Replace(at, at, text+" ")
	}
	return s.text.Replace(g.b, g.b, " "+text)
}

// podJSON is the containers of a dumped pod of a cpu file as JSON.
func podJSON(dumped string) string {
	_, list, _ := strings.Cut(strings.TrimSuffix(dumped, "]"), ":map[")
	var out []string
	for item := range strings.SplitSeq(list, " ") {
		name, set, _ := strings.Cut(item, ":")
		out = append(out, fmt.Sprintf("%q:%q", name, set))
	}
	return "{" + strings.Join(out, ",") + "}"
}

// podTexts returns how a pod with these CPUs would stand in the dump: with up to
// four containers, that hold them in the order of their names or in reverse.
func podTexts(uid string, names []string, cpus cpuBits) (texts []string) {
	const most = 200_000
	var list []int
	for from, to := range cpus.ranges {
		for cpu := from; cpu <= to; cpu++ {
			list = append(list, cpu)
		}
	}
	names = slices.Sorted(slices.Values(names))
	if len(list) > 64 {
		return nil
	}
	var add func(first int, rest []int, text string, back bool, depth int)
	add = func(first int, rest []int, text string, back bool, depth int) {
		if len(rest) == 0 {
			texts = append(texts, uid+":map["+text+"]")
			return
		}
		for i := first; i < len(names) && depth > 0 && len(texts) < most; i++ {
			for n := 1; n <= len(rest); n++ {
				part, left := rest[:n], rest[n:]
				if back {
					part, left = rest[len(rest)-n:], rest[:len(rest)-n]
				}
				var set cpuBits
				for _, cpu := range part {
					set.set(cpu)
				}
				next := names[i] + ":" + set.String()
				if text != "" {
					next = text + " " + next
				}
				add(i+1, left, next, back, depth-1)
			}
		}
	}
	add(0, list, "", false, 4)
	add(0, list, "", true, 4)
	return texts
}

// encodingOfValues undoes what is done to the text of a whole file that still decodes.
func (d *diagnosis) encodingOfValues(f *format) {
	if fixed := undoubleAll(d.blob); fixed != nil {
		d.tried++
		if d.good(fixed) {
			d.add(d.grade(Explanation{Kind: KindEncoding, Offset: -1,
				Text: "the text was taken for Latin-1 and encoded as UTF-8 a second time"}))
			return
		}
	}
	if f.inner == nil || d.s.decode(f).err != nil {
		return
	}
	sm := &f.sums[0]
	text := f.inner.text(d.s.decode(f).doc)
	fixed := reescaped(text)
	if fixed == text {
		return
	}
	d.tried++
	sum := uint64(checksum.OfString(fixed))
	if sm.algorithm == algCRC {
		sum = uint64(checksum.CRC32([]byte(fixed)))
	}
	if sum == sm.stored(d.s.decode(f).doc) {
		e := d.grade(Explanation{Kind: KindEncoding, Path: f.inner.field,
			Text: "the document within " + f.inner.field + " was written anew without the escapes that a kubelet writes for < > &"})
		e.Offset, e.Length = d.locate(f.inner.field, false)
		d.add(e)
	}
}

// reescaped puts the escapes back that a kubelet writes.
func reescaped(text string) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "\u2028", `\u2028`, "\u2029", `\u2029`).Replace(text)
}

// undoubleAll undoes a second encoding in every place where there is one.
func undoubleAll(b []byte) []byte {
	text := string(b)
	out := make([]byte, 0, len(b))
	changed := false
	for i, r := range text {
		if r >= 0x80 && r <= 0xff {
			changed = true
			out = append(out, byte(r))
			continue
		}
		if r > 0xff {
			return nil
		}
		out = append(out, text[i])
	}
	if !changed {
		return nil
	}
	return out
}
