package kubelet

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// The authority on fractions is big.Rat.
func TestDivided(t *testing.T) {
	numbers := []string{"0", "-0", "1", "-1", "1024", "1000", "0.5", "-0.5", "1e3", "15E-1", "1.50", ".5", "7.", "100000000000000000000000"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		n := fmt.Sprint(r.Int64N(1<<r.IntN(62)+1) - r.Int64N(1000))
		switch r.IntN(4) {
		case 0:
			n += fmt.Sprintf(".%d", r.IntN(100_000))
		case 1:
			n += fmt.Sprintf("e%d", r.IntN(40)-20)
		}
		numbers = append(numbers, n)
	}
	for _, number := range numbers {
		for _, factor := range []int64{1000, 1024} {
			n, ok := new(big.Rat).SetString(number)
			if !ok {
				t.Fatal(number)
			}
			digits, exact := n.Quo(n, big.NewRat(factor, 1)).FloatPrec()
			want := n.FloatString(digits)
			if got, ok := divided(number, factor == 1024); !ok || !exact || got != want {
				t.Errorf("%s / %d = %q, %v; want %q", number, factor, got, ok, want)
			}
		}
	}
	for _, number := range []string{"", "x", "1.2.3", "e", "1e", "1e99999", "--1", "1_0"} {
		if got, ok := divided(number, false); ok {
			t.Errorf("%q is %q", number, got)
		}
	}
}

// An amount of a million digits is not spelled again for each guess.
func TestLongAmount(t *testing.T) {
	blob := `{"allocationEntries":{"pod":{"app":{"cpu":"` + strings.Repeat("7", 1_000_000) + `","memory":"1Gi"}}},"checksum":1}`
	if v := Judge([]byte(blob), Options{Kind: Allocated}); v.State != StateCorrupt {
		t.Errorf("the state is %s", v.State)
	}
}
