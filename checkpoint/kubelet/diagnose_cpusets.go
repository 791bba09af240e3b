package kubelet

import (
	"slices"
	"strconv"
)

// cpuPairs tries that CPUs moved between the default set and one container.
func (s *search) cpuPairs() {
	v := s.cpus()
	if v.def < 0 {
		return
	}
	def := v.sets[v.def]
	pieces := piecesOf(def, v.top+1)
	for _, x := range pieces { // now in the default set
		rest := def.without(x).String()
		for _, i := range v.owners {
			if i == v.def {
				continue
			}
			s.cpuPair(v, i, rest, v.sets[i].or(x).String())
		}
		if s.d.stopped() {
			return
		}
	}
	for _, i := range v.owners { // now in the container's
		if i == v.def || s.d.stopped() {
			continue
		}
		for _, x := range piecesOf(v.sets[i], v.top+1) {
			s.cpuPair(v, i, def.or(x).String(), v.sets[i].without(x).String())
		}
	}
}

func (s *search) cpuPair(v *cpuView, i int, def, set string) {
	if s.d.stopped() {
		return
	}
	x, y := &s.sk.tokens[v.toks[v.def]], &s.sk.tokens[v.toks[i]]
	s.tried++
	textX, okX := x.inText(def)
	textY, okY := y.inText(set)
	if okX && okY && s.edits(edit{x.a, x.b, textX}, edit{y.a, y.b, textY}) {
		s.hit(hit{kind: KindPair, tok: v.toks[i], old: set, also: []Change{{x.path, def, x.value}}}, true)
	}
}

// piecesOf returns parts of a set that are given out together: runs, and with a
// second thread for each core. A large set is cut at the ends of its ranges only.
func piecesOf(b cpuBits, machine int) (pieces []cpuBits) {
	const (
		longest = 16
		most    = 4000
	)
	add := func(from, to int) {
		var run cpuBits
		for cpu := from; cpu <= to; cpu++ {
			run.set(cpu)
		}
		pieces = append(pieces, run)
		var both cpuBits
		for cpu := from; cpu <= to; cpu++ {
			if twin := cpu + machine/2; b.has(twin) {
				both.set(cpu)
				both.set(twin)
			}
		}
		if !both.empty() && from+machine/2 > to {
			pieces = append(pieces, both)
		}
	}
	count := 0
	for from, to := range b.ranges {
		count += to - from + 1
	}
	if !b.empty() {
		pieces = append(pieces, slices.Clone(b))
	}
	if count <= 96 { // every second CPU, where neighbours are threads or nodes
		for from := range len(b) * 64 {
			run := cpuBits{}
			for n := 0; n < longest && b.has(from+2*n); n++ {
				run.set(from + 2*n)
				if n > 0 {
					pieces = append(pieces, slices.Clone(run))
				}
			}
		}
	}
	for from, to := range b.ranges {
		if count > 96 {
			for n := 0; n < longest && from+n <= to; n++ {
				add(from, from+n)
				add(to-n, to)
			}
		} else {
			for a := from; a <= to; a++ {
				for c := a; c <= min(to, a+longest-1); c++ {
					add(a, c)
				}
			}
		}
		if len(pieces) > most {
			break
		}
	}
	return pieces
}

// cpuAlgebra makes each set from itself and another, changes single CPUs and
// single numbers, and on small machines tries every range.
func (s *search) cpuAlgebra() {
	v := s.cpus()
	if len(v.toks) == 0 {
		return
	}
	const most = 400_000
	budget := most
	for i, tok := range v.toks {
		for j := range v.toks {
			if i == j || budget <= 0 {
				continue
			}
			budget -= 3
			s.value(tok, s.sk.tokens[v.toks[j]].value)
			s.set(tok, v.sets[i].or(v.sets[j]))
			s.set(tok, v.sets[i].without(v.sets[j]))
		}
		if s.d.stopped() {
			return
		}
	}
	s.oneCPU(v)
	s.oneNumber(v)
	if n := v.top + 1; len(s.hits) == 0 && n*n/2*len(v.toks) < 2_000_000 {
		s.ranges(v, n)
	}
}

// oneCPU adds or removes one CPU.
func (s *search) oneCPU(v *cpuView) {
	for i, tok := range v.toks {
		set := slices.Clone(v.sets[i])
		for cpu := 0; cpu < v.top+2 && !s.d.stopped(); cpu++ {
			set.set(cpu)
			if v.sets[i].has(cpu) {
				set[cpu/64] &^= 1 << (cpu % 64)
			}
			s.set(tok, set)
			set.set(cpu)
			if !v.sets[i].has(cpu) {
				set[cpu/64] &^= 1 << (cpu % 64)
			}
		}
		if s.d.stopped() {
			return
		}
	}
}

// oneNumber puts another number in place of one in a list.
func (s *search) oneNumber(v *cpuView) {
	for _, tok := range v.toks {
		t := &s.sk.tokens[tok]
		if t.spell != nil && s.sk.json < 0 {
			continue
		}
		for a := t.a; a < t.b && !s.d.stopped(); {
			b := a
			for b < t.b && s.sk.text[b] >= '0' && s.sk.text[b] <= '9' {
				b++
			}
			if b == a {
				a++
				continue
			}
			var digits [8]byte
			for n := range v.top + 2 {
				number := strconv.AppendInt(digits[:0], int64(n), 10)
				s.tried++
				if s.text.ReplaceBytes(a, b, number) {
					s.put(tok, string(s.sk.text[t.a:a])+string(number)+string(s.sk.text[b:t.b]))
				}
			}
			a = b
		}
		if s.d.stopped() {
			return
		}
	}
}

// ranges tries every range of n CPUs.
func (s *search) ranges(v *cpuView, n int) {
	var buf [16]byte
	for _, tok := range v.toks {
		t := &s.sk.tokens[tok]
		if t.spell != nil && s.sk.json < 0 {
			continue
		}
		for from := 0; from < n && !s.d.stopped(); from++ {
			for to := from; to < n; to++ {
				text := strconv.AppendInt(buf[:0], int64(from), 10)
				if to > from {
					text = strconv.AppendInt(append(text, '-'), int64(to), 10)
				}
				s.tried++
				if s.text.ReplaceBytes(t.a, t.b, text) {
					s.put(tok, string(text))
				}
			}
		}
		if s.d.stopped() {
			return
		}
	}
}

// anyRange tries every range in place of every set, on machines of any size.
func (s *search) anyRange() {
	if v := s.cpus(); len(v.toks) > 0 {
		s.ranges(v, min(v.top+2, 1024))
		if n := v.top + 1; n <= 64 {
			s.twoRanges(v, n)
		}
	}
}

// twoRanges tries every pair of ranges that do not touch.
func (s *search) twoRanges(v *cpuView, n int) {
	var buf [32]byte
	item := func(b []byte, from, to int) []byte {
		b = strconv.AppendInt(b, int64(from), 10)
		if to > from {
			b = strconv.AppendInt(append(b, '-'), int64(to), 10)
		}
		return b
	}
	for _, tok := range v.toks {
		t := &s.sk.tokens[tok]
		if t.spell != nil && s.sk.json < 0 {
			continue
		}
		for a := range n {
			if s.d.stopped() {
				return
			}
			for b := a; b < n; b++ {
				head := append(item(buf[:0], a, b), ',')
				for c := b + 2; c < n; c++ {
					for e := c; e < n; e++ {
						text := item(head, c, e)
						s.tried++
						if s.text.ReplaceBytes(t.a, t.b, text) {
							s.put(tok, string(text))
						}
					}
				}
			}
		}
	}
}
