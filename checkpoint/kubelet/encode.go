package kubelet

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/kubeckpt/ckpt/internal/fastsum"
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
	return f.marshal(doc)
}

// marshal returns the bytes of a document that build made, with its sums. They
// are taken from the bytes if that is shorter than to dump the document, unless
// the same bytes stand for several documents.
func (f *format) marshal(doc any) ([]byte, error) {
	if r := f.road(); r.dumps && f.inMemory == nil {
		blob, err := json.Marshal(doc)
		if err != nil {
			return nil, err
		}
		var s fastsum.Scanner
		if s.Run(r.plan, blob) {
			return r.fillIn(blob, f, &s.Sums), nil
		}
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

// fillIn puts the sums into blob in place of those that it stores.
func (r *fastRoad) fillIn(blob []byte, f *format, sums *fastsum.Sums) []byte {
	out := make([]byte, 0, len(blob)+fastsum.MaxSums*len("4294967295"))
	from := 0
	for from < len(blob) {
		next := -1 // the first sum after from
		for i := range f.sums {
			if at := sums[i].At; at >= from && (next < 0 || at < sums[next].At) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		p := r.places[&f.sums[next].spellings[0]]
		out = append(out, blob[from:sums[next].At]...)
		out = strconv.AppendUint(out, uint64(sums[next].Computed[p.head]), 10)
		from = sums[next].End
	}
	return append(out, blob[from:]...)
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
