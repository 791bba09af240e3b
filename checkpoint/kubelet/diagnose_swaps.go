package kubelet

import (
	"maps"
	"slices"
)

// span is a piece of the text that another may have stood in the place of.
type span struct{ a, b int }

// swaps tries to exchange the values of two places that hold the same sort of
// thing, such as the CPUs of two containers, or all that two pods hold.
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
	for i := range s.sk.groups {
		for _, at := range s.held(&s.sk.groups[i]) {
			cuts = append(cuts, at.a, at.b)
		}
	}
	if len(cuts) >= maxCuts {
		return
	}
	slices.Sort(cuts)
	s.text.Cut(slices.Compact(cuts))
	for _, schema := range slices.Sorted(maps.Keys(sorts)) {
		s.swapTokens(sorts[schema])
	}
	for i := range s.sk.groups {
		s.swapEntries(&s.sk.groups[i])
	}
	s.cut()
}

func (s *search) swapTokens(list []int) {
	spans := make([]span, len(list))
	for n, i := range list {
		spans[n] = span{s.sk.tokens[i].a, s.sk.tokens[i].b}
	}
	s.swapsOf(spans, func(n, m int) {
		x, y := &s.sk.tokens[list[n]], &s.sk.tokens[list[m]]
		s.hit(hit{kind: KindSwapped, tok: list[n], old: y.value,
			also: []Change{{Path: y.path, Old: x.value, New: y.value}}}, true)
	})
}

// swapEntries exchanges what the entries of a map hold, which is the same as to
// exchange their names.
func (s *search) swapEntries(g *group) {
	s.swapsOf(s.held(g), func(n, m int) {
		x, y := s.entryPath(g, n), s.entryPath(g, m)
		now, old := s.inFile(x), s.inFile(y)
		s.hit(hit{kind: KindSwapped, tok: -1, path: x, old: old, now: now,
			also: []Change{{Path: y, Old: now, New: old}}}, true)
	})
}

// held are the texts of a map's entries without their names; or the names, where
// the text has the entries as the file has them. A map of plain values has none:
// those are tokens.
func (s *search) held(g *group) (spans []span) {
	for _, e := range g.entries {
		if !g.isMap || e.key < 0 {
			return nil
		}
		at := span{s.sk.tokens[e.key].b, e.b}
		if g.order == asStored {
			at = span{s.sk.tokens[e.key].a, s.sk.tokens[e.key].b}
		}
		spans = append(spans, at)
	}
	inner := func(o group) bool { return o.a > g.a && o.b < g.b }
	if !slices.ContainsFunc(s.sk.groups, inner) {
		return nil
	}
	return spans
}

// inFile returns the JSON of a value as it stands in the file, if it is known.
func (s *search) inFile(path string) string {
	a, n := s.d.locate(path, false)
	if a < 0 || a+n > int64(len(s.d.blob)) {
		return ""
	}
	return string(s.d.blob[a : a+n])
}

// swapsOf tries all pairs of these places. With the text of y in the place of x,
// the text from there on leads to a state before y; with the text of x in the
// place of y, the rest needs a state before y. Both are on one track if that is
// it. There are fewer texts than pairs, so the tracks are found first.
func (s *search) swapsOf(list []span, found func(n, m int)) {
	const most = 4_000_000 // tracks, of four bytes
	number := map[string]int{}
	var texts []string
	which := make([]int, len(list))
	for n, at := range list {
		text := string(s.sk.text[at.a:at.b])
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
	for n, at := range list {
		for k, text := range texts {
			needed[n*len(texts)+k], _ = s.text.Track(at.a, s.text.Back(s.text.Needed(at.b), text))
		}
		if s.d.stopped() {
			return
		}
	}
	given := make([]uint32, len(texts))
	for n, at := range list {
		for k, text := range texts {
			given[k], _ = s.text.Track(at.b, s.text.Run(s.text.At(at.a), text))
		}
		for m := n + 1; m < len(list); m++ {
			if which[m] == which[n] {
				continue
			}
			s.tried++
			if given[which[m]] == needed[m*len(texts)+which[n]] {
				found(n, m)
			}
		}
		if s.d.stopped() {
			return
		}
	}
}
