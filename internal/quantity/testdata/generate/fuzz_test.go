package main

import (
	"flag"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/internal/quantity"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/dump"
)

// FuzzAgainstApimachinery decodes two inputs into one variable of either
// implementation, and compares all there is to see.
func FuzzAgainstApimachinery(f *testing.F) {
	for _, v := range vectors() {
		f.Add(v.inputs[0], v.inputs[len(v.inputs)-1], v.via == "raw")
	}
	f.Fuzz(compare)
}

var rounds = flag.Int("rounds", 100_000, "how many random inputs TestRandom compares")

// TestRandom is faster than fuzzing, and most of its inputs are quantities.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range *rounds {
		a, b := quote(random(rnd)), quote(random(rnd))
		raw := rnd.IntN(3) == 0
		if raw {
			a, b = mutate(rnd, a), mutate(rnd, b)
		}
		compare(t, a, b, raw)
	}
}

func compare(t *testing.T, a, b string, raw bool) {
	if costly(a) || costly(b) {
		return
	}
	via := "json"
	if raw {
		via = "raw"
	}
	var want, want2 resource.Quantity
	var got, got2 quantity.Quantity
	for _, in := range []string{a, b} {
		want2, got2 = want, got
		wantErr, gotErr := decode(via, in, &want), decode(via, in, &got)
		if w, g := errorText(wantErr), errorText(gotErr); w != g {
			t.Fatalf("%q: error %q, want %q", in, g, w)
		}
		if w, g := dump.ForHash(want), printed(dump.ForHash(got)); w != g {
			t.Fatalf("%q: dump\n%s, want\n%s", in, g, w)
		}
		w, _ := want.MarshalJSON()
		if g, _ := got.MarshalJSON(); string(g) != string(w) {
			t.Fatalf("%q: encoded %q, want %q", in, g, w)
		}
	}
	if far(want) || far(want2) {
		return
	}
	if n, ok := want.AsInt64(); ok {
		if g, ok := got.Int64(); !ok || g != n {
			t.Fatalf("%q: Int64 %d, %t, want %d", b, g, ok, n)
		}
	}
	want, want2 = want.DeepCopy(), want2.DeepCopy()
	if w, g := want.Cmp(want2), got.Cmp(got2); w != g {
		t.Fatalf("%q: Cmp %q = %d, want %d", a, b, g, w)
	}
	if w, g := want.AsFloat64Slow(), got.Float64(); w != g && (w-g)/w > 1e-15 {
		t.Fatalf("%q: Float64 %v, want %v", b, g, w)
	}
	if n, ok := got.MilliValue(); ok && want.Sign() >= 0 && n != want.MilliValue() && n < 1<<53 {
		t.Fatalf("%q: MilliValue %d, want %d", b, n, want.MilliValue())
	}
}

// far reports whether comparing q is beyond apimachinery: it would compute a power
// of ten as long as the exponent, which may also wrap around.
func far(q resource.Quantity) bool {
	for _, m := range scales.FindAllStringSubmatch(dump.ForHash(q), -1) {
		if len(m[1]) > 4 {
			return true
		}
	}
	return false
}

var scales = regexp.MustCompile(`scale:\(\w+\.Scale\)(-?\d+)`)

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// printed gives the types of package quantity the names of apimachinery's.
func printed(dump string) string {
	for t, name := range quantity.PrintedNames() {
		dump = strings.ReplaceAll(dump, "("+t.String()+")", "("+name+")")
		dump = strings.ReplaceAll(dump, "(*"+t.String()+")", "(*"+name+")")
	}
	return dump
}
