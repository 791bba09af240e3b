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
// hashed 256 times up to the last. For CRC32 there are no jumps; Between is
// right all the same, only slower.
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
	const short = 16 // hashed faster than two cuts are looked up
	if b-a > short {
		if from, to := t.cuts[a], t.cuts[b]; from != nil && to != nil {
			return to.do(from.undo(h))
		}
	}
	for _, c := range t.Bytes[a:b] {
		h = t.alg.step(h, c)
	}
	return h
}
