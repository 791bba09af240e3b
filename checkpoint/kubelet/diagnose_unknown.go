package kubelet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
)

// otherVersion explains a file that is not broken, but not for the kubelets
// that were asked about.
func (d *diagnosis) otherVersion() {
	id := d.s.identify(d.k)
	e := Explanation{Kind: KindVersion, Offset: -1, Confidence: Possible}
	if i := slices.IndexFunc(d.v.Findings, isWrongKind); i >= 0 {
		e.Text, e.Confidence = d.v.Findings[i].Message, Certain
		d.add(e)
		return
	}
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
	if d.v.State == StateCorrupt && d.noSum() {
		return
	}
	if d.v.State == StateDamaged {
		e.Offset, e.Text = d.v.Damage.Offset, "nothing that was tried makes of it a file whose checksum matches"
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

// encodingOfValues undoes what is done to the text of a whole file that still
// decodes, and to the document within a string.
func (d *diagnosis) encodingOfValues(f *format) {
	d.tried++
	if fixed, name := undone(d.blob, d.good); fixed != nil {
		e := d.grade(Explanation{Kind: KindEncoding, Offset: -1, Text: name})
		e.was = &wholeFile{fixed}
		d.add(e)
		return
	}
	if f.inner == nil {
		return
	}
	doc := d.s.decode(f).doc
	text := f.inner.text(doc)
	for _, r := range respelled(f.inner, text) {
		d.tried++
		sm := &f.sums[0]
		sum := uint64(checksum.OfString(r.text))
		if sm.algorithm == algCRC {
			sum = uint64(checksum.CRC32([]byte(r.text)))
		}
		if r.text == text || sum != sm.stored(doc) {
			continue
		}
		sh := sheetsOf(d.blob, f)
		if p, ok := sh.value(f.inner.field, r.text, false); ok {
			confidence := d.grade(Explanation{}).Confidence
			d.explainAs(f, patched(d.blob, []patch{p}), confidence, "written as a kubelet writes it, the document has the stored checksum",
				"the document within "+f.inner.field+" was written anew "+r.how)
			return
		}
	}
}

type spelledDocument struct{ text, how string }

// respelled writes a document within a string as kubelets write it.
func respelled(in *innerDoc, text string) (list []spelledDocument) {
	list = append(list, spelledDocument{reescaped(text), "without the escapes that a kubelet writes for < > &"})
	for _, t := range append([]reflect.Type{in.typ}, in.older...) {
		v := reflect.New(t)
		if json.Unmarshal([]byte(text), v.Interface()) != nil {
			continue
		}
		if spelled, err := marshalInner(v.Interface()); err == nil {
			list = append(list, spelledDocument{spelled, "in another order or with spaces and line breaks"})
		}
	}
	var short bytes.Buffer
	if json.Compact(&short, []byte(text)) == nil {
		list = append(list, spelledDocument{short.String(), "with spaces and line breaks"})
	}
	return list
}
