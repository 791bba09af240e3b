package kubelet

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// A byte of the file is not always a byte of the hashed text: a byte that is no
// UTF-8 is read as U+FFFD, which has three, and an escape has six for one. This
// file undoes single bytes in the file itself, near where there are such.

// rawBytes tries all values.
func (s *search) rawBytes() {
	s.rawBytesOf(func(*token) bool { return true })
}

// rawBytesOf tries the bytes of the strings of those tokens that ask says yes to.
func (s *search) rawBytesOf(ask func(t *token) bool) {
	s.d.makePlaces()
	if s.inner != nil {
		if n, ok := s.d.places[s.inner.field]; ok {
			s.rawDocument(s.d.blob[n.a:n.b], ask)
		}
		return
	}
	const (
		most     = 400
		mostRead = 1 << 22 // bytes of one value, times a letter
	)
	tried := 0
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		n, ok := s.d.places[t.path]
		if !ok || !ask(t) {
			continue
		}
		raw := s.d.blob[n.a:n.b]
		if t.key {
			raw = s.d.blob[n.keyA:n.keyB]
		} else if n.kind != '"' || t.role == roleResponse {
			continue
		}
		places := doubtful(raw)
		if len(places) == 0 || len(places) > mostRead/len(raw) {
			continue
		}
		if tried++; tried > most || s.d.stopped() {
			return
		}
		buf := bytes.Clone(raw)
		for _, r := range places {
			if s.d.stopped() {
				return
			}
			s.tried += uint64(len(t.role.letters()))
			for c := 0x20; c < 0x100; c++ {
				if c == '"' || byte(c) == raw[r] {
					continue
				}
				buf[r] = byte(c)
				if old, ok := decodeRaw(buf); ok {
					s.put(i, old)
				}
			}
			buf[r] = raw[r]
		}
	}
}

// doubtful returns the places in a raw string where a changed byte changes more,
// or less, than one byte of what it decodes to.
func doubtful(raw []byte) (places []int) {
	odd := func(i int) bool {
		c := raw[i]
		return c >= 0x80 || c == '\\' && i+1 < len(raw) && raw[i+1] != '"' || c == 'u' && i+4 < len(raw) && hex(raw[i+1:i+5])
	}
	mark := make([]bool, len(raw))
	for i := range raw {
		if !odd(i) {
			continue
		}
		for k := max(i-2, 0); k < min(i+7, len(raw)); k++ {
			mark[k] = true
		}
	}
	for i, m := range mark {
		if m {
			places = append(places, i)
		}
	}
	return places
}

func hex(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// decodeRaw is unquote for what may be no JSON string.
func decodeRaw(raw []byte) (string, bool) {
	quoted := make([]byte, 0, len(raw)+2)
	quoted = append(append(append(quoted, '"'), raw...), '"')
	var s string
	err := json.Unmarshal(quoted, &s)
	return s, err == nil
}

// rawDocument tries the bytes of a string that holds a document. Only some
// characters around a byte are decoded again for each.
func (s *search) rawDocument(raw []byte, ask func(t *token) bool) {
	const most = 20_000
	places := doubtful(raw)
	if len(places) == 0 || len(places) > most {
		return
	}
	units, offsets := unitsOf(raw)
	u := 0
	for _, r := range places {
		if s.d.stopped() {
			return
		}
		for u+1 < len(units) && units[u+1] <= r {
			u++
		}
		const around = 8
		lo, hi := max(u-around, 0), min(u+around+1, len(units)-1)
		a, b := s.sk.json+offsets[lo], s.sk.json+offsets[hi]
		tok := s.tokenAt(s.sk.json + offsets[u])
		if tok >= 0 && !ask(&s.sk.tokens[tok]) {
			continue
		}
		s.tried += 40
		buf := bytes.Clone(raw[units[lo]:units[hi]])
		for c := 0x20; c < 0x100; c++ {
			if c == '"' && (r == 0 || raw[r-1] != '\\') || byte(c) == raw[r] {
				continue
			}
			buf[r-units[lo]] = byte(c)
			if old, ok := decodeRaw(buf); ok && s.text.Replace(a, b, old) {
				s.windowHit(edit{a, b, old}, tok)
			}
		}
	}
}

// windowHit takes an edit of some bytes, few of which differ.
func (s *search) windowHit(e edit, tok int) {
	e = s.narrowed(e)
	if tok >= 0 && (e.a < s.sk.tokens[tok].a || e.b > s.sk.tokens[tok].b) {
		tok = s.tokenAt(e.a)
	}
	s.byteHit(e.a, e.b, e.text, tok)
}

// narrowed leaves out what is the same at both ends of an edit.
func (s *search) narrowed(e edit) edit {
	for e.a < e.b && e.text != "" && s.sk.text[e.a] == e.text[0] {
		e.a, e.text = e.a+1, e.text[1:]
	}
	for e.a < e.b && e.text != "" && s.sk.text[e.b-1] == e.text[len(e.text)-1] {
		e.b, e.text = e.b-1, e.text[:len(e.text)-1]
	}
	return e
}

// tokenAt returns the token that byte i of the text is in; -1 if in none.
func (s *search) tokenAt(i int) int {
	lo, hi := 0, len(s.sk.tokens)
	for lo < hi {
		if mid := (lo + hi) / 2; s.sk.tokens[mid].b < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(s.sk.tokens) && s.sk.tokens[lo].a <= i {
		return lo
	}
	return -1
}

// unitsOf returns where the characters and escapes of a raw string begin, with
// its end, and the offsets of what they decode to.
func unitsOf(raw []byte) (units, offsets []int) {
	at := 0
	for i := 0; i < len(raw); {
		units, offsets = append(units, i), append(offsets, at)
		size := 1
		switch {
		case raw[i] != '\\':
			var r rune
			if r, size = utf8.DecodeRune(raw[i:]); r == utf8.RuneError && size == 1 {
				at += 3
			} else {
				at += size
			}
			i += size
			continue
		case i+1 < len(raw) && raw[i+1] == 'u':
			size = 6
			if i+12 <= len(raw) && raw[i+2]|0x20 == 'd' && raw[i+6] == '\\' {
				size = 12 // perhaps a surrogate pair
			}
		default:
			size = 2
		}
		size = min(size, len(raw)-i)
		text, _ := decodeRaw(raw[i : i+size])
		at += len(text)
		i += size
	}
	return append(units, len(raw)), append(offsets, at)
}

// undouble undoes UTF-8 that was taken for Latin-1 and encoded once more.
func undouble(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return s
		}
		b = append(b, byte(r))
	}
	if !utf8.Valid(b) {
		return s
	}
	return string(b)
}
