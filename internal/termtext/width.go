package termtext

import (
	"sort"
	"unicode"
	"unicode/utf8"
)

// Width is the number of terminal columns that s takes, for s as Sanitize
// gives it: 2 for a wide East Asian character or emoji, 0 for a combining mark
// or a control, 1 for all else. Terminals differ; for a letter outside of these
// rules a table may be out of line by a column.
func Width(s string) int {
	w := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		w += runeWidth(r)
		i += n
	}
	return w
}

// Truncate cuts s to at most width columns. The last one then shows "…". Marks
// stay with the letter they are on.
func Truncate(s string, width int) string {
	if len(s) <= width {
		return s // no character takes more columns than bytes
	}
	w, fits := 0, 0 // fits is the longest start that leaves room for "…"
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		rw := runeWidth(r)
		if w+rw > width {
			if width <= 0 {
				return ""
			}
			return s[:fits] + "…"
		}
		w += rw
		i += n
		if w < width {
			fits = i
		}
	}
	return s
}

func runeWidth(r rune) int {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0:
		return 0
	case r < 0x300: // no wide and no combining characters below, but for the soft hyphen
		return 1
	case isWide(r):
		return 2
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11ff:
		return 0 // the Hangul range holds vowels and finals drawn into the syllable before
	}
	return 1
}

func isWide(r rune) bool {
	i := sort.Search(len(wide), func(i int) bool { return wide[i].last >= r })
	return i < len(wide) && wide[i].first <= r && !unicode.Is(unicode.Mn, r)
}

// wide lists East Asian Width W and F of Unicode (EastAsianWidth.txt), with
// small unassigned gaps closed.
var wide = [...]struct{ first, last rune }{
	{0x1100, 0x115f}, // Hangul initials
	{0x231a, 0x231b},
	{0x2329, 0x232a},
	{0x23e9, 0x23ec},
	{0x23f0, 0x23f0},
	{0x23f3, 0x23f3},
	{0x25fd, 0x25fe},
	{0x2614, 0x2615},
	{0x2648, 0x2653},
	{0x267f, 0x267f},
	{0x2693, 0x2693},
	{0x26a1, 0x26a1},
	{0x26aa, 0x26ab},
	{0x26bd, 0x26be},
	{0x26c4, 0x26c5},
	{0x26ce, 0x26ce},
	{0x26d4, 0x26d4},
	{0x26ea, 0x26ea},
	{0x26f2, 0x26f3},
	{0x26f5, 0x26f5},
	{0x26fa, 0x26fa},
	{0x26fd, 0x26fd},
	{0x2705, 0x2705},
	{0x270a, 0x270b},
	{0x2728, 0x2728},
	{0x274c, 0x274c},
	{0x274e, 0x274e},
	{0x2753, 0x2755},
	{0x2757, 0x2757},
	{0x2795, 0x2797},
	{0x27b0, 0x27b0},
	{0x27bf, 0x27bf},
	{0x2b1b, 0x2b1c},
	{0x2b50, 0x2b50},
	{0x2b55, 0x2b55},
	{0x2e80, 0x303e}, // CJK radicals and punctuation
	{0x3041, 0x3247}, // Kana
	{0x3250, 0x4dbf},
	{0x4e00, 0xa4cf}, // Han, Yi
	{0xa960, 0xa97c},
	{0xac00, 0xd7a3}, // Hangul syllables
	{0xf900, 0xfaff},
	{0xfe10, 0xfe19},
	{0xfe30, 0xfe6f},
	{0xff01, 0xff60}, // full-width forms
	{0xffe0, 0xffe6},
	{0x16fe0, 0x18cff}, // Tangut, Khitan
	{0x1aff0, 0x1b2ff},
	{0x1f004, 0x1f004},
	{0x1f0cf, 0x1f0cf},
	{0x1f18e, 0x1f18e},
	{0x1f191, 0x1f19a},
	{0x1f200, 0x1f320}, // emoji from here on
	{0x1f32d, 0x1f335},
	{0x1f337, 0x1f37c},
	{0x1f37e, 0x1f393},
	{0x1f3a0, 0x1f3ca},
	{0x1f3cf, 0x1f3d3},
	{0x1f3e0, 0x1f3f0},
	{0x1f3f4, 0x1f3f4},
	{0x1f3f8, 0x1f43e},
	{0x1f440, 0x1f440},
	{0x1f442, 0x1f4fc},
	{0x1f4ff, 0x1f53d},
	{0x1f54b, 0x1f54e},
	{0x1f550, 0x1f567},
	{0x1f57a, 0x1f57a},
	{0x1f595, 0x1f596},
	{0x1f5a4, 0x1f5a4},
	{0x1f5fb, 0x1f64f},
	{0x1f680, 0x1f6c5},
	{0x1f6cc, 0x1f6cc},
	{0x1f6d0, 0x1f6d2},
	{0x1f6d5, 0x1f6df},
	{0x1f6eb, 0x1f6ec},
	{0x1f6f4, 0x1f6fc},
	{0x1f7e0, 0x1f7f0},
	{0x1f90c, 0x1f93a},
	{0x1f93c, 0x1f945},
	{0x1f947, 0x1f9ff},
	{0x1fa70, 0x1faff},
	{0x20000, 0x3fffd}, // Han extensions
}
