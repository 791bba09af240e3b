package kubelet

import "slices"

// swaps tries to exchange the values of two places that hold the same sort of
// thing, such as the CPUs of two containers.
func (s *search) swaps() {
	sorts := map[string][]int{}
	var cuts []int
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if !t.key && t.value != "" && t.role != roleText && t.role != roleOpaque && t.role != roleResponse {
			sorts[t.schema] = append(sorts[t.schema], i)
			cuts = append(cuts, t.a, t.b)
		}
	}
	if len(cuts) >= maxCuts {
		return
	}
	s.text.Cut(cuts)
	for _, schema := range slices.Sorted(mapsKeys(sorts)) {
		if s.d.stopped() {
			break
		}
		s.swapsOf(sorts[schema])
	}
	s.cut()
}

// swapsOf tries all pairs of these tokens. With the text of y in the place of x,
// the text from there on leads to a state before y; with the text of x in the
// place of y, the rest needs a state before y. Both are on one track if that is
// it. There are fewer texts than pairs, so the tracks are found first.
func (s *search) swapsOf(list []int) {
	const most = 4_000_000 // tracks, of four bytes
	number := map[string]int{}
	var texts []string
	which := make([]int, len(list))
	for n, i := range list {
		t := &s.sk.tokens[i]
		text := string(s.sk.text[t.a:t.b])
		k, ok := number[text]
		if !ok {
			k = len(texts)
			number[text] = k
			texts = append(texts, text)
		}
		which[n] = k
	}
	if len(texts) < 2 || len(list)*len(texts) > most {
		return
	}
	needed := make([]uint32, len(list)*len(texts))
	for n, i := range list {
		t := &s.sk.tokens[i]
		for k, text := range texts {
			needed[n*len(texts)+k], _ = s.text.Track(t.a, s.text.Back(s.text.Needed(t.b), text))
		}
		if s.d.stopped() {
			return
		}
	}
	given := make([]uint32, len(texts))
	for n, i := range list {
		x := &s.sk.tokens[i]
		for k, text := range texts {
			given[k], _ = s.text.Track(x.b, s.text.Run(s.text.At(x.a), text))
		}
		for m := n + 1; m < len(list); m++ {
			if which[m] == which[n] {
				continue
			}
			s.tried++
			if given[which[m]] == needed[m*len(texts)+which[n]] {
				y := &s.sk.tokens[list[m]]
				s.hit(hit{kind: KindSwapped, tok: i, old: y.value,
					also: []Change{{Path: y.path, Old: x.value, New: y.value}}}, true)
			}
		}
		if s.d.stopped() {
			return
		}
	}
}
