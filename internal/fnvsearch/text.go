package fnvsearch

// A Text is a text beside the sum that it should have. Its methods only read
// it, except for Cut.
type Text struct {
	Bytes []byte // not to be changed

	alg  Algorithm
	fwd  []uint32 // fwd[i]: the state before byte i
	need []uint32 // need[i]: the state before byte i from which the rest leads to the sum

	cuts map[int]*jump
}

// New prepares text for questions. It takes eight bytes of memory a byte.
func New(alg Algorithm, text []byte, sum uint32) *Text {
	t := &Text{Bytes: text, alg: alg, fwd: make([]uint32, len(text)+1), need: make([]uint32, len(text)+1)}
	h := alg.start()
	for i, c := range text {
		t.fwd[i] = h
		h = alg.step(h, c)
	}
	t.fwd[len(text)] = h
	h = alg.final(sum)
	for i := len(text) - 1; i >= 0; i-- {
		t.need[i+1] = h
		h = alg.back(h, text[i])
	}
	t.need[0] = h
	return t
}

// Fits reports whether the text has the sum as it is.
func (t *Text) Fits() bool { return t.fwd[0] == t.need[0] }

// At returns the state before byte i.
func (t *Text) At(i int) uint32 { return t.fwd[i] }

// Ends reports whether what follows byte i leads from h to the sum.
func (t *Text) Ends(i int, h uint32) bool { return t.need[i] == h }

// Needed returns the state before byte i from which the rest leads to the sum.
func (t *Text) Needed(i int) uint32 { return t.need[i] }

// Run returns the state after s, from h.
func (t *Text) Run(h uint32, s string) uint32 { return run(t.alg, h, s) }

// RunBytes is Run for bytes.
func (t *Text) RunBytes(h uint32, s []byte) uint32 { return run(t.alg, h, s) }

// Back returns the state from which s leads to h.
func (t *Text) Back(h uint32, s string) uint32 {
	for i := len(s) - 1; i >= 0; i-- {
		h = t.alg.back(h, s[i])
	}
	return h
}

func run[T ~string | ~[]byte](alg Algorithm, h uint32, s T) uint32 {
	if alg == FNV1a {
		for i := range len(s) {
			h = (h ^ uint32(s[i])) * fnvPrime
		}
		return h
	}
	for i := range len(s) {
		h = alg.step(h, s[i])
	}
	return h
}

// Replace reports whether the text has the sum with s in place of bytes a to b.
func (t *Text) Replace(a, b int, s string) bool { return t.Run(t.fwd[a], s) == t.need[b] }

// ReplaceBytes is Replace for bytes.
func (t *Text) ReplaceBytes(a, b int, s []byte) bool { return t.RunBytes(t.fwd[a], s) == t.need[b] }

// OneByte returns the byte that gives the sum in place of bytes a to b. With
// b == a+1 it is a byte that was changed, with b == a one that was lost.
func (t *Text) OneByte(a, b int) (byte, bool) { return t.alg.solve(t.fwd[a], t.need[b]) }

// Without reports whether the text has the sum without bytes a to b.
func (t *Text) Without(a, b int) bool { return t.fwd[a] == t.need[b] }
