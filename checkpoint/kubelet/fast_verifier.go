package kubelet

import (
	"bytes"

	"github.com/kubeckpt/ckpt/internal/fastsum"
)

// A Verifier tells files that are just as a kubelet wrote them, at ten times
// the speed of decoding them and more. The zero Verifier is ready. It keeps a
// few buffers and is not for concurrent use: every goroutine has its own.
type Verifier struct {
	scanner fastsum.Scanner
	sums    [fastsum.MaxSums]Checksum
}

// Quick is what a Verifier says of a file.
type Quick struct {
	Format FormatID
	// Policy that the file names. Like Checksums it is good until the next
	// call, and shares the file's memory.
	Policy    []byte
	Checksums []Checksum
}

// Verify reports whether blob, a file of the given kind or, if that is empty, of
// any, is spelled exactly as a kubelet writes it and all of its sums match, that of a legacy half included.
// Judge then says StateOK about it, in the same format and with the same sums.
//
// False is no verdict: a good file may be written in another way, and a bad one
// may be bad in any. Ask Judge.
//
// What Verify does not look at is what the file says: CPUs that are held twice,
// memory that does not add up, halves that differ although both sums match, and
// which kubelet accepts it under which policy.
func (v *Verifier) Verify(kind Kind, blob []byte) (Quick, bool) {
	for _, k := range tables {
		if kind != "" && k.kind != kind {
			continue
		}
		if q, ok := v.verify(k, blob); ok {
			return q, true
		}
	}
	return Quick{}, false
}

func (v *Verifier) verify(k *kindTable, blob []byte) (Quick, bool) {
	for _, f := range k.formats {
		r := f.road()
		if len(f.writes) == 0 || r.plan == nil || !v.scanner.Run(r.plan, blob) {
			continue
		}
		found := &v.scanner.Sums
		if _, ok := r.matching(f, found); !ok {
			continue
		}
		for i := range f.sums {
			if v.sums[i] = checksumOf(f, i, r, found); !v.sums[i].OK {
				return Quick{}, false
			}
		}
		q := Quick{Format: f.id, Checksums: v.sums[:len(f.sums)]}
		if k.policy != nil {
			q.Policy = policyIn(blob, v.scanner.Inner)
		}
		return q, true
	}
	return Quick{}, false
}

// KindOfName finds the kind of a file from its name or path, as Judge does; it
// is empty if the name does not tell.
func KindOfName(name string) Kind { return kindOfName(name) }

// checksumOf is the sum that describe would give for a canonical file.
func checksumOf(f *format, i int, r *fastRoad, found *fastsum.Sums) Checksum {
	sm := &f.sums[i]
	c := Checksum{Field: sm.field, Algorithm: sm.algorithm, Stored: found[i].Stored, Authoritative: i == 0}
	for j := range sm.spellings {
		sp := &sm.spellings[j]
		p, ok := r.places[sp]
		if !ok || j > 0 && i > 0 {
			continue
		}
		n := uint64(found[i].Computed[p.head])
		if j == 0 || n == c.Stored {
			c.Computed, c.OK = n, n == c.Stored
			if sm.algorithm == algFNV {
				c.TypeName = sp.typeName
			}
		}
		if c.OK {
			break
		}
	}
	return c
}

// policyIn returns the policy of a canonical file of a kind that has one, where
// it is the first member, of the document within a string if there is one.
func policyIn(blob, inner []byte) []byte {
	text, ok := bytes.CutPrefix(blob, []byte(`{"policyName":"`))
	end := byte('"')
	if inner != nil {
		text, ok = bytes.CutPrefix(inner, []byte(`{\"policyName\":\"`))
		end = '\\'
	}
	n := bytes.IndexByte(text, end)
	if !ok || n < 0 {
		return nil
	}
	return text[:n]
}
