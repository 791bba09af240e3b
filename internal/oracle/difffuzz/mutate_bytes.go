package main

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// scraps are inserted among the bytes of a file.
var scraps = []string{
	"\x00", "\x00\x00\x00\x00", "\ufeff", "\xff", "\xc3", "\xed\xa0\x80", `\ud800`, `\ud83d\ude00`, `\u0000`, `\x41`, `\`, `"`, "{", "}", "[", "]", ",", ":", "\n", "\r\n", "\t", "\f", "\v", " ",
	"//x\n", "/**/", "null", "0", "1", "e", ".", "-", "+", "NaN", "'", "\u2028", "\u00a0", "{}", "[]", `"":0,`, `{"a":1}`, "\x1f\x8b", "\x7f",
}

// mutateBytes changes a file without regard for what it says.
func (m *mutator) mutateBytes(b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + m.r.IntN(3) {
		if len(b) == 0 {
			return []byte(pick(m.r, scraps))
		}
		at := m.r.IntN(len(b))
		to := min(len(b), at+1+m.r.IntN(1+m.r.IntN(64)))
		switch m.r.IntN(10) {
		case 0:
			b[at] ^= 1 << m.r.IntN(8)
		case 1:
			b[at] = byte(m.r.IntN(256))
		case 2:
			b = b[:at]
		case 3:
			b = slices.Delete(b, at, to)
		case 4:
			b = slices.Insert(b, at, b[at:to]...)
		case 5:
			other := pick(m.r, m.pool).Blob
			b = append(b[:at], other[min(at, len(other)):]...)
		case 6:
			b = append(b, pick(m.r, scraps)...)
		case 7:
			clear(b[at:to])
		default:
			b = slices.Insert(b, at, []byte(pick(m.r, scraps))...)
		}
	}
	return b
}

// respell changes how a valid file is spelt, mostly without changing what it
// says: white space, escapes, depth.
func (m *mutator) respell(b []byte) []byte {
	switch m.r.IntN(6) {
	case 0:
		space := pick(m.r, []string{" ", "\n", "\r\n\t", "  "})
		for _, c := range []string{"{", "}", ":", ",", "[", "]"} {
			if m.r.IntN(2) == 0 {
				b = bytes.ReplaceAll(b, []byte(c), []byte(c+space)) // also within strings
			}
		}
		return b
	case 1: // letters as escapes
		var out strings.Builder
		for _, c := range b {
			if m.r.IntN(20) == 0 && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
				const hex = "0123456789abcdef"
				out.WriteString(`\u00` + string(hex[c>>4]) + string(hex[c&15]))
				continue
			}
			out.WriteByte(c)
		}
		return []byte(out.String())
	case 2:
		return slices.Concat([]byte(pick(m.r, scraps)), b)
	case 3:
		return slices.Concat(b, []byte(pick(m.r, scraps)))
	case 4:
		depth := pick(m.r, []int{10, 9998, 9999, 10000, 10001})
		if i := bytes.IndexByte(b, '{'); i >= 0 {
			deep := `"deep":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + ","
			return slices.Insert(slices.Clone(b), i+1, []byte(deep)...)
		}
	}
	return bytes.ReplaceAll(b, []byte("/"), []byte(`\/`))
}

// wideRange finds what may be a CPU range so wide that a kubelet would fill
// its memory with it.
var (
	wideRange = regexp.MustCompile(`[0-9]-\+?[0-9]{6,}(["',\\\s]|$)`)
	disguise  = regexp.MustCompile(`\\+u00(2[bdBD]|3[0-9])`)
)

// tooWide reports that no kubelet should be asked about b.
func tooWide(b []byte) bool {
	plain := disguise.ReplaceAllFunc(b, func(esc []byte) []byte {
		n, err := strconv.ParseUint(string(esc[len(esc)-2:]), 16, 8)
		if err != nil {
			return esc
		}
		return []byte{byte(n)}
	})
	return wideRange.Match(plain)
}
