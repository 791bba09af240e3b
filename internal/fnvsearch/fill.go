package fnvsearch

// Fill yields the strings of two to four letters that lead from state h to state
// g, for FNV1a; for CRC32, of two or three. One letter in the middle is computed
// and not tried, so that n letters cost len(letters) to the power of n-2, or n-1
// for CRC32.
func (t *Text) Fill(h, g uint32, n int, letters string, yield func(string)) {
	if n < 2 || n > t.LongestFill() {
		return
	}
	var allowed [256]bool
	for i := range len(letters) {
		allowed[letters[i]] = true
	}
	heads := []head{{state: h}}
	if n > 2 {
		heads = heads[:0]
		for i := range len(letters) {
			heads = append(heads, head{t.alg.step(h, letters[i]), letters[i : i+1]})
		}
	}
	byHigh := map[uint32][]head{} // FNV1a: the letter changes the low byte of the state alone
	for _, first := range heads {
		byHigh[first.state>>8] = append(byHigh[first.state>>8], first)
	}
	match := func(g uint32, tail string) {
		some := heads
		if t.alg == FNV1a {
			some = byHigh[(g*fnvInverse)>>8]
		}
		for _, first := range some {
			if c, ok := t.alg.solve(first.state, g); ok && allowed[c] {
				yield(first.text + string([]byte{c}) + tail)
			}
		}
	}
	for i := range len(letters) {
		last := t.alg.back(g, letters[i])
		if n < 4 {
			match(last, letters[i:i+1])
			continue
		}
		for k := range len(letters) {
			match(t.alg.back(last, letters[k]), letters[k:k+1]+letters[i:i+1])
		}
	}
}

// LongestFill is how many letters Fill can find at once.
func (t *Text) LongestFill() int {
	if t.alg == CRC32 {
		return 3
	}
	return 4
}

// head is what the first letters lead to.
type head struct {
	state uint32
	text  string
}
