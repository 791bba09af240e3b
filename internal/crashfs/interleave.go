package crashfs

import "iter"

// Interleave lists every order in which two traces can happen.
func Interleave(a, b []Op) iter.Seq[[]Op] {
	return func(yield func([]Op) bool) {
		merged := make([]Op, 0, len(a)+len(b))
		interleave(merged, a, b, yield)
	}
}

func interleave(done, a, b []Op, yield func([]Op) bool) bool {
	if len(a) == 0 || len(b) == 0 {
		return yield(append(append(done, a...), b...))
	}
	return interleave(append(done, a[0]), a[1:], b, yield) &&
		interleave(append(done, b[0]), a, b[1:], yield)
}
