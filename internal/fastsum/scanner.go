package fastsum

import (
	"bytes"
	"hash/crc32"
)

// Scanner runs plans and holds what a run needs and finds. The zero Scanner is
// ready; it is not for concurrent use.
type Scanner struct {
	// Sums are those of the last run that returned true.
	Sums Sums
	// Inner is the document within a string of that run, as it stands in the
	// source, with a backslash before each quote; it shares the source's memory.
	Inner []byte

	src     []byte
	escaped bool // within a string: quotes have a backslash
	single  bool
	weigh   func([]byte) int
	room    int // weight that is left
	leaves  int // bytes of leaves' dumps that are left
	buf     []byte
	dumps   map[dumpKey]string // of leaves of which there are few
}

type dumpKey struct {
	leaf *Leaf
	text string
}

// maxDumps bounds the dumps that a scanner keeps.
const maxDumps = 512

// maxLeaves bounds the dumps of leaves in one run: "0-999999" is a short text.
const maxLeaves = 16 << 20

// Sums are the sums of a document, in the order of Document.Sums.
type Sums [MaxSums]Found

// Found is one sum of a document.
type Found struct {
	Stored  uint64
	At, End int // where its digits stand
	// Computed are the sums under Sum.Heads.
	Computed [MaxHeads]uint32
}

// Run sums src. See the package comment for what its result means.
func (s *Scanner) Run(p *Plan, src []byte) bool {
	prog := p.program(len(src))
	s.src, s.escaped, s.single, s.Inner = src, false, prog.single, nil
	// A string that is not weighed counts as 1, and takes three bytes at least.
	s.weigh, s.room, s.leaves = p.doc.Weigh, p.doc.MaxWeight-len(src)/3, maxLeaves
	ok := s.document(prog) && (s.weigh == nil || s.room >= 0)
	s.src = nil
	return ok
}

// at returns the byte at i, or 0, which stands nowhere in canonical JSON.
func (s *Scanner) at(i int) byte {
	if uint(i) < uint(len(s.src)) {
		return s.src[i]
	}
	return 0
}

func (s *Scanner) has(i int, text string) bool {
	return len(s.src)-i >= len(text) && string(s.src[i:i+len(text)]) == text
}

func (s *Scanner) document(prog *program) bool {
	if s.at(0) != '{' || !s.endsIn(prog.last) {
		return false
	}
	i, first := 1, true
	var h sums
	for k := range prog.members {
		m := &prog.members[k]
		j := i
		if !first {
			if s.at(j) == ',' {
				j++
			} else {
				j = len(s.src)
			}
		}
		if m.begins >= 0 {
			h = m.seed
		}
		switch {
		case !s.has(j, m.name):
			if !m.optional {
				return false
			}
			h = m.absent.add(h)
		default:
			first = false
			if i, h = s.member(m, j+len(m.name), h); i < 0 {
				return false
			}
		}
		if m.ends >= 0 {
			if m.closes {
				h = h.byte('}')
			}
			s.Sums[m.ends].Computed = [MaxHeads]uint32{h.a, h.b}
		}
	}
	return s.at(i) == '}' && i+1 == len(s.src)
}

// endsIn reports whether the last member is the number called name. It tells the
// formats of one kind apart without going through them.
func (s *Scanner) endsIn(name string) bool {
	i := len(s.src) - 1
	for i > 0 && s.src[i-1]-'0' < 10 {
		i--
	}
	return i >= len(name) && string(s.src[i-len(name):i]) == name
}

// member sums the value of one member.
func (s *Scanner) member(m *member, i int, h sums) (int, sums) {
	switch {
	case m.optional && s.blank(i):
		return -1, h
	case m.stored >= 0:
		n, end := s.stored(i)
		if n > m.limit {
			return -1, h
		}
		found := &s.Sums[m.stored]
		found.Stored, found.At, found.End = n, i, end
		return end, m.zero.add(h)
	case m.text >= 0:
		return s.string(m, i), h
	}
	return s.value(m.node, i, h)
}

// stored reads the number of a sum.
func (s *Scanner) stored(i int) (n uint64, end int) {
	start := i
	for c := s.at(i); c-'0' < 10; c = s.at(i) {
		n = n*10 + uint64(c-'0')
		i++
	}
	if i == start || i-start > maxDigits || s.src[start] == '0' && i-start > 1 {
		return 0, -1
	}
	return n, i
}

// string sums a document within a string.
func (s *Scanner) string(m *member, i int) (end int) {
	if s.at(i) != '"' {
		return -1
	}
	i++
	s.escaped = true
	end = -1
	var h sums
	for _, n := range m.inner {
		if end, h = s.value(n, i, m.seed); end >= 0 {
			break
		}
	}
	s.escaped = false
	if end < 0 || s.at(end) != '"' {
		return -1
	}
	s.Inner = s.src[i:end]
	if m.crc {
		h.a = s.crc(s.Inner)
		h.b = h.a
	}
	s.Sums[m.text].Computed = [MaxHeads]uint32{h.a, h.b}
	return end + 1
}

// crc returns the CRC-32 of a text in which quotes, and nothing else, have a
// backslash. It takes it in large pieces, which is what hardware is fast at.
func (s *Scanner) crc(escaped []byte) (sum uint32) {
	const piece = 4096
	buf := s.buf[:0]
	for len(escaped) > 0 {
		n := bytes.IndexByte(escaped, '\\')
		if n < 0 {
			n = len(escaped)
		}
		buf = append(buf, escaped[:n]...)
		escaped = escaped[min(n+1, len(escaped)):]
		if len(buf) >= piece {
			sum = crc32.Update(sum, crc32.IEEETable, buf)
			buf = buf[:0]
		}
	}
	s.buf = buf
	return crc32.Update(sum, crc32.IEEETable, buf)
}
