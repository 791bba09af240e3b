package kubelet

import (
	"maps"
	"slices"
	"sort"
)

// span is a piece of the text that another may have stood in the place of.
type span struct{ a, b int }

// heldBy is what an entry holds, or its name, or an element of a list.
type heldBy struct {
	span
	path string
}

// swaps tries to exchange the values of two places that hold the same sort of
// thing, such as the CPUs of two containers, or all that two pods hold.
func (s *search) swaps() {
	sorts := map[string][]int{}
	var cuts []int
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if !t.key && t.value != "" && t.role != roleOpaque && t.role != roleResponse {
			sorts[t.schema] = append(sorts[t.schema], i)
			cuts = append(cuts, t.a, t.b)
		}
	}
	held := map[string][]heldBy{}
	for i := range s.sk.groups {
		if s.d.stopped() {
			return
		}
		s.held(&s.sk.groups[i], held)
	}
	for _, list := range held {
		for _, at := range list {
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
	for _, schema := range slices.Sorted(maps.Keys(held)) {
		s.swapHeld(held[schema])
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

// swapHeld exchanges what two entries hold, which is the same as to exchange
// their names, or two elements of lists.
func (s *search) swapHeld(list []heldBy) {
	sort.Slice(list, func(i, j int) bool { return list[i].a < list[j].a })
	spans := make([]span, len(list))
	for i, at := range list {
		spans[i] = at.span
	}
	s.swapsOf(spans, func(n, m int) {
		if list[n].b > list[m].a {
			return
		}
		x, y := list[n].path, list[m].path
		now, old := s.inFile(x), s.inFile(y)
		s.hit(hit{kind: KindSwapped, tok: -1, path: x, old: old, now: now,
			also: []Change{{Path: y, Old: now, New: old}}}, true)
	})
}

// held adds the texts of a map's entries without their names, by the schema of
// the map, and the names as well, where the text has the entries as the file has
// them. A map of plain values has none: those are tokens. Of a list they are the
// elements.
func (s *search) held(g *group, all map[string][]heldBy) {
	inner := func(o group) bool { return o.a > g.a && o.b < g.b }
	if g.isMap && !slices.ContainsFunc(s.sk.groups, inner) {
		return
	}
	for i, e := range g.entries {
		at := span{e.a, e.b}
		if g.isMap {
			if e.key < 0 {
				return
			}
			key := &s.sk.tokens[e.key]
			at.a = key.b
			if g.order == asStored {
				all[g.schema+" names"] = append(all[g.schema+" names"], heldBy{span{key.a, key.b}, key.path})
			}
		}
		all[g.schema] = append(all[g.schema], heldBy{at, s.entryPath(g, i)})
	}
}

// inFile returns the JSON of a value as it stands in its document, strings without
// quotes, if it is known.
func (s *search) inFile(path string) string {
	a, n := s.d.locate(path, false)
	if a < 0 || a+n > int64(len(s.d.blob)) {
		return ""
	}
	text := s.d.blob[a : a+n]
	if s.inner != nil {
		text = []byte(unquote(text))
	}
	if s.d.places[path].kind == '"' {
		return unquote(text)
	}
	return string(text)
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
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	if len(texts) < 2 || len(list)*len(texts) > most || len(list)*size > most*25 {
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
