package quantity

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	long := strings.Repeat("9", 19)
	for _, test := range []struct {
		in   string
		want error
	}{
		{"", ErrFormatWrong},
		{"1x", ErrFormatWrong},
		{"1.1.1", ErrFormatWrong},
		{"1K", ErrSuffix},
		{"1ee3", ErrSuffix},
		{".e-10", ErrNumeric},
		{"1" + strings.Repeat("0", maxShift), nil},
		{long + "e4087", nil},
		{long + "e4088", ErrTooLarge},
		{"-" + long + "e2000000000", ErrTooLarge},
		{long + "e2147483639", ErrTooLarge}, // inf.Dec panics
		{"1e2147483647", nil},
		{"1e-2147483648", nil},
		{long + "e-2147483648", nil},
	} {
		if _, err := Parse(test.in); !errors.Is(err, test.want) {
			t.Errorf("%q: %v, want %v", test.in, err, test.want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, test := range []struct {
		in    string
		n     int64 // -1: not an integer, or too large
		milli int64 // -1: too large
		float float64
	}{
		{"0", 0, 0, 0},
		{"0.0000000000", 0, 0, 0},
		{"0e2000000000", 0, 0, 0},
		{"500m", -1, 500, 0.5},
		{"2000m", 2, 2000, 2},
		{"-2", -2, -2000, -2},
		{"0.1m", -1, 1, 0.0001},
		{"1n", -1, 1, 1e-9},
		{"1e-2000000000", -1, 1, 1e-9},
		{"1.5Gi", 1536 << 20, 1536 << 20 * 1000, 1536 << 20},
		{"9223372036854775807", math.MaxInt64, -1, 1 << 63},
		{"9223372036854775808", -1, -1, 1 << 63},
		{"100Ei", math.MaxInt64, -1, 1 << 63},
		{"1e18", 1e18, -1, 1e18},
		{"1e19", -1, -1, 1e19},
		{"1e2000000000", -1, -1, math.Inf(1)},
	} {
		q, err := Parse(test.in)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := q.Int64(); ok != (test.n != -1) || ok && n != test.n {
			t.Errorf("%q: Int64 %d, %t, want %d", test.in, n, ok, test.n)
		}
		if n, ok := q.MilliValue(); ok != (test.milli != -1) || ok && n != test.milli {
			t.Errorf("%q: MilliValue %d, %t, want %d", test.in, n, ok, test.milli)
		}
		if f := q.Float64(); f != test.float {
			t.Errorf("%q: Float64 %v, want %v", test.in, f, test.float)
		}
	}
}

func TestCmp(t *testing.T) {
	// In ascending order; what shares a line is equal.
	ladder := [][]string{
		{"-1e2000000000"},
		{"-99999999999999999999"},
		{"-1Gi", "-1024Mi"},
		{"-1", "-1000m", "-1.0"},
		{"-1n", "-1e-1000000000"},
		{"0", "-0", "0Ki", "0.00000000000", "0e2000000000", "+"},
		{"1n", "0.0000000001"},
		{"999m"},
		{"1", "1000m", "1e0", "1000000000n"},
		{"1000000001n"},
		{"9.5"},
		{"10"},
		{"8e1", "80.000"},
		{"81.00", "81"}, // maxDigits is exact for 8100, but not for 8
		{"1G", "1e9"},
		{"1Gi", "1024Mi", "1073741824"},
		{"9223372036854775807", "8Ei"},
		{"99999999999999999999"},
		{"1e20", "100E"},
		{"1e2000000000", "10e1999999999"},
		{"1e2147483647"},
	}
	for i, row := range ladder {
		for j, other := range ladder {
			want := min(max(i-j, -1), 1)
			for _, a := range row {
				for _, b := range other {
					p, err := Parse(a)
					if err != nil {
						t.Fatal(err)
					}
					q, err := Parse(b)
					if err != nil {
						t.Fatal(err)
					}
					if got := p.Cmp(q); got != want {
						t.Errorf("Cmp(%q, %q) = %d, want %d", a, b, got, want)
					}
					if got := p.Equal(q); got != (want == 0) {
						t.Errorf("Equal(%q, %q) = %t", a, b, got)
					}
				}
			}
		}
	}
}

func TestZeroValue(t *testing.T) {
	var q Quantity
	if got := q.String(); got != "0" {
		t.Errorf("zero Quantity is %q, want 0", got)
	}
	if err := q.UnmarshalJSON([]byte("null")); err != nil || q != (Quantity{}) {
		t.Errorf("null decodes to %+v, %v, want the zero Quantity", q, err)
	}
}
