package quantity

import (
	"slices"
	"strconv"
)

// suffix is what follows the digits of a quantity: a factor of 2^exponent for
// BinarySI, and of 10^exponent for the others.
type suffix struct {
	exponent int32
	format   Format
}

// decimalSuffixes are the powers of 1000 from nano to exa, binarySuffixes those
// of 1024 from kibi to exbi.
var (
	decimalSuffixes = [...]string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"}
	binarySuffixes  = [...]string{"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
)

const smallestDecimal = -9 // the exponent of decimalSuffixes[0]

// parseSuffix understands the letters and exponent at the end of a quantity.
func parseSuffix(s string) (suffix, bool) {
	if i := slices.Index(decimalSuffixes[:], s); i >= 0 {
		return suffix{int32(smallestDecimal + 3*i), DecimalSI}, true
	}
	if i := slices.Index(binarySuffixes[:], s); i >= 0 {
		return suffix{int32(10 * (i + 1)), BinarySI}, true
	}
	if len(s) < 2 || s[0] != 'e' && s[0] != 'E' {
		return suffix{}, false
	}
	e, err := strconv.ParseInt(s[1:], 10, 64)
	if err != nil {
		return suffix{}, false
	}
	// Kubernetes drops the upper half of an exponent too wide for it, and so
	// takes 1e4294967296 for 1.
	return suffix{int32(e), DecimalExponent}, true
}

// decimalSuffix returns the suffix for a power of ten divisible by three. An SI
// suffix beyond those there are is left out, which changes the number: 1000E is
// written "1". That is what Kubernetes does.
func decimalSuffix(exponent int32, format Format) string {
	if format != DecimalSI {
		if exponent == 0 {
			return ""
		}
		return "e" + strconv.Itoa(int(exponent))
	}
	i := (int64(exponent) - smallestDecimal) / 3
	if exponent < smallestDecimal || i >= int64(len(decimalSuffixes)) {
		return ""
	}
	return decimalSuffixes[i]
}
