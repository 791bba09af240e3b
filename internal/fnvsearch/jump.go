package fnvsearch

// jump is what the text before a cut does to a state of FNV-1a. The low byte of
// the new state depends on the low byte of the old one alone, so that it can be
// undone as well.
type jump struct {
	power, inverse uint32
	table          [256]uint32 // by the old low byte
	low            [256]uint8  // the old low byte by the new one
}

func (j *jump) do(h uint32) uint32 { return (h&^255)*j.power + j.table[h&255] }

func (j *jump) undo(h uint32) uint32 {
	l := j.low[h&255]
	return (h-j.table[l])*j.inverse | uint32(l)
}

// Cut prepares jumps between places of the text, which must be in ascending
// order and replace those of an earlier Cut. Each takes 1.3 kB, and the text is
// hashed 256 times up to the last. CRC32 needs none.
func (t *Text) Cut(places []int) {
	t.cuts = make(map[int]*jump, len(places))
	if t.alg != FNV1a {
		return
	}
	at, power, inverse := 0, uint32(1), uint32(1)
	var lanes [256]uint32
	for i := range lanes {
		lanes[i] = uint32(i)
	}
	for _, place := range places {
		for ; at < place; at++ {
			c := uint32(t.Bytes[at])
			for i, h := range lanes {
				lanes[i] = (h ^ c) * fnvPrime
			}
			power *= fnvPrime
			inverse *= fnvInverse
		}
		if t.cuts[place] != nil {
			continue
		}
		j := &jump{power: power, inverse: inverse, table: lanes}
		for i, h := range lanes {
			j.low[h&255] = uint8(i)
		}
		t.cuts[place] = j
	}
}

// Between returns the state after bytes a to b, from h.
func (t *Text) Between(a, b int, h uint32) uint32 {
	const (
		short    = 16  // hashed faster than two cuts are looked up
		shortCRC = 200 // hashed faster than multiplied
	)
	switch {
	case t.alg == CRC32 && b-a > shortCRC:
		return crcShift(h^t.fwd[a], b-a) ^ t.fwd[b]
	case t.alg == FNV1a && b-a > short:
		if from, to := t.cuts[a], t.cuts[b]; from != nil && to != nil {
			return to.do(from.undo(h))
		}
	}
	for _, c := range t.Bytes[a:b] {
		h = t.alg.step(h, c)
	}
	return h
}

// Track returns a number for state h before byte i, which must be a place of Cut
// unless the algorithm is CRC32. Two states at two places have the same number
// exactly if the text between leads from one to the other: the state that they
// come from, or lead to, at one end of the text.
func (t *Text) Track(i int, h uint32) (uint32, bool) {
	if t.alg == CRC32 {
		return crcShift(h^t.fwd[i], len(t.Bytes)-i), true
	}
	if j := t.cuts[i]; j != nil {
		return j.undo(h), true
	}
	return 0, false
}
