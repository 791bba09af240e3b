package quantity

import (
	"math"
	"testing"
)

func TestAdd(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"0", "100Mi", "100Mi"},
		{"1Gi", "100Mi", "1124Mi"},
		{"1505755136", "100Mi", "1610612736"},
		{"100Mi", "1505755136", "1536Mi"},
		{"500m", "1", "1500m"},
		{"1.5", "0.5", "2"},
		{"1e3", "24", "1024"},
		{"1Gi", "1m", "1073741824001m"},
		{"0", "0", "0"},
		{"9223372036854775807", "1", "9223372036854775808"},
	} {
		a, b := mustParse(t, c.a), mustParse(t, c.b)
		sum, ok := a.Add(b)
		if !ok || sum.String() != c.want {
			t.Errorf("%s + %s = %s %t, want %s", c.a, c.b, sum, ok, c.want)
		}
	}
	if _, ok := mustParse(t, "1").Add(mustParse(t, "1e2000000000")); ok {
		t.Error("adds a number of two thousand million digits")
	}
}

// The lowest int64 has no positive counterpart to divide by 1024, so a kubelet
// writes it without a suffix.
func TestLowestBinary(t *testing.T) {
	for n, want := range map[int64]string{math.MinInt64: "-9223372036854775808", math.MinInt64 + 1<<30: "-8589934591Gi", -1 << 62: "-4Ei"} {
		if got := New(n, false, BinarySI).String(); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}

func TestMicroValue(t *testing.T) {
	for text, want := range map[string]int64{"1": 1000000, "100u": 100, "1n": 1, "1000100u": 1000100, "1.0000001": 1000001} {
		if n, ok := mustParse(t, text).MicroValue(); !ok || n != want {
			t.Errorf("%s: %d %t, want %d", text, n, ok, want)
		}
	}
}

func mustParse(t *testing.T, text string) Quantity {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]bool{"1": true, "1Gi": true, "2k": true, "1000m": false, "1.5Gi": false, "0.5": false} {
		if _, ok := mustParse(t, text).Plain(); ok != want {
			t.Errorf("%s: %t, want %t", text, ok, want)
		}
	}
}
