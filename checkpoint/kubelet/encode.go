package kubelet

import (
	"encoding/json"
	"fmt"
)

// encode returns the bytes that a release writes for content in format f.
func (f *format) encode(content any, release string) ([]byte, error) {
	if f.build == nil {
		return nil, fmt.Errorf("no release writes %s", f.id)
	}
	doc, err := f.build(content, release)
	if err != nil {
		return nil, err
	}
	for i := range f.sums {
		sm := &f.sums[i]
		v, err := sm.compute(&sm.spellings[0], doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.id, err)
		}
		sm.set(doc, v)
	}
	return json.Marshal(doc)
}

// writtenBy returns the format that r writes.
func (k *kindTable) writtenBy(r reader) *format {
	var plain *format
	for _, f := range k.formats {
		for _, w := range f.writes {
			switch {
			case !w.span.Has(r.release.Name):
			case w.gate != "" && r.on(w.gate):
				return f
			case w.gate == "":
				plain = f
			}
		}
	}
	return plain
}

// marshalInner is the document within a string.
func marshalInner(doc any) (string, error) {
	b, err := json.Marshal(doc)
	return string(b), err
}

// orMade returns m, or an empty map for nil: the kubelet's constructors never
// leave a map of a document nil.
func orMade[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return M{}
	}
	return m
}
