package quantity

import (
	"cmp"
	"math/big"
	"strconv"
)

// Int64 returns the amount if it is an integer which fits an int64.
func (q Quantity) Int64() (n int64, ok bool) {
	x, exact, ok := q.scaled(0)
	if !ok || !exact || !x.IsInt64() {
		return 0, false
	}
	return x.Int64(), true
}

// MilliValue returns a thousand times the amount, such as the millicores of a cpu
// quantity, rounded away from zero. It reports false if that does not fit an int64.
func (q Quantity) MilliValue() (n int64, ok bool) {
	x, _, ok := q.scaled(3)
	if !ok || !x.IsInt64() {
		return 0, false
	}
	return x.Int64(), true
}

// Float64 returns the nearest float64, infinite if the amount is beyond all.
func (q Quantity) Float64() float64 {
	coefficient, exponent := q.decompose()
	f, _ := strconv.ParseFloat(coefficient.String()+"e"+strconv.FormatInt(exponent, 10), 64)
	return f
}

// Equal reports whether q and r are the same amount, in whatever notation.
func (q Quantity) Equal(r Quantity) bool { return q.Cmp(r) == 0 }

// Cmp returns -1 if q is less than r, 0 if it is the same amount, else 1.
func (q Quantity) Cmp(r Quantity) int {
	a, ae := q.decompose()
	b, be := r.decompose()
	sign := a.Sign()
	if sign != b.Sign() || sign == 0 {
		return cmp.Compare(sign, b.Sign())
	}
	// Exponents can be two thousand million apart: compare the lengths first.
	if longer := maxDigits(a) + ae - maxDigits(b) - be; longer > 1 {
		return sign
	} else if longer < -1 {
		return -sign
	}
	if ae > be {
		a = new(big.Int).Mul(a, pow10(ae-be))
	} else {
		b = new(big.Int).Mul(b, pow10(be-ae))
	}
	return a.Cmp(b)
}

// decompose returns the amount as coefficient·10^exponent. The coefficient is
// only to be read.
func (q Quantity) decompose() (coefficient *big.Int, exponent int64) {
	if d := q.d.Dec; d != nil {
		return &d.unscaled, -int64(d.scale)
	}
	return big.NewInt(q.i.value), int64(q.i.scale)
}

// scaled returns the amount times 10^n, rounded away from zero to an integer,
// and whether that is exact. It reports false for a result far beyond the range of an int64.
func (q Quantity) scaled(n int64) (x *big.Int, exact, ok bool) {
	x, exponent := q.decompose()
	exponent += n
	switch {
	case x.Sign() == 0:
		return x, true, true
	case exponent > 18:
		return nil, false, false
	case exponent >= 0:
		return new(big.Int).Mul(x, pow10(exponent)), true, true
	}
	x = new(big.Int).Set(x)
	return x, divideUp(x, -exponent), true
}
