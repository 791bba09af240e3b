package kubelet

import (
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
)

// A kubelet writes both halves of a file from one state. The half that is whole
// thus says what the other was: nothing has to be searched.

// otherHalf writes the data half anew from the legacy half.
func (d *diagnosis) otherHalf(f *format) {
	if len(f.sums) < 2 || !d.v.Checksums[1].OK {
		return
	}
	doc := d.s.decode(f).doc
	stored := checksum.Checksum(f.sums[0].stored(doc))
	try := func(old, now any) {
		d.tried++
		if text, err := marshalInner(old); len(d.found) == 0 && err == nil && checksum.OfString(text) == stored {
			const because = "the legacy half, whose checksum is right, still says so"
			if !d.oneEditTo(f, text, because) {
				d.addHalves(Changes(old, now), "data.", because)
			}
		}
	}
	switch doc := doc.(type) {
	case *cpuV4:
		old := cpuV4Data{doc.PolicyName, doc.DefaultCPUSet, doc.Entries, doc.inner.PodEntries, doc.inner.Baselines}
		try(old, doc.inner)
		old.PodEntries, old.Baselines = nil, nil
		try(old, doc.inner)
	case *memoryV3:
		old := memoryV3Data{doc.PolicyName, doc.MachineState, doc.Entries, doc.inner.PodEntries}
		try(old, doc.inner)
		old.PodEntries = nil
		try(old, doc.inner)
	}
}

// oneEditTo explains the document within a string by what it was, if one value
// or one place of it differs.
func (d *diagnosis) oneEditTo(f *format, old, because string) bool {
	sk, err := d.s.sketchOf(d.k.kind, f, &f.sums[0], &f.sums[0].spellings[0])
	if err != nil || sk.json < 0 {
		return false
	}
	s := newSearch(d, f, &f.sums[0], sk)
	e := edit{sk.json, len(sk.text), old}
	e = s.narrowed(e)
	tok := s.tokenAt(e.a)
	const small = 6
	if (tok < 0 || e.b > sk.tokens[tok].b || s.broken()) && (e.b-e.a > small || len(e.text) > small) {
		return false
	}
	s.byteHit(e.a, e.b, e.text, tok)
	s.report()
	for i := range d.found {
		d.found[i].Evidence = append(d.found[i].Evidence, because)
		d.found[i].Confidence = Certain
	}
	return len(d.found) > 0
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
		now = zeroedCPUV2(&doc.cpuV2)
	case *memoryV3:
		old = &memoryV1{doc.inner.PolicyName, doc.inner.MachineState, doc.inner.Entries, 0}
		now = zeroedMemoryV1(&doc.memoryV1)
	default:
		return
	}
	diff := Changes(old, now)
	switch {
	case legacy.OK && len(diff) > 0:
		d.addHalves(diff, "", "both checksums are right: somebody computed one anew")
		return
	case legacy.OK || legacy.Stored == 0:
		return
	}
	d.tried++
	_, names := f.sums[1].spellings[0].value(doc)
	names = checksum.Merge(names, checksum.Name[cpuV2]("state.CPUManagerCheckpoint"), checksum.Name[memoryV1]("state.MemoryManagerCheckpoint"))
	if sum, err := checksum.Sum(old, names); err == nil && uint64(sum) == legacy.Stored && len(diff) > 0 {
		d.addHalves(diff, "", "the data half, whose checksum is right, still says so")
		return
	}
	d.search(f, &f.sums[1])
	for i := range d.found {
		e := &d.found[i]
		e.Evidence = append(e.Evidence, "only older kubelets, after a rollback, read this half")
	}
	if len(d.found) == 0 && len(diff) > 0 {
		d.addHalves(diff, "", "the checksum of the data half is right, that of the legacy half is not")
	}
}

// addHalves reports what one half says in another way.
func (d *diagnosis) addHalves(diff []Change, prefix, because string) {
	if len(diff) == 0 {
		return
	}
	for i := range diff {
		diff[i].Path = prefix + diff[i].Path
	}
	e := Explanation{Kind: KindHalves, Path: diff[0].Path, Old: diff[0].Old, New: diff[0].New, Also: diff[1:],
		Confidence: Certain, Tried: d.tried, Evidence: []string{because}}
	switch {
	case d.v.Checksums[0].OK && d.v.Checksums[1].OK: // nobody knows which was changed
	case len(diff) == 1 && diff[0].Old != "" && diff[0].New != "":
		e.Kind = KindValue
	case len(diff) == 1 && diff[0].Old == "":
		e.Kind = KindAdded
	case len(diff) == 2 && renamed(diff[0], diff[1]):
		e.Kind, e.Also = KindKey, nil
		old, now := diff[0], diff[1]
		if old.Old == "" {
			old, now = now, old
		}
		e.Path, e.Old, e.New = now.Path, lastKey(old.Path), lastKey(now.Path)
	}
	if len(e.Also) == 0 {
		e.Also = nil
	}
	e.Offset, e.Length = d.locate(e.Path, e.Kind == KindKey)
	e.Text = e.sentence()
	d.add(e)
}

// renamed reports whether two changes are one entry under another name.
func renamed(x, y Change) bool {
	return parentPath(x.Path) == parentPath(y.Path) && x.Old == y.New && x.New == y.Old && (x.Old == "") != (x.New == "")
}

func parentPath(path string) string { return path[:max(strings.LastIndexByte(path, '['), 0)] }

func lastKey(path string) string {
	return strings.Trim(path[strings.LastIndexByte(path, '[')+1:], `"]`)
}
