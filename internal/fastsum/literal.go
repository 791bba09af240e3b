package fastsum

// maxDigits is how many digits any 64-bit integer can hold.
const maxDigits = 18

// Marks of bytes, in plain.
const (
	listed   = 2 // a comma or a plus sign
	lettered = 4 // a letter, or another byte beyond '@'
)

// plain marks the bytes that stand for themselves in a JSON string that
// encoding/json wrote: ASCII but quotes, backslashes and what HTML knows. Further
// marks are for weighing: commas and plus signs, and letters.
const plain = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x01\x01\x00\x01\x01\x01\x00\x01\x01\x01\x01\x03\x03\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x00\x01\x00\x01" +
	"\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x00\x05\x05\x05" +
	"\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x05\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

func isPlain(c byte) bool { return plain[c] != 0 }

// quote passes a quote.
func (s *Scanner) quote(i int) int {
	if s.escaped {
		if s.at(i) != '\\' {
			return -1
		}
		i++
	}
	if s.at(i) != '"' {
		return -1
	}
	return i + 1
}

// plain sums the plain bytes from i on, which are a string or a key, and weighs
// them.
func (s *Scanner) plain(i int, h sums) (int, sums) {
	src, start := s.src, i
	var marks byte
	for uint(i) < uint(len(src)) {
		c := src[i]
		mark := plain[c]
		if mark == 0 {
			break
		}
		marks |= mark
		h = h.byte(c)
		i++
	}
	if s.weigh != nil && i > start && (marks&listed != 0 || marks&lettered == 0 && src[start]-'0' < 10 && src[i-1]-'0' < 10) {
		s.room -= s.weigh(src[start:i])
	}
	return i, h
}

func (h sums) bytes(b []byte) sums {
	for _, c := range b {
		h = h.byte(c)
	}
	return h
}

func (s *Scanner) str(n *node, i int, h sums) (int, sums) {
	if i = s.quote(i); i < 0 {
		return -1, h
	}
	i, h = s.plain(i, n.pre.add(h))
	if n.post != 0 {
		h = h.byte(n.post)
	}
	return s.quote(i), h
}

// integer sums a number, whose text is the same in JSON and in a dump.
func (s *Scanner) integer(i int, signed bool, h sums) (int, sums) {
	if s.at(i) == '-' {
		if !signed || s.at(i+1) == '0' {
			return -1, h
		}
		h = h.byte('-')
		i++
	}
	src, start := s.src, i
	for uint(i) < uint(len(src)) && src[i]-'0' < 10 {
		h = h.byte(src[i])
		i++
	}
	if i == start || i-start > maxDigits || src[start] == '0' && i-start > 1 {
		return -1, h
	}
	return i, h
}

// number reads an integer.
func (s *Scanner) number(i int) (n int64, end int) {
	negative := s.at(i) == '-'
	if negative {
		i++
	}
	u, end := s.stored(i)
	n = int64(u)
	if negative {
		if n == 0 {
			return 0, -1
		}
		n = -n
	}
	return n, end
}

// leaf sums a string that a type decodes itself.
func (s *Scanner) leaf(n *node, i int, h sums) (int, sums) {
	if i = s.quote(i); i < 0 {
		return -1, h
	}
	start := i
	for isPlain(s.at(i)) {
		i++
	}
	text := s.src[start:i]
	if s.weigh != nil {
		s.room -= s.weigh(text)
	}
	if i = s.quote(i); i < 0 {
		return -1, h
	}
	h = n.pre.add(h)
	if n.post != 0 {
		if !n.leaf.Valid(text) {
			return -1, h
		}
		return i, h.bytes(text).byte(n.post)
	}
	if known, ok := s.dumps[dumpKey{n.leaf, string(text)}]; ok {
		return i, h.text(known)
	}
	out, ok := n.leaf.Dump(s.buf[:0], text)
	if s.leaves -= len(out); !ok || s.leaves < 0 {
		return -1, h
	}
	s.buf = out
	if n.leaf.Few {
		if s.dumps == nil || len(s.dumps) >= maxDumps {
			s.dumps = make(map[dumpKey]string)
		}
		s.dumps[dumpKey{n.leaf, string(text)}] = string(out)
	}
	return i, h.bytes(out)
}
