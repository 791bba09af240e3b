package termtext

import (
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns a JSON text in which all that is not visible is escaped as JSON
// escapes it, so that it means the same and is fit for a terminal. Line breaks
// and tabs between values stay; within strings JSON has none.
//
// What is fit already is returned as it is.
func JSON(text []byte) []byte {
	i := 0
	for i < len(text) && plainASCII(text[i]) {
		i++
	}
	if i == len(text) {
		return text
	}
	out := append(make([]byte, 0, len(text)+16), text[:i]...)
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case visible(r), r == '\n', r == '\t':
			out = append(out, text[i:i+n]...)
		case r <= 0xffff:
			out = appendHex(append(out, `\u`...), uint32(r), 4)
		default:
			high, low := utf16.EncodeRune(r)
			out = appendHex(append(out, `\u`...), uint32(high), 4)
			out = appendHex(append(out, `\u`...), uint32(low), 4)
		}
		i += n
	}
	return out
}

func plainASCII(c byte) bool { return ' ' <= c && c < 0x7f || c == '\n' || c == '\t' }

// JSONWriter passes on what is written to it through JSON. Each Write must be
// whole characters, as those of a json.Encoder are.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ w io.Writer }

func (j jsonWriter) Write(p []byte) (int, error) {
	if _, err := j.w.Write(JSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
