package kubelet

import "strconv"

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// responses tries to change one character of the base64 that an AllocResp is
// written in, which changes one or two of the numbers in the hashed text.
func (s *search) responses() {
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if t.role != roleResponse || t.key {
			continue
		}
		if s.sk.json >= 0 || len(t.value) == 0 || s.sk.text[t.a] != '[' {
			continue
		}
		if s.d.stopped() {
			return
		}
		s.response(i)
	}
}

func (s *search) response(tok int) {
	t := &s.sk.tokens[tok]
	a := t.a + 1
	for i := 0; i < len(t.value) && !s.d.stopped(); i += 3 {
		group := []byte(t.value[i:min(i+3, len(t.value))])
		b := a
		for n := range group {
			if n > 0 {
				b++
			}
			b += len(strconv.Itoa(int(group[n])))
		}
		bits := uint32(0)
		for n, c := range group {
			bits |= uint32(c) << (16 - 8*n)
		}
		for place := range len(group) + 1 {
			shift := 18 - 6*place
			for letter := uint32(0); letter < 64; letter++ {
				other := bits&^(63<<shift) | letter<<shift
				if other>>(24-8*len(group)) == bits>>(24-8*len(group)) {
					continue
				}
				var buf [12]byte
				text := buf[:0]
				for n := range group {
					if n > 0 {
						text = append(text, ' ')
					}
					text = strconv.AppendUint(text, uint64(byte(other>>(16-8*n))), 10)
				}
				s.tried++
				if s.text.ReplaceBytes(a, b, text) {
					s.hit(hit{kind: KindByte, tok: tok, old: string(base64Letters[letter]), char: i/3*4 + place,
						because: "character " + strconv.Itoa(i/3*4+place) + " of the base64 was " + strconv.Quote(string(base64Letters[letter]))}, true)
				}
			}
		}
		if i+3 >= len(t.value) {
			s.responseEnd(tok, group, a, b)
		}
		a = b + 1
	}
}

// responseEnd tries other ends of the base64, where characters stand for none:
// bytes a to b of the text are those that the last four characters say.
func (s *search) responseEnd(tok int, group []byte, a, b int) {
	try := func(place int, letter byte, bytes ...byte) {
		text, _ := dumpedBytes(string(bytes))
		s.tried++
		if s.text.Replace(a, b, text[1:len(text)-1]) {
			char := (len(s.sk.tokens[tok].value)-len(group))/3*4 + place
			s.hit(hit{kind: KindByte, tok: tok, old: string(letter), char: char,
				because: "character " + strconv.Itoa(char) + " of the base64 was " + strconv.Quote(string(letter))}, true)
		}
	}
	if n := len(group); n > 1 {
		try(n, '=', group[:n-1]...) // a character stands where there was none
	}
	if n := len(group); n < 3 {
		for c := range 256 { // and the other way round
			bits := c << (8 * (2 - n))
			try(n+1, base64Letters[bits>>(12-6*n)&63], append(group[:n:n], byte(c))...)
		}
	}
}
