// Package termtext makes text of unknown origin fit for a terminal, and
// measures it for tables.
//
// Names and values in a checkpoint file come from whoever could write a pod or
// the file. Printed raw, they could move the cursor, recolour what follows,
// retitle the window, swap the order of letters, or look like another name.
// After Sanitize only what can be seen is left, and each thing that could not
// is shown as an escape in the manner of Go:
//
//	control characters, DEL       \x1b  \x00  \n is \x0a
//	bytes that are not UTF-8      \xff
//	C1 controls                   \u009b
//	everything else not visible   \u202e  \u200b  \U000e0041
//
// The last line is for bidirectional overrides, zero-width and other default
// ignorable characters, variation selectors, line and paragraph separators,
// private use, and what this version of Go's Unicode tables does not know yet.
// Emoji joined by U+200D thereby fall apart.
//
// A backslash stays a backslash, so the result is for reading and cannot be
// turned back. Letters that only look alike are not found, and any number of
// visible combining marks may sit on a letter.
package termtext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sanitize escapes all in s that is not visible. Plain text is returned as is.
func Sanitize(s string) string { return sanitize(s, "") }

// SanitizeLines is Sanitize for text of several lines: "\n" and "\t" stay.
func SanitizeLines(s string) string { return sanitize(s, "\n\t") }

// Append appends Sanitize(s) to dst.
func Append(dst []byte, s string) []byte { return appendVisible(dst, s, "") }

func sanitize(s, keep string) string {
	for _, r := range s {
		if !visible(r) || r == utf8.RuneError {
			return string(appendVisible(make([]byte, 0, len(s)+16), s, keep))
		}
	}
	return s
}

func appendVisible(dst []byte, s, keep string) []byte {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = appendHex(append(dst, `\x`...), uint32(s[i]), 2)
		case visible(r), strings.ContainsRune(keep, r):
			dst = append(dst, s[i:i+n]...)
		case r < utf8.RuneSelf:
			dst = appendHex(append(dst, `\x`...), uint32(r), 2)
		case r <= 0xffff:
			dst = appendHex(append(dst, `\u`...), uint32(r), 4)
		default:
			dst = appendHex(append(dst, `\U`...), uint32(r), 8)
		}
		i += n
	}
	return dst
}

func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r < 0x7f
	}
	return unicode.IsGraphic(r) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func appendHex(dst []byte, v uint32, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[v>>shift&0xf])
	}
	return dst
}
