package kubelet

import (
	"encoding/json"
	"slices"
	"strings"
)

// suspects looks alone at the values that no kubelet can have written. They are
// few, so that what is found is hardly chance, however large the file.
func (s *search) suspects() {
	const most = 40
	n := 0
	var odd []int
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if s.d.stopped() {
			return
		}
		if t.role == rolePolicy {
			s.dictionary(i) // few, and often changed
		}
		if t.role == roleText || t.role.fits(s.kind, t.value) {
			continue
		}
		if n++; n > most {
			return
		}
		odd = append(odd, i)
		s.byteEdits(i)
		switch {
		case t.key:
			s.keyEdits(i, true)
			s.dictionary(i)
		case t.role == rolePolicy || t.role == roleResource || t.role == roleName:
			s.dictionary(i)
		}
		for _, c := range []string{strings.ToLower(t.value), strings.ToUpper(t.value), undouble(t.value)} {
			s.value(i, c)
		}
	}
	if few := 2; len(s.hits) == 0 && len(odd) <= few {
		left := uint64(mostLostOdd)
		for length := 2; length <= s.text.LongestFill() && len(s.hits) == 0; length++ {
			for _, i := range odd {
				if cost := s.lostCost(i, length); cost <= left {
					left -= cost
					s.lostIn(i, length)
				}
			}
		}
	}
	if n > 0 && len(s.hits) == 0 {
		s.rawBytesOf(func(t *token) bool { return !t.role.fits(s.kind, t.value) })
	}
}

// byteEdits tries to change, lose, add and swap single bytes of one value.
func (s *search) byteEdits(tok int) {
	t := &s.sk.tokens[tok]
	n := uint64(t.b - t.a)
	s.tried += (2*n+1)*t.role.alphabet() + 2*n
	s.all += 256 * n
	for i := t.a; i <= t.b && !s.d.stopped(); i++ {
		s.byteEdit(i, tok)
	}
	s.spelledEdits(tok)
}

// mostHashed bounds the bytes that are hashed for one value where what is tried
// grows with the square of its length. In the text, its single bytes are tried
// however long it is.
const mostHashed = 1 << 29

// tooLong reports whether n strings of the length of a value are too many.
func (t *token) tooLong(n int) bool { return n > 0 && len(t.value) > mostHashed/n }

// spelledEdits tries single characters of a value that stands otherwise in the
// dump than in the file.
func (s *search) spelledEdits(tok int) {
	t := &s.sk.tokens[tok]
	letters := "0123456789,-"
	switch {
	case s.sk.json >= 0 || t.spell == nil || t.role != roleCPUs && t.role != roleQuantity:
		return
	case t.role == roleQuantity:
		letters = "0123456789mkMGTPEKinu.-"
	}
	if t.tooLong(2 * len(letters) * len(t.value)) {
		return
	}
	for i := range len(t.value) + 1 {
		if s.d.stopped() {
			return
		}
		before, after := t.value[:i], t.value[i:]
		for k := range len(letters) {
			s.value(tok, before+letters[k:k+1]+after)
			if after != "" {
				s.value(tok, before+letters[k:k+1]+after[1:])
			}
		}
		if after != "" {
			s.value(tok, before+after[1:])
		}
	}
}

// bytes tries single bytes everywhere. Outside of the values only a document in
// JSON can have changed: a dump's own words are not in the file.
func (s *search) bytes() {
	if s.d.stopped() {
		return
	}
	tok := 0
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		n := uint64(t.b - t.a)
		s.tried += (2*n+1)*t.role.alphabet() + 2*n
	}
	s.all += 256 * uint64(len(s.sk.text))
	start := max(s.sk.json, 0)
	for i := start; i <= len(s.sk.text) && !s.d.stopped(); i++ {
		for tok < len(s.sk.tokens) && s.sk.tokens[tok].b < i {
			tok++
		}
		in := -1
		if tok < len(s.sk.tokens) && s.sk.tokens[tok].a <= i {
			in = tok
		}
		if in >= 0 || s.sk.json >= 0 || len(s.sk.tokens) == 0 {
			s.byteEdit(i, in)
		}
	}
	for i := range s.sk.tokens {
		if s.d.stopped() {
			return
		}
		s.spelledEdits(i)
	}
}

