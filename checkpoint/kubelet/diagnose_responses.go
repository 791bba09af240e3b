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
	for i := 0; i < len(t.value); i += 3 {
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
		a = b + 1
	}
}
