package quantity

import (
	"math"
	"strconv"
	"strings"
)

// MarshalJSON encodes q as the kubelet writes it: the cached text where there is
// one, else the canonical form as of [Quantity.String].
func (q Quantity) MarshalJSON() ([]byte, error) {
	return []byte(`"` + q.String() + `"`), nil
}

// String returns the text q was decoded from, if that passed for canonical, else
// the canonical form: an integer with the largest suffix of q's format that
// leaves it one. Binary amounts below 1024, or with a fraction, get a decimal suffix.
func (q Quantity) String() string {
	switch {
	case q.s != "":
		return q.s
	case q.isZero():
		return "0"
	case q.Format == BinarySI:
		if n, ok := q.Int64(); ok && (n <= -1024 || n >= 1024) {
			return formatBinary(n)
		}
		return q.formatDecimal(DecimalSI)
	}
	return q.formatDecimal(q.Format)
}

func formatBinary(n int64) string {
	unit := ""
	if n == math.MinInt64 { // its negative overflows, and so a kubelet finds no suffix
		return strconv.FormatInt(n, 10)
	}
	for i := 0; n%1024 == 0 && i < len(binarySuffixes); i++ {
		n /= 1024
		unit = binarySuffixes[i]
	}
	return strconv.FormatInt(n, 10) + unit
}

func (q Quantity) formatDecimal(format Format) string {
	var digits string
	var exponent int32
	if d := q.d.Dec; d != nil {
		digits, exponent = d.unscaled.String(), int32(-d.scale)
	} else {
		digits, exponent = strconv.FormatInt(q.i.value, 10), int32(q.i.scale)
	}

	short := strings.TrimRight(digits, "0")
	exponent += int32(len(digits) - len(short)) // may wrap around
	zeros := (exponent%3 + 3) % 3
	exponent -= zeros
	return short + strings.Repeat("0", int(zeros)) + decimalSuffix(exponent, format)
}
