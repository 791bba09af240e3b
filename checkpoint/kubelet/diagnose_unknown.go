package kubelet

import (
	"fmt"
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
	for _, c := range d.v.Checksums {
		if c.Authoritative && c.Stored == 0 {
			e.Text = "no checksum is stored that could say what the content was"
		}
	}
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

// entryMissing looks for what nobody holds though somebody should.
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
		d.add(Explanation{Kind: KindMissing, Path: "entries", Confidence: Possible, Offset: -1,
			Text: fmt.Sprintf("an entry seems to be missing: CPUs %s are in no set", missing)})
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
