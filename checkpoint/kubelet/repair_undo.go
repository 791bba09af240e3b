package kubelet

import (
	"bytes"
	"strings"
)

// undo takes back what an explanation says, and returns the first candidate whose
// sums match. What the explanation says of places is tried first; then its
// paths, in the file and in the file spelled as a kubelet spells it.
func (m *mender) undo(e *Explanation) (Repaired, bool) {
	candidates := m.whole(e)
	candidates = append(candidates, m.inPlace(e)...)
	if sums := m.before.Checksums; len(sums) > 1 && sums[0].OK {
		candidates = append(candidates, m.halves(e)...) // the data half says what the other was
	}
	if out, ok := m.best(candidates); ok {
		out.Exact = true
		return out, true
	}
	for _, f := range m.formats() {
		if out, ok := m.best(m.byPath(m.blob, f, e)); ok {
			out.Exact = true
			return m.sorted(out, f), true
		}
	}
	for _, f := range m.formats() {
		if spelled := canonical(m.blob, f); spelled != nil {
			if out, ok := m.best(m.byPath(spelled, f, e)); ok {
				return out, true
			}
		}
	}
	return Repaired{}, false
}

// formats returns those that the file may be read as, the likeliest first.
func (m *mender) formats() (list []*format) {
	kinds := []*kindTable{tableOf(m.before.Kind)}
	switch {
	case kinds[0] == nil:
		kinds = tables
	case m.o.Kind == "" && m.before.Kind == Allocated:
		kinds = append(kinds, tableOf(DRA)) // the same envelope
	}
	for _, k := range kinds {
		id := newSession(m.blob).identify(k)
		if id.format != nil {
			list = append(list, id.format)
		}
		for _, f := range k.formats {
			if f != id.format {
				list = append(list, f)
			}
		}
	}
	return list
}

// sorted orders the members of a file that was spelled just as a kubelet spells
// it: under their old names, entries may have stood elsewhere.
func (m *mender) sorted(out Repaired, f *format) Repaired {
	if !bytes.Equal(canonical(m.blob, f), m.blob) {
		return out
	}
	spelled := canonical(out.Bytes, f)
	if v, _, all := m.sound(spelled); all {
		out.Bytes, out.After = spelled, v
	}
	return out
}

// asWritten takes the spelling of kubelets for the result if the file is that
// but for one byte: an explanation may name a letter in lower case where a
// kubelet has a capital, or leave a space that was a quotation mark.
func (m *mender) asWritten(out *Repaired) {
	id := newSession(out.Bytes).identify(tableOf(out.After.Kind))
	if id.format == nil {
		return
	}
	spelled := canonical(out.Bytes, id.format)
	if bytes.Equal(spelled, out.Bytes) || !oneByteApart(spelled, m.blob) {
		return
	}
	if v, _, all := m.sound(spelled); all {
		out.Bytes, out.After, out.Exact = spelled, v, true
	}
}

// oneByteApart reports whether one byte changed, added or lost leads from a to b.
func oneByteApart(a, b []byte) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1
}

// whole are the candidates for what concerns the file as a whole.
func (m *mender) whole(e *Explanation) (list [][]byte) {
	if e.was != nil {
		list = append(list, e.was.blob)
	}
	switch e.Kind {
	case KindTrailing:
		if e.Offset > 0 && e.Offset <= int64(len(m.blob)) {
			list = append(list, m.blob[:e.Offset:e.Offset])
		}
	case KindTruncated, KindHalves:
		list = append(list, m.halves(e)...)
	case KindEncoding:
		for _, undo := range encodings {
			list = append(list, undo.fix(m.blob))
		}
		for _, f := range m.formats() {
			if f.inner == nil {
				continue
			}
			if sh := sheetsOf(m.blob, f); sh.inner != nil {
				list = append(list, patched(m.blob, []patch{sh.inner.out(patch{0, len(sh.inner.src), reescaped(string(sh.inner.src))})}))
			}
		}
	}
	return list
}

