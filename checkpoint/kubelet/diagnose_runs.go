package kubelet

// Runs of up to four bytes that were put in, replaced or lost, within one value.

const longestRun = 40

// putIn tries the text without each short run of bytes.
func (s *search) putIn() {
	start := max(s.sk.json, 0)
	tok := 0
	for i := start; i < len(s.sk.text) && !s.d.stopped(); i++ {
		for tok < len(s.sk.tokens) && s.sk.tokens[tok].b <= i {
			tok++
		}
		in := -1
		if tok < len(s.sk.tokens) && s.sk.tokens[tok].a <= i {
			in = tok
		}
		if in < 0 && s.sk.json < 0 {
			continue
		}
		for b := i + 2; b <= min(i+longestRun, len(s.sk.text)); b++ {
			s.tried++
			if s.text.Without(i, b) {
				s.byteHit(i, b, "", in)
			}
		}
	}
	for i := range s.sk.tokens { // under its old name an entry may have stood elsewhere
		t := &s.sk.tokens[i]
		if s.d.stopped() {
			return
		}
		const longest = 8
		if _, ordered := s.slotOf[i]; !t.key || !ordered || s.inner != nil || t.tooLong((longest-1)*len(t.value)) {
			continue
		}
		for a := 0; a < len(t.value) && !s.d.stopped(); a++ {
			for b := a + 2; b <= min(a+longest, len(t.value)); b++ {
				s.value(i, t.value[:a]+t.value[b:])
			}
		}
	}
}

// Candidates for the bytes that were lost or replaced where a value stands. Of so
// many, one file in a hundred has a wrong one, or three of the values that no
// kubelet can have written. Names under which an entry stood elsewhere come on
// top, see lostMoved; tried has them all.
const (
	mostLost    = 1 << 25
	mostLostOdd = 1 << 27
)

// lostCost is how many candidates lostIn tries where the value stands.
func (s *search) lostCost(tok, n int) uint64 {
	t := &s.sk.tokens[tok]
	return 2 * uint64(len(t.value)+1) * power(uint64(len(t.role.runLetters())), n)
}

// lost tries two to four other bytes in each place of each value, the sorts of
// values with the fewest letters first, until chance would find too many.
func (s *search) lost() {
	left := uint64(mostLost)
	for n := 2; n <= s.text.LongestFill(); n++ {
		for _, r := range []role{roleCPUs, roleUID, roleBytes, roleQuantity, roleName, roleResource} {
			cost := uint64(0)
			var toks []int
			for i := range s.sk.tokens {
				if t := &s.sk.tokens[i]; t.role == r && (t.spell == nil || s.sk.json >= 0) {
					cost += s.lostCost(i, n)
					toks = append(toks, i)
				}
			}
			if cost > left {
				continue
			}
			left -= cost
			for _, i := range toks {
				if s.d.stopped() {
					return
				}
				s.lostIn(i, n)
			}
		}
		if len(s.hits) > 0 {
			return
		}
	}
}

func power(x uint64, n int) (p uint64) {
	for p = 1; n > 0; n-- {
		p *= x
	}
	return p
}

// runLetters are letters without those that hardly any value of the role has.
func (r role) runLetters() string {
	switch r {
	case roleCPUs:
		return "0123456789-,"
	case roleQuantity:
		return "0123456789mkMGTPEi."
	case roleBytes:
		return "0123456789"
	case roleResource:
		return "0123456789abcdefghijklmnopqrstuvwxyz-./"
	}
	return r.letters()
}

// lostIn tries n letters in place of none, and of n, everywhere in one value.
func (s *search) lostIn(tok, n int) {
	t := &s.sk.tokens[tok]
	if t.spell != nil && s.sk.json < 0 || t.b-t.a != len(t.value) {
		return // its text is not its value
	}
	letters := t.role.runLetters()
	try := func(p, cut int, h, g uint32) {
		s.tried += power(uint64(len(letters)), n)
		s.text.Fill(h, g, n, letters, func(text string) {
			old := t.value[:p] + text + t.value[p+cut:]
			if !t.role.fits(s.kind, old) {
				return
			}
			if t.key {
				s.put(tok, old)
				return
			}
			s.hit(hit{kind: KindValue, tok: tok, old: old}, true)
		})
	}
	for _, cut := range []int{0, n} {
		for p := 0; p+cut <= len(t.value) && !s.d.stopped(); p++ {
			try(p, cut, s.text.At(t.a+p), s.text.Needed(t.a+p+cut))
		}
	}
	if at, ok := s.slotOf[tok]; ok && t.key && s.sk.groups[at[0]].order == byKey {
		s.lostMoved(tok, n, try)
	}
}

// lostMoved does the same for a name under which its entry stood elsewhere: the
// places in front of where it differs from its neighbours.
func (s *search) lostMoved(tok, n int, try func(p, cut int, h, g uint32)) {
	const most = 4_000_000 // bytes
	t := &s.sk.tokens[tok]
	at := s.slotOf[tok]
	g := &s.sk.groups[at[0]]
	i := at[1]
	first := 0
	for _, k := range []int{i - 1, i + 1} {
		if k >= 0 && k < len(g.entries) {
			first = max(first, commonPrefix(t.value, s.sk.tokens[g.entries[k].key].value))
		}
	}
	if len(g.entries)*(first+1)*(g.b-g.a) > most {
		return
	}
	e := g.entries[i]
	text := string(s.sk.text)
	rest := text[t.b:e.b] // all but the name
	for j := range g.entries {
		if s.d.stopped() {
			return
		}
		var h, need uint32 // before the name in its other place, and behind its entry
		switch {
		case j < i:
			h = s.text.At(g.entries[j].a)
			need = s.text.Back(s.text.Needed(e.b), " "+text[g.entries[j].a:g.entries[i-1].b])
		case j > i:
			h = s.text.Run(s.text.At(e.a), text[g.entries[i+1].a:g.entries[j].b]+" ")
			need = s.text.Needed(g.entries[j].b)
		default:
			continue
		}
		for _, cut := range []int{0, n} {
			for p := 0; p <= first && p+cut <= len(t.value) && !s.d.stopped(); p++ {
				try(p, cut, s.text.Run(h, t.value[:p]), s.text.Back(need, t.value[p+cut:]+rest))
			}
		}
	}
}
