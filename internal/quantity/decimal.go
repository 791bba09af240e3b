package quantity

import (
	"math"
	"math/big"
	"strings"
)

// decimal is unscaled·10^-scale. It has the fields of an inf.Dec, and rounding
// wraps around in int32 where inf.Dec does.
type decimal struct {
	unscaled big.Int
	scale    decimalScale
}

type decimalScale int32

// maxShift bounds the zeros that rounding may append to a number, so that a few
// bytes of input cannot ask for megabytes. Amounts Kubernetes can mean have 28
// digits at most.
const maxShift = 4096

// parseDecimal reads digits with an optional sign and point.
func parseDecimal(s string) (*decimal, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	d := new(decimal)
	if _, ok := d.unscaled.SetString(whole+fraction, 10); !ok {
		return nil, false
	}
	d.scale = decimalScale(len(fraction))
	return d, true
}

// roundUp gives a non-zero d the wanted scale, away from zero.
func (d *decimal) roundUp(want decimalScale) error {
	shift := want - d.scale // may wrap around
	switch {
	case shift > maxShift, shift == math.MinInt32:
		// inf.Dec appends the zeros all the same, up to 2^31 of them. For the
		// smallest shift, which has no negative, it indexes out of range.
		return ErrTooLarge
	case shift > 0:
		d.unscaled.Mul(&d.unscaled, pow10(int64(shift)))
	case shift < 0:
		divideUp(&d.unscaled, int64(-shift))
	}
	d.scale = want
	return nil
}

// divideUp divides x, not zero, by 10^n, rounding away from zero, and reports
// whether that was exact. It never computes with numbers longer than x.
func divideUp(x *big.Int, n int64) (exact bool) {
	sign := int64(x.Sign())
	if n >= maxDigits(x) {
		x.SetInt64(sign)
		return false
	}
	_, rest := x.QuoRem(x, pow10(n), new(big.Int))
	if rest.Sign() == 0 {
		return true
	}
	x.Add(x, big.NewInt(sign))
	return false
}

// pow10 returns 10^n. Int.Exp would do, but brings in modular arithmetic.
func pow10(n int64) *big.Int {
	power, square := big.NewInt(1), big.NewInt(10)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power.Mul(power, square)
		}
		if n > 1 {
			square.Mul(square, square)
		}
	}
	return power
}

// maxDigits returns the number of decimal digits of x, or one more.
func maxDigits(x *big.Int) int64 {
	const log2 = 30103 // of 100000, rounded up
	return int64(x.BitLen())*log2/100000 + 1
}
