package kubelet

import (
	"reflect"

	"github.com/kubeckpt/ckpt/internal/fastsum"
)

// canonical returns the sums of the file if it is just what a kubelet writes as
// f, spelling included; else nil. Then it decodes, and has no oddities. It is
// not called for its answer "no", which says nothing.
func (s *session) canonical(f *format) *fastsum.Sums {
	if s.slow {
		return nil
	}
	sums, known := s.canonicals[f]
	if !known {
		if r := f.road(); r.plan != nil && s.scanner.Run(r.plan, s.blob) {
			found := s.scanner.Sums
			sums = &found
		}
		s.canonicals[f] = sums
	}
	return sums
}

// written returns the format of kind k as which the file is canonical and has
// the sum that decides, with the type name of that sum. Of several, it is the
// one that identify would choose, since all of them know every field.
func (s *session) written(k *kindTable) (*format, string) {
	for _, f := range k.formats {
		if sums := s.canonical(f); sums != nil {
			if name, ok := f.road().matching(f, sums); ok {
				return f, name
			}
		}
	}
	return nil, ""
}

// asWritten reports whether the file is as a kubelet wrote it, of kind k.
func (s *session) asWritten(k *kindTable) bool {
	f, _ := s.written(k)
	return f != nil
}

// matching is session.matching for sums of the fast road.
func (r *fastRoad) matching(f *format, sums *fastsum.Sums) (string, bool) {
	if sums[0].Stored == 0 {
		return "", false
	}
	for i := range f.sums[0].spellings {
		sp := &f.sums[0].spellings[i]
		if p, ok := r.places[sp]; ok && uint64(sums[p.sum].Computed[p.head]) == sums[0].Stored {
			return sp.typeName, true
		}
	}
	return "", false
}

// half returns the document of f if it is embedded in that of another format
// as which the file is canonical: the legacy half of a file with two halves.
func (s *session) half(f *format) any {
	if f.decode != nil || f.prefilled {
		return nil
	}
	for other, sums := range s.canonicals {
		if sums == nil || other == f {
			continue
		}
		if doc, ok := other.fresh().(halved); ok && reflect.TypeOf(doc.legacyHalf()).Elem() == f.docType() {
			return s.decode(other).doc.(halved).legacyHalf()
		}
	}
	return nil
}

// halved is a document with another one embedded, for older releases to read.
type halved interface{ legacyHalf() any }

// lacksInner reports whether f certainly does not decode: the file is canonical
// as another format of its kind, which has no string for a document of f's.
func (s *session) lacksInner(k *kindTable, f *format) bool {
	if f.decode == nil || f.inner == nil {
		return false
	}
	other, _ := s.written(k)
	return other != nil && other != f && !hasMember(other.docType(), f.inner.field)
}

func hasMember(t reflect.Type, name string) bool {
	found, _ := fieldFor(t, name)
	return found != ""
}
