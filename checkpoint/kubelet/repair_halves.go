package kubelet

import (
	"bytes"
	"slices"

	"github.com/kubeckpt/ckpt/checksum"
)

// halves are the candidates made of one half of a file.
func (m *mender) halves(e *Explanation) (list [][]byte) {
	if e.Kind == KindTruncated {
		return m.firstHalf()
	}
	for _, f := range m.formats() {
		if len(f.sums) < 2 {
			continue
		}
		d := newSession(m.blob).decode(f)
		if d.err != nil {
			continue
		}
		sh := sheetsOf(m.blob, f)
		for _, text := range dataOf(d.doc) {
			if uint64(checksum.OfString(text)) == f.sums[0].stored(d.doc) {
				if p, ok := sh.value(f.inner.field, text, false); ok {
					list = append(list, patched(m.blob, []patch{p}))
				}
			}
		}
		list = append(list, legacyFromData(m.blob, f, d.doc, sh))
	}
	return list
}

// firstHalf returns the members before a break as a file of their own.
func (m *mender) firstHalf() (list [][]byte) {
	const most = 16 // members that a kubelet's file may have
	for _, f := range m.formats() {
		nodes, _ := scan(m.blob, f.docType(), "")
		tried := 0
		for _, n := range slices.Backward(nodes) {
			_, end := n.extent()
			if n.parent != 0 || end > len(m.blob) {
				continue
			}
			if tried++; tried > most {
				break
			}
			list = append(list, append(bytes.Clone(m.blob[:end]), '}'))
		}
	}
	return list
}

// compareHalf finds out whether the result is but the half for older kubelets of
// a file that had, or may have had, another one. A file that only lacks its last
// bracket never had one, unless something is missing from what it says.
func (m *mender) compareHalf(out *Repaired) {
	dual := dualOf(out.After.Kind)
	if dual == nil || out.After.Format != dual.legacy.id.String() {
		return
	}
	text := bytes.TrimRight(m.blob, " \t\r\n\x00")
	switch {
	case len(text) < len(m.blob) || !bytes.Equal(append(bytes.Clone(text), '}'), out.Bytes):
		before := formatByID(m.before.Format)
		out.Half = out.Undone.Kind == KindTruncated || before == dual
	default:
		out.Half = slices.ContainsFunc(out.After.Findings, func(f Finding) bool {
			return f.Code == codeInNoSet || f.Code == codeMachineState
		})
	}
}

// dataOf returns what the data half may have been by the legacy half: with and
// without what only the data half holds.
func dataOf(doc any) (texts []string) {
	add := func(data any) {
		if text, err := marshalInner(data); err == nil {
			texts = append(texts, text)
		}
	}
	switch doc := doc.(type) {
	case *cpuV4:
		old := cpuV4Data{doc.PolicyName, doc.DefaultCPUSet, doc.Entries, doc.inner.PodEntries, doc.inner.Baselines}
		add(old)
		old.PodEntries, old.Baselines = nil, nil
		add(old)
	case *memoryV3:
		old := memoryV3Data{doc.PolicyName, doc.MachineState, doc.Entries, doc.inner.PodEntries}
		add(old)
		old.PodEntries = nil
		add(old)
	}
	return texts
}

// legacyFromData writes the legacy half as a kubelet writes it beside this data
// half. Its checksum is that of the data half's own content.
func legacyFromData(blob []byte, f *format, doc any, sh *sheets) []byte {
	fields := map[string]any{}
	whole := byData(f, doc)
	switch half := whole.(type) {
	case *cpuV4:
		fields["policyName"], fields["defaultCpuSet"], fields["entries"] = half.PolicyName, half.DefaultCPUSet, half.Entries
	case *memoryV3:
		fields["policyName"], fields["machineState"], fields["entries"] = half.PolicyName, half.MachineState, half.Entries
	default:
		return nil
	}
	fields[f.sums[1].field] = f.sums[1].stored(whole)
	var list []patch
	for name, v := range fields {
		n := sh.file.node(name)
		text, err := marshalInner(v)
		if n == nil || err != nil {
			return nil
		}
		a, b := n.a, n.b
		if n.kind == '"' {
			a, b = a-1, b+1
		}
		list = append(list, patch{a, b, text})
	}
	return patched(blob, list)
}

// legacyToo mends the legacy half of a file whose data half is right by now, if
// what the data half says is what the legacy half's checksum is of.
func (m *mender) legacyToo(out *Repaired) {
	if len(out.After.Checksums) < 2 || out.After.Checksums[1].OK {
		return
	}
	for _, f := range m.formats() {
		d := newSession(out.Bytes).decode(f)
		if len(f.sums) < 2 || d.err != nil {
			continue
		}
		fixed := legacyFromData(out.Bytes, f, d.doc, sheetsOf(out.Bytes, f))
		if v, _, all := m.sound(fixed); all && v.Checksums[1].Stored == out.After.Checksums[1].Stored {
			out.Bytes, out.After, out.LegacyToo = fixed, v, true
			return
		}
	}
}
