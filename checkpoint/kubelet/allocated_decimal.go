package kubelet

import (
	"math/big"
	"strconv"
	"strings"
)

// divided divides a decimal number by 1000, or by 1024 if binary, and writes the
// result without an exponent or needless zeros. It does what big.Rat would do
// with much less code: a division by 1024 is one by 10¹⁰ after times 5¹⁰.
func divided(number string, binary bool) (string, bool) {
	number = strings.ToLower(number)
	number, power, scientific := strings.Cut(number, "e")
	whole, fraction, _ := strings.Cut(number, ".")
	n, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return "", false
	}
	places := len(fraction) // behind the point
	if scientific {
		const most = 1000
		exponent, err := strconv.Atoi(power)
		if err != nil || exponent < -most || exponent > most {
			return "", false
		}
		places -= exponent
	}
	if binary {
		n.Mul(n, big.NewInt(9_765_625))
		places += 10
	} else {
		places += 3
	}
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	digits := n.Abs(n).Text(10)
	if places < 0 {
		digits, places = digits+strings.Repeat("0", -places), 0
	}
	if missing := places + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - places
	if fraction = strings.TrimRight(digits[point:], "0"); fraction != "" {
		fraction = "." + fraction
	}
	return sign + digits[:point] + fraction, true
}
