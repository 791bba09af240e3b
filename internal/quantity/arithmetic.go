package quantity

import "math/big"

// New returns n, or n thousandths if milli, in the given format.
func New(n int64, milli bool, format Format) Quantity {
	q := Quantity{i: int64Amount{value: n}, Format: format}
	if milli {
		q.i.scale = -3
	}
	return q
}

// Sign returns -1, 0 or 1.
func (q Quantity) Sign() int {
	x, _ := q.decompose()
	return x.Sign()
}

// Add returns the sum. It is written in the format of q, or of r if q is 0.
// It reports false if the exponents are too far apart to compute with.
func (q Quantity) Add(r Quantity) (Quantity, bool) {
	switch {
	case r.Sign() == 0:
		q.s = ""
		return q, true
	case q.Sign() == 0:
		r.s = ""
		return r, true
	}
	a, ae := q.decompose()
	b, be := r.decompose()
	if ae-be > maxShift || be-ae > maxShift {
		return Quantity{}, false
	}
	exponent := min(ae, be)
	a = new(big.Int).Mul(a, pow10(ae-exponent))
	b = new(big.Int).Mul(b, pow10(be-exponent))
	sum := &decimal{scale: decimalScale(-exponent)}
	sum.unscaled.Add(a, b)
	return Quantity{d: infDecAmount{sum}, Format: q.Format}, true
}

// MicroValue returns a million times the amount, rounded away from zero. It
// reports false if that does not fit an int64.
func (q Quantity) MicroValue() (n int64, ok bool) {
	x, _, ok := q.scaled(6)
	if !ok || !x.IsInt64() {
		return 0, false
	}
	return x.Int64(), true
}

// Plain returns the amount if it is kept as an integer: it is false not only for
// a fraction, but also for 1000m and for 1.5Gi, which a kubelet cannot convert.
func (q Quantity) Plain() (n int64, ok bool) {
	if q.d.Dec != nil || q.i.scale < 0 {
		return 0, false
	}
	return q.Int64()
}