// inPlace are the candidates by the place that the explanation names.
func (m *mender) inPlace(e *Explanation) (list [][]byte) {
	a := int(e.Offset)
	if a < 0 || a > len(m.blob) || len(e.Also) > 0 {
		return nil
	}
	add := func(b int, text string) {
		if b >= a && b <= len(m.blob) {
			list = append(list, patched(m.blob, []patch{{a, b, text}}))
		}
	}
	switch e.Kind {
	case KindValue, KindKey:
		if e.Length > 0 {
			add(a+int(e.Length), quoteInner(e.Old))
			add(a+int(e.Length), quoteInner(quoteInner(e.Old)))
			add(a+int(e.Length), e.Old)
		}
	case KindByte:
		if e.Old == "" && e.New == "" {
			return nil
		}
		add(a+len(e.New), e.Old)
		b := a + len(quoteInner(e.New))
		add(b, e.Old)
		add(b, quoteInner(e.Old))
		// The characters of a document within a string may be spelled longer.
		if a < len(m.blob) {
			units, offsets := unitsOf(m.blob[a:min(a+64, len(m.blob))])
			for i, n := range offsets {
				if n == len(e.New) && i < len(units) {
					add(a+units[i], quoteInner(e.Old))
					break
				}
			}
		}
	}
	return list
}

// byPath are the candidates by the paths that the explanation names, in a file
// that need not be the given one.
func (m *mender) byPath(blob []byte, f *format, e *Explanation) (list [][]byte) {
	s := sheetsOf(blob, f)
	changes := append([]Change{{e.Path, e.Old, e.New}}, e.Also...)
	switch e.Kind {
	case KindValue, KindPair, KindNull, KindByte:
		list = append(list, s.values(changes, false), s.values(changes, true))
	case KindSwapped:
		list = append(list, s.values(changes, false))
	case KindKey:
		if p, ok := s.name(e.Path, e.Old, e.New); ok {
			list = append(list, patched(blob, []patch{p}))
		}
	case KindAdded:
		list = s.notAdded(changes)
	case KindMissing:
		at := strings.LastIndexByte(e.Path, '[')
		if at < 0 || e.Old == "" {
			return nil
		}
		if p, ok := s.with(e.Path[:at], unquotedKey(e.Path[at:]), e.Old); ok {
			list = append(list, patched(blob, []patch{p}))
		}
	}
	return list
}

// unquotedKey is the name in ["name"].
func unquotedKey(brackets string) string {
	inner := strings.TrimSuffix(strings.TrimPrefix(brackets, "["), "]")
	return unquote([]byte(strings.TrimSuffix(strings.TrimPrefix(inner, `"`), `"`)))
}

// values puts the old values back.
func (s *sheets) values(changes []Change, odd bool) []byte {
	var list []patch
	for _, c := range changes {
		p, ok := s.value(c.Path, c.Old, odd)
		if !ok {
			return nil
		}
		list = append(list, p)
	}
	return patched(s.file.src, list)
}

// notAdded takes out entries, and puts back what was changed along with them.
func (s *sheets) notAdded(changes []Change) (list [][]byte) {
	var paths []string
	var back []patch
	for i, c := range changes {
		if i == 0 || c.Old == "" && c.New == "" {
			paths = append(paths, c.Path)
			continue
		}
		p, ok := s.value(c.Path, c.Old, false)
		if !ok {
			return nil
		}
		back = append(back, p)
	}
	if out, ok := s.without(paths); ok {
		list = append(list, patched(s.file.src, append(out, back...)))
	}
	// All entries of an object may be what was added.
	for _, nothing := range []string{"{}", "[]", "null"} {
		if p, ok := s.value(paths[0], nothing, false); ok {
			list = append(list, patched(s.file.src, append([]patch{p}, back...)))
		}
	}
	return list
}
