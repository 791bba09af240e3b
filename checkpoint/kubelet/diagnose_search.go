package kubelet

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"github.com/kubeckpt/ckpt/internal/fnvsearch"
)

// search looks for the edits that explain one sum.
type search struct {
	d     *diagnosis
	kind  Kind
	text  *fnvsearch.Text
	sk    *sketch
	inner *innerDoc

	slotOf map[int][2]int // token of a key → its group and entry
	// plausible, then odd: an odd one was never seen in a kubelet's file, but
	// decodes.
	hits, odd []hit
	tried     uint64
	all       uint64 // odd ones too

	view     *cpuView          // see cpus
	mem      *memoryView       // see memory
	distinct map[role][]string // see values
}

// hit is a candidate that gives the sum.
type hit struct {
	kind    string
	tok     int // -1: none
	old     string
	now     string // where tok is -1
	also    []Change
	because string
	path    string // where tok is -1
	offset  int    // where tok is -1 and the place is known; else 0 or less
	char    int    // of the base64 of a response
	fixed   *edit  // of a document, where putting a value back will not do
}

func newSearch(d *diagnosis, f *format, sm *sum, sk *sketch) *search {
	alg := fnvsearch.FNV1a
	if sm.algorithm == algCRC {
		alg = fnvsearch.CRC32
	}
	s := &search{d: d, kind: d.k.kind, sk: sk, inner: f.inner, slotOf: map[int][2]int{}, tried: d.tried}
	if sk.json < 0 {
		s.inner = nil
	}
	s.text = fnvsearch.New(alg, sk.text, uint32(sm.stored(d.s.decode(f).doc)))
	for g := range sk.groups {
		for e, slot := range sk.groups[g].entries {
			if slot.key >= 0 {
				s.slotOf[slot.key] = [2]int{g, e}
			}
		}
	}
	s.cut()
	return s
}

const maxCuts = 80_000 // 100 MB

// cut prepares the jumps that most stages need.
func (s *search) cut() {
	var cuts []int
	for g := range s.sk.groups {
		group := &s.sk.groups[g]
		if group.order == asStored || len(group.entries) < 2 {
			continue
		}
		for _, slot := range group.entries {
			cuts = append(cuts, slot.a, s.sk.tokens[slot.key].b, slot.b)
		}
	}
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; !t.key && (t.role == roleCPUs || t.role == roleBytes) {
			cuts = append(cuts, t.a, t.b)
		}
	}
	if len(cuts) < maxCuts {
		slices.Sort(cuts)
		s.text.Cut(slices.Compact(cuts))
	}
}

// run goes from what is cheap and tries few candidates to what is dear and
// tries many, and stops after the first stage that explains the sum.
func (s *search) run() {
	for _, stage := range s.stages() {
		if stage.deep && !s.d.o.Deep || s.d.stopped() {
			continue
		}
		s.d.stage(stage.name)
		stage.run()
		if len(s.hits) > 0 || len(s.odd) > 0 {
			break
		}
	}
	s.report()
	s.d.tried = s.tried
}

// searchStage is one sort of edits. It looks at the context for each place of a value,
// so that a long one does not hold up the end.
type searchStage struct {
	name string
	run  func()
	deep bool
}

func (s *search) stages() []searchStage {
	return []searchStage{
		{"values that cannot be right", s.suspects, false},
		{"null and empty", s.nulls, false},
		{"entries added", s.added, false},
		{"fields of the document", s.members, false},
		{"entries that are missing", s.missing, false},
		{"sets that leave CPUs over", s.cpuInvariants, false},
		{"sums of memory", s.memoryInvariants, false},
		{"single bytes", s.bytes, false},
		{"bytes of the file", s.rawBytes, false},
		{"policies, resources and NUMA nodes", s.enumerated, false},
		{"names", s.keys, false},
		{"bytes put in", s.putIn, false},
		{"amounts in other forms", s.quantities, false},
		{"values of other places", s.elsewhere, false},
		{"values swapped", s.swaps, false},
		{"CPUs that moved", s.cpuPairs, false},
		{"memory that moved", s.memoryPairs, false},
		{"sets made of other sets", s.cpuAlgebra, false},
		{"numbers nearby", s.numbers, false},
		{"responses of device plugins", s.responses, false},
		{"bytes lost or replaced", s.lost, false},
		{"any CPU range", s.anyRange, true},
		{"any amount of memory", s.anyAmount, true},
	}
}

