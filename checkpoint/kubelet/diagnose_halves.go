package kubelet

import "strings"

// A kubelet writes both halves of a file from one state. The half that is whole
// thus says what the other was: nothing has to be searched.

// otherHalf writes the data half anew from the legacy half.
func (d *diagnosis) otherHalf(f *format) {
	if len(f.sums) < 2 || !d.v.Checksums[1].OK {
		return
	}
	d.tried++
	if was := withDataHalf(f, d.s.decode(f).doc); was != nil {
		d.explainAs(f, was, Certain, "the legacy half, whose checksum is right, still says so", "")
	}
}

// halfOfDamaged does the same for a file that does not decode, of which one half
// can still be read.
func (d *diagnosis) halfOfDamaged() {
	for _, f := range []*format{cpuV4Format, memoryV3Format} {
		if d.k != nil && d.k.kind != f.id.Kind {
			continue
		}
		d.tried++
		was, because := wholeFromParts(d.blob, f)
		if was != nil {
			d.k = tableOf(f.id.Kind)
			d.explainAs(f, was, Certain, because, "")
			return
		}
	}
}

// legacyHalf explains a legacy half that does not agree with the data half, of
// which the sum is right.
func (d *diagnosis) legacyHalf(f *format) {
	legacy := d.v.Checksums[1]
	doc := d.s.decode(f).doc
	var old, now any
	switch doc := doc.(type) {
	case *cpuV4:
		old = &cpuV2{doc.inner.PolicyName, doc.inner.DefaultCPUSet, doc.inner.Entries, 0}
		now = doc.cpuV2.unsummed()
	case *memoryV3:
		old = &memoryV1{doc.inner.PolicyName, doc.inner.MachineState, doc.inner.Entries, 0}
		now = doc.memoryV1.unsummed()
	default:
		return
	}
	diff := Changes(old, now)
	switch {
	case legacy.OK && len(diff) > 0:
		d.addHalves(diff, "both checksums are right: somebody computed one anew")
		return
	case legacy.OK || legacy.Stored == 0:
		return
	}
	d.tried++
	was, sum := withLegacyHalf(f, doc)
	switch {
	case was != nil && sum == legacy.Stored:
		d.explainAs(f, was, Certain, "the data half, whose checksum is right, still says so", "")
		return
	case was != nil && len(diff) == 0:
		d.explainAs(f, was, Certain, "the data half, whose checksum is right, says the same as this half", "")
		return
	}
	d.search(f, &f.sums[1])
	for i := range d.found {
		e := &d.found[i]
		e.Evidence = append(e.Evidence, "only older kubelets, after a rollback, read this half")
	}
	if len(d.found) == 0 && len(diff) > 0 {
		d.addHalves(diff, "the checksum of the data half is right, that of the legacy half is not")
	}
}

// addHalves reports what one half says in another way: nothing tells which of
// them was changed, or from what.
func (d *diagnosis) addHalves(diff []Change, because string) {
	e := Explanation{Kind: KindHalves, Path: diff[0].Path, Old: diff[0].Old, New: diff[0].New,
		Confidence: Certain, Tried: d.tried, Evidence: []string{because}}
	e.Also = append(e.Also, diff[1:]...)
	e.Offset, e.Length = d.locate(e.Path, false)
	e.Text = e.sentence()
	d.add(e)
}

func parentPath(path string) string { return path[:max(strings.LastIndexByte(path, '['), 0)] }
