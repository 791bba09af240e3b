package quantity

import (
	"errors"
	"strings"
	"testing"
)

// FuzzQuantity checks that any input is decided on, and that what is written is
// read again as the same amount. The comparison with apimachinery itself is in
// testdata/generate.
func FuzzQuantity(f *testing.F) {
	for _, s := range []string{
		`"500m"`, `"1.5Gi"`, `"-0.1m"`, `"1e3"`, `"9E-12"`, `"100Ei"`, `null`, `"+007"`, `"1.500"`, `12345678901234567890`,
		`"1000E"`, `"."`, `"1e2147483647"`, `"1e-2147483648"`, `"9999999999999999999e2147483639"`, `"99999999999999999999e4000"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var q Quantity
		if err := q.UnmarshalJSON(b); err != nil {
			if q != (Quantity{}) {
				t.Fatalf("%q: refused (%v) yet changed to %+v", b, err, q)
			}
			return
		}
		q.Int64()
		q.MilliValue()
		q.Float64()
		if q.isZero() != q.Equal(Quantity{}) {
			t.Fatalf("%q: isZero %t, Equal to zero %t", b, q.isZero(), q.Equal(Quantity{}))
		}

		encoded, err := q.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var again Quantity
		if err := again.UnmarshalJSON(encoded); errors.Is(err, ErrTooLarge) {
			return // the canonical form can have two digits more
		} else if err != nil {
			t.Fatalf("%q: encoded as %s: %v", b, encoded, err)
		}
		second, _ := again.MarshalJSON()
		if string(second) != string(encoded) {
			t.Fatalf("%q: encoded as %s, then as %s", b, encoded, second)
		}
		// Kubernetes leaves a suffix beyond E out, and so writes another number.
		beyond := q.Format == DecimalSI && !strings.ContainsAny(string(encoded), "numkMGTPE")
		if !beyond && !again.Equal(q) {
			t.Fatalf("%q: encoded as %s, which is another amount", b, encoded)
		}
	})
}