// report turns hits into explanations. Of a search that was stopped nobody knows
// whether another candidate fits as well.
func (s *search) report() {
	hits, tried := s.hits, s.tried
	if len(hits) == 0 {
		hits, tried = s.odd, s.tried+s.all
	}
	hits = distinct(hits)
	stopped := s.d.stopped()
	for _, h := range hits {
		e := Explanation{Kind: h.kind, Old: h.old, Also: h.also, Tried: tried, Offset: -1, Path: h.path, New: h.now, Confidence: Possible}
		switch {
		case len(hits) > 1:
		case tried <= maxCertain && !stopped:
			e.Confidence = Certain
		case tried <= maxLikely:
			e.Confidence = Likely
		}
		if h.tok >= 0 {
			t := &s.sk.tokens[h.tok]
			e.Path, e.New = t.path, t.value
			e.Offset, e.Length = s.d.locate(t.path, h.kind == KindKey)
			if t.role == roleResponse {
				e.New = ""
				if at := e.Offset + int64(h.char); h.kind == KindByte && e.Offset >= 0 && at < int64(len(s.d.blob)) {
					e.Offset, e.Length, e.New = at, 1, string(s.d.blob[at:at+1])
				}
			}
		} else if h.offset > 0 {
			e.Offset = int64(h.offset)
		} else if h.path != "" {
			e.Offset, e.Length = s.d.locate(h.path, false)
		}
		if h.fixed != nil && s.inner != nil {
			e.was = s.fixed(*h.fixed)
		}
		if h.because != "" {
			e.Evidence = append(e.Evidence, h.because)
		}
		if stopped {
			e.Evidence = append(e.Evidence, "the search was stopped before its end: something else may fit as well")
		}
		e.Text = e.sentence()
		s.d.add(e)
	}
}

func distinct(hits []hit) []hit {
	seen := map[string]bool{}
	return slices.DeleteFunc(hits, func(h hit) bool {
		key := h.kind + "\x00" + strconv.Itoa(h.tok) + "\x00" + h.path + "\x00" + h.old
		for _, c := range h.also {
			key += "\x00" + c.Path + "\x00" + c.Old
		}
		if h.tok >= 0 {
			key = strconv.Itoa(h.tok) + key[len(h.kind):]
		}
		old := seen[key]
		seen[key] = true
		return old
	})
}

// hit records a candidate that gives the sum, unless no kubelet can have had it.
func (s *search) hit(h hit, plausible bool) {
	const enough = 50
	if plausible && len(s.hits) < enough {
		s.hits = append(s.hits, h)
	} else if len(s.odd) < enough {
		s.odd = append(s.odd, h)
	}
}

// value tries old in place of a value, or of the name of an entry. Where the
// text is ordered by names, the entry stood elsewhere under another.
func (s *search) value(tok int, old string) {
	if s.d.stopped() {
		return
	}
	s.tried++
	s.put(tok, old)
}

// put is value for candidates that are counted by whoever calls it.
func (s *search) put(tok int, old string) bool {
	t := &s.sk.tokens[tok]
	if old == t.value && t.role != roleQuantity { // whose spelling in the file may be another
		return false
	}
	kind := KindValue
	if t.key {
		kind = KindKey
		if !s.keyFits(tok, old) {
			return false
		}
	} else if text, ok := t.inText(old); !ok || !s.text.Replace(t.a, t.b, text) {
		return false
	}
	s.hit(hit{kind: kind, tok: tok, old: old}, t.role.fits(s.kind, old))
	return true
}

func (s *search) keyFits(tok int, old string) bool {
	t := &s.sk.tokens[tok]
	text, ok := t.inText(old)
	if !ok {
		return false
	}
	at, known := s.slotOf[tok]
	if !known {
		return s.text.Replace(t.a, t.b, text)
	}
	g := &s.sk.groups[at[0]]
	i := at[1]
	j := i
	if g.order != asStored {
		if j = s.rank(g, old); j < 0 {
			return false
		}
		if j > i {
			j-- // counted without the entry itself
		}
	}
	e := g.entries[i]
	switch {
	case j == i:
		return s.text.Replace(t.a, t.b, text)
	case j < i:
		first, last := g.entries[j], g.entries[i-1]
		h := s.text.Run(s.text.At(first.a), text)
		h = s.text.Between(t.b, e.b, h)
		h = s.text.Run(h, " ")
		return s.text.Ends(e.b, s.text.Between(first.a, last.b, h))
	}
	next, last := g.entries[i+1], g.entries[j]
	h := s.text.Between(next.a, last.b, s.text.At(e.a))
	h = s.text.Run(h, " "+text)
	return s.text.Ends(last.b, s.text.Between(t.b, e.b, h))
}

// rank returns how many keys of g come before key; -1 if it is there already.
func (s *search) rank(g *group, key string) int {
	i, found := slices.BinarySearchFunc(g.entries, key, func(e slot, key string) int {
		k := s.sk.tokens[e.key].value
		switch {
		case k == key:
			return 0
		case g.order.less(k, key):
			return -1
		}
		return 1
	})
	if found {
		return -1
	}
	return i
}

// edit is a new text in one place.
type edit struct {
	a, b int
	text string
}

// edits reports whether all of them together, in the order of the text, give the sum.
func (s *search) edits(list ...edit) bool {
	h := s.text.At(list[0].a)
	for i, e := range list {
		h = s.text.Run(h, e.text)
		if i+1 < len(list) {
			h = s.text.Between(e.b, list[i+1].a, h)
		}
	}
	return s.text.Ends(list[len(list)-1].b, h)
}

// decodes reports whether the text with an edit is still a document that a
// kubelet can read. Dumps always are.
func (s *search) decodes(e edit) bool {
	if s.inner == nil {
		return s.sk.json < 0
	}
	doc := slices.Concat(s.sk.text[s.sk.json:e.a], []byte(e.text), s.sk.text[e.b:])
	return json.Unmarshal(doc, reflect.New(s.inner.typ).Interface()) == nil
}