// byteEdit tries what can have happened to one byte at i. The value that i is
// in, or at the end of, is tok; -1 if there is none.
func (s *search) byteEdit(i, tok int) {
	text := s.sk.text
	if c, ok := s.text.OneByte(i, i); ok {
		s.byteHit(i, i, string([]byte{c}), tok)
	}
	if i == len(text) {
		return
	}
	if c, ok := s.text.OneByte(i, i+1); ok && c != text[i] {
		s.byteHit(i, i+1, string([]byte{c}), tok)
	}
	if s.text.Without(i, i+1) {
		s.byteHit(i, i+1, "", tok)
	}
	if i+2 > len(text) {
		return
	}
	// An escape that lost its backslash: n for \n.
	if c, ok := s.text.OneByte(i, i+2); ok && escapes[text[i+1]] == c && c != 0 {
		s.byteHit(i, i+2, string([]byte{c}), tok)
	}
	if text[i] != text[i+1] && s.text.Replace(i, i+2, string([]byte{text[i+1], text[i]})) {
		s.byteHit(i, i+2, string([]byte{text[i+1], text[i]}), tok)
	}
}

// escapes of JSON that stand for a control character, by their letter.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// byteHit takes an edit of bytes a to b that gives the sum.
func (s *search) byteHit(a, b int, text string, tok int) {
	e := edit{a, b, text}
	if tok < 0 || b > s.sk.tokens[tok].b || s.broken() {
		if s.decodes(e) && (s.sk.json >= 0 || len(s.sk.tokens) == 0) {
			s.outsideHit(e)
		}
		return
	}
	t := &s.sk.tokens[tok]
	old := string(s.sk.text[t.a:a]) + text + string(s.sk.text[b:t.b])
	kind := KindValue
	if t.key {
		kind = KindKey
	}
	if s.inner != nil {
		if !s.decodes(e) {
			return
		}
		if t.spell != nil {
			old = unquote([]byte(old))
		}
	} else {
		if t.spell != nil {
			return // its text is not its value
		}
		if at, ok := s.slotOf[tok]; ok {
			// The text is ordered by names: under this one the entry would stand elsewhere.
			if j := s.rank(&s.sk.groups[at[0]], old); j != at[1] && j != at[1]+1 {
				return
			}
		}
	}
	s.hit(hit{kind: kind, tok: tok, old: old}, t.role.fits(s.kind, old))
}

// broken reports whether the document does not decode as it is, so that what
// seems to be a value of it may be more than one.
func (s *search) broken() bool {
	return s.inner != nil && !json.Valid(s.sk.text[s.sk.json:])
}

// outsideHit takes an edit of a document that is not within one of its values:
// in the name of a field, in its brackets, or where it breaks off.
func (s *search) outsideHit(e edit) {
	h := hit{kind: KindByte, tok: -1, old: e.text, now: string(s.sk.text[e.a:e.b]), offset: -1}
	if s.inner == nil {
		s.hit(h, true)
		return
	}
	h.path = s.inner.field
	s.d.makePlaces()
	at := e.a - s.sk.json
	if s.d.inFile != nil {
		h.offset = s.d.inFile(at)
	}
	fixed := slices.Concat(s.sk.text[s.sk.json:e.a], []byte(e.text), s.sk.text[e.b:])
	nodes, _ := scan(fixed, s.inner.typ, s.inner.field)
	size := len(fixed)
	for _, n := range nodes {
		in := func(a, b int) bool { return a <= at && at < max(b, a+1) && at+len(e.text) <= b && b-a < size }
		switch {
		case n.keyB > 0 && in(n.keyA, n.keyB):
			h.kind, h.path, size = KindKey, n.path, n.keyB-n.keyA
			h.old, h.now = unquote(fixed[n.keyA:n.keyB]), s.now(e, n.keyA, n.keyB)
		case n.kind != '{' && n.kind != '[' && in(n.a, n.b):
			h.kind, h.path, size = KindValue, n.path, n.b-n.a
			h.old, h.now = unquote(fixed[n.a:n.b]), s.now(e, n.a, n.b)
		}
	}
	s.hit(h, s.knowsMore(e))
}

// now returns what stands in the text where the document with e has bytes a to b.
func (s *search) now(e edit, a, b int) string {
	return unquote(s.sk.text[s.sk.json+a : s.sk.json+b-len(e.text)+e.b-e.a])
}

// knowsMore reports whether a document with e has fewer fields that nobody
// knows, or can be read at all.
func (s *search) knowsMore(e edit) bool {
	if s.inner == nil {
		return true
	}
	count := func(doc []byte) (n int) {
		nodes, end := scan(doc, s.inner.typ, "")
		for i := range nodes {
			if nodes[i].unknown {
				n++
			}
		}
		if end < len(doc) {
			n += 1000
		}
		return n
	}
	old := append(append(append([]byte{}, s.sk.text[s.sk.json:e.a]...), e.text...), s.sk.text[e.b:]...)
	return count(old) < count(s.sk.text[s.sk.json:])
}
