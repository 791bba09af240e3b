package kubelet

import (
	"strconv"
)

// reseal stores the sums of the content as it is.
func (m *mender) reseal() (Repaired, error) {
	k := tableOf(m.before.Kind)
	if m.before.Damage != nil || k == nil {
		return Repaired{}, &RepairError{Reason: RepairUndecodable}
	}
	if m.before.wrongKind() {
		return Repaired{}, &RepairError{Reason: RepairWrongKind}
	}
	s := newSession(m.blob)
	id := s.identify(k)
	if id.format == nil || s.decode(id.format).err != nil {
		return Repaired{}, &RepairError{Reason: RepairUndecodable}
	}
	if _, _, all := m.sound(m.blob); all {
		return Repaired{}, &RepairError{Reason: RepairNothing}
	}
	type seal struct {
		f  *format
		sp *spelling
	}
	var seals []seal
	for _, f := range append([]*format{id.format}, k.formats...) {
		alike := s.decode(f).err == nil && len(f.writes) > 0 && (f.claims == nil) == (id.format.claims == nil) && s.unknown(f) == s.unknown(id.format)
		if f != id.format && !alike {
			continue
		}
		for i := range f.sums[0].spellings {
			seals = append(seals, seal{f, &f.sums[0].spellings[i]})
		}
	}
	var first error
	for _, seal := range seals {
		out, ok := m.sealed(seal.f, seal.sp)
		if !ok {
			continue
		}
		for j, c := range out.After.Checksums {
			if j >= len(m.before.Checksums) || c.Stored != m.before.Checksums[j].Stored {
				out.Certified = append(out.Certified, c)
			}
		}
		done, err := m.finish(out, nil)
		if err == nil {
			return done, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = &RepairError{Reason: RepairUndecodable}
	}
	return Repaired{}, first
}

// sealed puts the sums into the bytes, or, where a file has no place for them,
// encodes it anew.
func (m *mender) sealed(f *format, sp *spelling) (Repaired, bool) {
	d := newSession(m.blob).decode(f)
	var list []patch
	sh := sheetsOf(m.blob, f)
	inPlace := true
	for i := range f.sums {
		sm := &f.sums[i]
		spelled := &sm.spellings[0]
		if i == 0 {
			spelled = sp
		}
		v, err := sm.compute(spelled, d.doc)
		if err != nil {
			return Repaired{}, false
		}
		p, ok := sh.value(sm.field, strconv.FormatUint(v, 10), false)
		inPlace = inPlace && ok
		list = append(list, p)
		sm.set(d.doc, v)
	}
	if inPlace {
		if out, ok := m.best([][]byte{patched(m.blob, list)}); ok {
			out.Exact = true
			return out, true
		}
	}
	spelled, err := marshalInner(d.doc)
	if err != nil {
		return Repaired{}, false
	}
	return m.best([][]byte{[]byte(spelled)})
}
