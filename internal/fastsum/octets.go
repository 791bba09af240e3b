package fastsum

// digit64 holds one more than the value of a character of base64.
var digit64 = [256]uint8{
	'A': 1, 'B': 2, 'C': 3, 'D': 4, 'E': 5, 'F': 6, 'G': 7, 'H': 8, 'I': 9, 'J': 10, 'K': 11, 'L': 12, 'M': 13,
	'N': 14, 'O': 15, 'P': 16, 'Q': 17, 'R': 18, 'S': 19, 'T': 20, 'U': 21, 'V': 22, 'W': 23, 'X': 24, 'Y': 25, 'Z': 26,
	'a': 27, 'b': 28, 'c': 29, 'd': 30, 'e': 31, 'f': 32, 'g': 33, 'h': 34, 'i': 35, 'j': 36, 'k': 37, 'l': 38, 'm': 39,
	'n': 40, 'o': 41, 'p': 42, 'q': 43, 'r': 44, 's': 45, 't': 46, 'u': 47, 'v': 48, 'w': 49, 'x': 50, 'y': 51, 'z': 52,
	'0': 53, '1': 54, '2': 55, '3': 56, '4': 57, '5': 58, '6': 59, '7': 60, '8': 61, '9': 62, '+': 63, '/': 64,
}

// octets sums a list of bytes: base64 in JSON, decimal numbers in a dump.
func (s *Scanner) octets(n *node, i int, h sums) (int, sums) {
	if s.at(i) == 'n' {
		return s.nothing(n, i, h)
	}
	if s.at(i) != '"' {
		return -1, h
	}
	i++
	if s.at(i) == '"' {
		return i + 1, n.empty.add(h)
	}
	h = n.pre.add(h)
	if n.bytes != nil && s.single {
		// Whole groups but the first, whose first number has no space before it.
		if j := i + 4; j <= len(s.src) && s.src[i+2] != '=' && s.src[i+3] != '=' {
			if h, ok := n.bytes.first(s.src[i:j], h); ok {
				i, h = n.bytes.groups(s.src, j, h)
				return s.tail(n, i, h, false)
			}
		}
	}
	return s.tail(n, i, h, true)
}

// tail sums the rest of a list of bytes.
func (s *Scanner) tail(n *node, i int, h sums, first bool) (int, sums) {
	src := s.src
	for ; i+4 <= len(src); first = false {
		q := src[i : i+4 : i+4]
		a, b, c, d := digit64[q[0]], digit64[q[1]], digit64[q[2]], digit64[q[3]]
		if a == 0 || b == 0 {
			break // the closing quote, or no base64
		}
		i += 4
		bits := uint32(a-1)<<18 | uint32(b-1)<<12
		count := 3
		switch {
		case c != 0 && d != 0:
			bits |= uint32(c-1)<<6 | uint32(d-1)
		case c != 0 && q[3] == '=':
			bits |= uint32(c-1) << 6
			count = 2
		case q[2] == '=' && q[3] == '=':
			count = 1
		default:
			return -1, h
		}
		if bits<<(8+8*count) != 0 {
			return -1, h // bits that no encoder sets
		}
		x, y, z := byte(bits>>16), byte(bits>>8), byte(bits)
		if first {
			h = h.text(decimal(x))
		} else {
			h = n.bytes.add(h, x, s.single)
		}
		if count > 1 {
			h = n.bytes.add(h, y, s.single)
		}
		if count < 3 {
			break
		}
		h = n.bytes.add(h, z, s.single)
	}
	if s.at(i) != '"' {
		return -1, h
	}
	return i + 1, h.byte(n.closing)
}

// first sums the first three numbers.
func (t *byteTables) first(q []byte, h sums) (sums, bool) {
	a, b, c, d := digit64[q[0]], digit64[q[1]], digit64[q[2]], digit64[q[3]]
	if a == 0 || b == 0 || c == 0 || d == 0 {
		return h, false
	}
	bits := uint32(a-1)<<18 | uint32(b-1)<<12 | uint32(c-1)<<6 | uint32(d-1)
	h = h.text(decimal(byte(bits >> 16)))
	return t.add(t.add(h, byte(bits>>8), true), byte(bits), true), true
}

// groups sums whole groups of three bytes while there are any. The next step
// waits for the low bits alone, which come from a small table.
func (t *byteTables) groups(src []byte, i int, h sums) (int, sums) {
	sum, low := h.a, uint8(h.a)
	for i+4 <= len(src) {
		q := src[i : i+4 : i+4]
		a, b, c, d := digit64[q[0]], digit64[q[1]], digit64[q[2]], digit64[q[3]]
		if a == 0 || b == 0 || c == 0 || d == 0 {
			break
		}
		bits := uint32(a-1)<<18 | uint32(b-1)<<12 | uint32(c-1)<<6 | uint32(d-1)
		x, y, z := uint8(bits>>16), uint8(bits>>8), uint8(bits)
		sum = t.power[x]*sum + t.rest[x][low]
		low = t.low[x][low]
		sum = t.power[y]*sum + t.rest[y][low]
		low = t.low[y][low]
		sum = t.power[z]*sum + t.rest[z][low]
		low = t.low[z][low]
		i += 4
	}
	h.a = sum
	return i, h
}

// add sums a space and the number c.
func (t *byteTables) add(h sums, c byte, single bool) sums {
	if t == nil {
		return h.byte(' ').text(decimal(c))
	}
	h.a = t.power[c]*h.a + t.rest[c][uint8(h.a)]
	if !single {
		h.b = t.power[c]*h.b + t.rest[c][uint8(h.b)]
	}
	return h
}
