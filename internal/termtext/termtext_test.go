package termtext

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func ExampleSanitize() {
	fmt.Println(Sanitize("pod\x1b[2J\u202egpj.exe"))
	// Output: pod\x1b[2J\u202egpj.exe
}

func TestSanitize(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", `guaranteed "pod" a\b 100%`, `guaranteed "pod" a\b 100%`},
		{"other scripts", "Prüfung 検証 проверка é 🚀", "Prüfung 検証 проверка é 🚀"},
		{"combining mark", "e\u0301", "e\u0301"},
		{"no-break space", "a\u00a0b", "a\u00a0b"},
		{"replacement character", "\ufffd", "\ufffd"},
		{"clear the screen", "\x1b[2J\x1b[H", `\x1b[2J\x1b[H`},
		{"window title", "\x1b]0;pwned\a", `\x1b]0;pwned\x07`},
		{"C1 control sequence", "\u009b31m", `\u009b31m`},
		{"C1 as a raw byte", "\x9b31m", `\x9b31m`},
		{"next line", "a\u0085b", `a\u0085b`},
		{"lines", "a\r\nb\tc", `a\x0d\x0ab\x09c`},
		{"NUL and DEL", "\x00\x7f", `\x00\x7f`},
		{"backspaces", "root\b\b\b\buser", `root\x08\x08\x08\x08user`},
		{"bidi embedding and override", "\u202a\u202b\u202c\u202d\u202e", `\u202a\u202b\u202c\u202d\u202e`},
		{"bidi isolates", "\u2066\u2067\u2068\u2069", `\u2066\u2067\u2068\u2069`},
		{"bidi marks", "\u200e\u200f\u061c", `\u200e\u200f\u061c`},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff", `a\u200bb\u200cc\u200dd\u2060e\ufefff`},
		{"soft hyphen", "a\u00adb", `a\u00adb`},
		{"line and paragraph separator", "a\u2028b\u2029c", `a\u2028b\u2029c`},
		{"tag characters", "\U000e0041\U000e007f", `\U000e0041\U000e007f`},
		{"variation selectors", "a\ufe0fb\U000e0100", `a\ufe0fb\U000e0100`},
		{"Hangul fillers", "a\u3164b\u115fc\uffa0", `a\u3164b\u115fc\uffa0`},
		{"combining grapheme joiner", "a\u034f", `a\u034f`},
		{"private use", "\ue000\U0010fffd", `\ue000\U0010fffd`},
		{"not a character", "\uffff", `\uffff`},
		{"invalid UTF-8", "a\xffb\xc3", `a\xffb\xc3`},
		{"surrogate in UTF-8", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"overlong", "\xc0\xaf", `\xc0\xaf`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sanitize(tt.in); got != tt.want {
				t.Errorf("Sanitize(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if got := string(Append([]byte("> "), tt.in)); got != "> "+tt.want {
				t.Errorf("Append(%q) = %q, want %q", tt.in, got, "> "+tt.want)
			}
		})
	}
}

func TestSanitizeLines(t *testing.T) {
	const in, want = "a\n\tb\r\x1b\v", "a\n\tb" + `\x0d\x1b\x0b`
	if got := SanitizeLines(in); got != want {
		t.Errorf("SanitizeLines(%q) = %q, want %q", in, got, want)
	}
}

func TestPlainTextIsNotCopied(t *testing.T) {
	s := strings.Repeat("a pod of ordinary length, ", 4) + "検証"
	if n := testing.AllocsPerRun(100, func() { _ = Sanitize(s) }); n != 0 {
		t.Errorf("Sanitize of plain text allocates %v times", n)
	}
}

func TestWidth(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"", 0},
		{"0-3,7", 5},
		{"Prüfung", 7},
		{"検証", 4},
		{"ＡＢ", 4},                 // full-width Latin
		{"ｱｲ", 2},                 // half-width Kana
		{"한국", 4},                 // Hangul syllables
		{"\u1112\u1161\u11ab", 2}, // one syllable in three Jamo
		{"e\u0301\u0302", 1},
		{"か\u3099", 2}, // a mark in the midst of wide characters
		{"🚀", 2},
		{"𠀀", 2},
		{"→ █ ░ … ─", 9},
		{"проверка", 8},
		{"हिन्दी", 5}, // vowel signs beside the letter take a column, those on it none
		{"\x1b", 0},
	}
	for _, tt := range tests {
		if got := Width(tt.in); got != tt.want {
			t.Errorf("Width(%q) = %d, want %d", tt.in, got, tt.want)
		}
	}
}

func TestWideIsSorted(t *testing.T) {
	last := rune(0)
	for _, r := range wide {
		if r.first <= last || r.last < r.first {
			t.Errorf("range %x-%x after %x", r.first, r.last, last)
		}
		last = r.last
	}
}

func TestTruncate(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  string
	}{
		{"", 0, ""},
		{"", 5, ""},
		{"abc", 3, "abc"},
		{"abc", 2, "a…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"検証中", 6, "検証中"},
		{"検証中", 5, "検証…"},
		{"検証中", 4, "検…"},
		{"検証中", 1, "…"},
		{"abe\u0301", 3, "abe\u0301"},
		{"abe\u0301d", 3, "ab…"},
		{"ae\u0301cd", 3, "ae\u0301…"},
		{"üüü", 3, "üüü"},
	}
	for _, tt := range tests {
		if got := Truncate(tt.in, tt.width); got != tt.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b[31m", "\u202e\u2066", "\x9b\xff", "検証\u200b", "e\u0301\ufe0f", "a\nb\tc", "\U000e0041"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		safe := Sanitize(s)
		check(t, s, safe, "")
		check(t, s, SanitizeLines(s), "\n\t")
		if again := Sanitize(safe); again != safe {
			t.Errorf("Sanitize(%q) = %q, and again %q", s, safe, again)
		}
		for _, text := range []string{s, safe} {
			cut := Truncate(text, width)
			if w := Width(cut); w > max(width, 0) {
				t.Errorf("Truncate(%q, %d) = %q of width %d", text, width, cut, w)
			}
			if Width(text) <= width && cut != text {
				t.Errorf("Truncate(%q, %d) = %q, but all of it fits", text, width, cut)
			}
			if rest, ok := strings.CutSuffix(cut, "…"); cut != text && !(ok && strings.HasPrefix(text, rest)) && cut != "" {
				t.Errorf("Truncate(%q, %d) = %q is no start of it", text, width, cut)
			}
		}
	})
}

// check restates in its own words what no output may hold.
func check(t *testing.T, in, out, keep string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("%q became %q, which is not UTF-8", in, out)
	}
	for _, r := range out {
		switch {
		case strings.ContainsRune(keep, r):
		case r < 0x20, 0x7f <= r && r < 0xa0,
			0x200b <= r && r <= 0x200f, 0x2028 <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f, r == 0xfeff,
			unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
			t.Errorf("%q became %q, which holds %U", in, out, r)
		}
	}
}
