package kubelet

import (
	"reflect"
	"testing"
)

// compareVerify holds what a Verifier says of blob against Judge. It reports
// whether the Verifier said anything.
func compareVerify(t testing.TB, v *Verifier, kind Kind, blob []byte) bool {
	t.Helper()
	q, ok := v.Verify(kind, blob)
	if !ok {
		return false
	}
	slow := newSession(blob)
	slow.slow = true
	want := slow.judge(Options{Kind: kind})
	if want.State != StateOK || want.Format != q.Format.String() || want.Policy != string(q.Policy) || !reflect.DeepEqual(want.Checksums, q.Checksums) {
		t.Errorf("%+v, policy %q, but Judge says %s %s, policy %q, %+v\n%.600s", q, q.Policy, want.Format, want.State, want.Policy, want.Checksums, blob)
	}
	return true
}

func TestVerifier(t *testing.T) {
	var v Verifier
	n := 0
	for _, g := range goldens(t) {
		for _, kind := range []Kind{g.Kind, "", CPU, Memory, Device, DRA, Allocated, Unknown} {
			if compareVerify(t, &v, kind, g.read(t)) {
				n++
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d files were verified", n)
	}
	blob := sampleFile(t, memoryV3Format, "1.37", 200)
	if allocs := testing.AllocsPerRun(20, func() { v.Verify(Memory, blob) }); allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}
