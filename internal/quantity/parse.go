package quantity

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// The reasons for which a kubelet refuses a quantity, in its words.
var (
	ErrFormatWrong = errors.New("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
	ErrNumeric     = errors.New("unable to parse numeric part of quantity")
	ErrSuffix      = errors.New("unable to parse quantity's suffix")
)

// ErrTooLarge is ours alone. It takes a number of at least 19 digits with an
// exponent that appends more than four thousand zeros to it. A kubelet appends
// them all, and towards an exponent of 2^31 it runs out of memory or crashes.
var ErrTooLarge = errors.New("quantity has an exponent too large to compute with")

const (
	nano = -9

	// fastDigits is how many decimal digits an int64 is sure to hold.
	fastDigits = 18
)

// UnmarshalJSON decodes a string, a number or null. Escapes in the string are not
// decoded, white space around its content is dropped. Any other JSON fails with
// [ErrFormatWrong]. Null sets the amount to zero but keeps the cached text and
// format, so that a Quantity decoded twice still encodes as its first value.
func (q *Quantity) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		q.i, q.d = int64Amount{}, infDecAmount{}
		return nil
	}
	if n := len(b); n >= 2 && b[0] == '"' && b[n-1] == '"' {
		b = b[1 : n-1]
	}
	parsed, err := Parse(strings.TrimSpace(string(b)))
	if err != nil {
		return err
	}
	*q = parsed
	return nil
}

// Parse reads a quantity: an optional sign, digits with an optional point, and a
// suffix. An amount finer than nano is rounded away from zero; one with a binary
// suffix is capped at the largest int64.
func Parse(s string) (Quantity, error) {
	switch s {
	case "":
		return Quantity{}, ErrFormatWrong
	case "0":
		return Quantity{s: s, Format: DecimalSI}, nil
	}
	p, err := split(s)
	if err != nil {
		return Quantity{}, err
	}
	unit, ok := parseSuffix(p.suffix)
	if !ok {
		return Quantity{}, ErrSuffix
	}
	if q, ok := parseFast(s, p, unit); ok {
		return q, nil
	}
	return parseExact(p, unit)
}

// parts are the pieces of a quantity's text.
type parts struct {
	negative        bool
	whole, fraction string // digits; whole has no leading zero, unless it is "0"
	number, suffix  string // the text in two; number has the sign and the zeros
}

// split cuts s at its suffix. It accepts a number without any digit, like "+",
// "." or "Ki".
func split(s string) (parts, error) {
	var p parts
	rest := s
	if rest[0] == '+' || rest[0] == '-' {
		p.negative = rest[0] == '-'
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, "0")
	p.whole, rest = cutDigits(rest)
	if p.whole == "" {
		p.whole = "0"
	}
	if strings.HasPrefix(rest, ".") {
		p.fraction, rest = cutDigits(rest[1:])
	}
	p.number, p.suffix = s[:len(s)-len(rest)], rest

	rest = strings.TrimLeft(rest, "eEinumkKMGTP")
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	if _, rest = cutDigits(rest); rest != "" {
		return parts{}, ErrFormatWrong
	}
	return p, nil
}

func cutDigits(s string) (digits, rest string) {
	rest = strings.TrimLeft(s, "0123456789")
	return s[:len(s)-len(rest)], rest
}

// parseFast is the reading of short numbers, which decides what a dump shows: the
// amount as an int64Amount, and the text itself where it is taken for canonical.
// It reports false for all that parseExact has to read.
func parseFast(s string, p parts, unit suffix) (Quantity, bool) {
	digits := p.whole + p.fraction
	room := fastDigits - len(digits)
	exponent := scale(unit.exponent)
	factor := int64(1)
	if unit.format == BinarySI {
		if p.fraction != "" {
			return Quantity{}, false
		}
		room = 14 - len(digits) - int(unit.exponent)*3/10
		factor, exponent = 1<<unit.exponent, 0
	}
	exponent -= scale(len(p.fraction)) // may wrap around
	if room < 0 || exponent < nano {
		return Quantity{}, false
	}
	value, _ := strconv.ParseInt(digits, 10, 64) // fits, and so does its product
	q := Quantity{i: int64Amount{value: factor * value, scale: exponent}, Format: unit.format}
	if p.negative {
		q.i.value = -q.i.value
	}
	// Not the exact condition for being canonical ("1.500" and "+1" pass), but
	// the one that Kubernetes keeps the text by.
	canonical := exponent%3 == 0 && digits[0] != '0' && !strings.HasSuffix(digits, "000")
	if unit.format == BinarySI {
		canonical = value%8 != 0
	}
	if canonical {
		q.s = s
	}
	return q, true
}

// parseExact reads a number of any length, to the nano.
func parseExact(p parts, unit suffix) (Quantity, error) {
	d, ok := parseDecimal(p.number)
	if !ok {
		return Quantity{}, ErrNumeric
	}
	q := Quantity{d: infDecAmount{d}, Format: unit.format}
	if unit.format == BinarySI {
		d.unscaled.Lsh(&d.unscaled, uint(unit.exponent))
	} else {
		d.scale -= decimalScale(unit.exponent) // may wrap around
	}
	if d.unscaled.Sign() == 0 {
		return q, nil
	}
	if err := d.roundUp(-nano); err != nil {
		return Quantity{}, err
	}
	if unit.format == BinarySI {
		q.Format = d.limitBinary()
	}
	return q, nil
}

// limitBinary caps d, of scale nano, at the largest int64. It returns the format
// to write d in: less than 1 has no binary suffix.
func (d *decimal) limitBinary() Format {
	one := big.NewInt(1e9)
	if d.unscaled.CmpAbs(one) < 0 {
		return DecimalSI
	}
	most := big.NewInt(math.MaxInt64)
	if d.unscaled.CmpAbs(new(big.Int).Mul(most, one)) > 0 {
		if d.unscaled.Sign() < 0 {
			most.Neg(most)
		}
		*d = decimal{unscaled: *most}
	}
	return BinarySI
}
