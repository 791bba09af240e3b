package render

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/kubeckpt/ckpt/internal/termtext"
)

// text is a string that may go to a terminal: a literal of this package, or what
// clean or textf made of an untrusted string. Nothing else is written.
type text string

func clean(s string) text { return text(termtext.Sanitize(s)) }

// name is clean for what must leave a mark even if it is empty.
func name(s string) text {
	if s == "" {
		return `""`
	}
	return clean(s)
}

func nameAll(list []string) (names []text) {
	for _, s := range list {
		names = append(names, name(s))
	}
	return names
}

func cleanAll(list []string) (cleaned []text) {
	for _, s := range list {
		cleaned = append(cleaned, clean(s))
	}
	return cleaned
}

// textf formats; arguments that are strings, but not text, are cleaned first.
func textf(format string, args ...any) text {
	for i, arg := range args {
		switch v := arg.(type) {
		case text:
		case error:
			args[i] = clean(v.Error())
		case fmt.Stringer:
			args[i] = clean(v.String())
		default:
			if r := reflect.ValueOf(arg); r.Kind() == reflect.String {
				args[i] = clean(r.String())
			}
		}
	}
	return text(fmt.Sprintf(format, args...))
}

func (t text) width() int { return termtext.Width(string(t)) }

// cut shortens t to w columns, with an ellipsis if something had to go.
func (t text) cut(w int) text { return text(termtext.Truncate(string(t), w)) }

// cutLeft shortens t to w columns by its beginning, as suits a path.
func (t text) cutLeft(w int) text {
	if t.width() <= w {
		return t
	}
	start, used := len(t), 1
	for start > 0 {
		_, size := utf8.DecodeLastRuneInString(string(t[:start]))
		if used += t[start-size : start].width(); used > w {
			break
		}
		start -= size
	}
	return "…" + t[start:]
}

func (t text) pad(w int) text {
	if n := w - t.width(); n > 0 {
		return t + text(strings.Repeat(" ", n))
	}
	return t
}

func (t text) padLeft(w int) text {
	if n := w - t.width(); n > 0 {
		return text(strings.Repeat(" ", n)) + t
	}
	return t
}

func spaces(n int) text { return text(strings.Repeat(" ", max(n, 0))) }

func join(parts []text, separator text) text {
	var b strings.Builder
	for i, part := range parts {
		if i > 0 {
			b.WriteString(string(separator))
		}
		b.WriteString(string(part))
	}
	return text(b.String())
}

// enumerate joins parts as a sentence does: "a", "a and b", "a, b and c".
func enumerate(parts []text) text {
	if len(parts) < 2 {
		return join(parts, "")
	}
	last := len(parts) - 1
	return join(parts[:last], ", ") + " and " + parts[last]
}

// plural returns "1 pod" or "4,890 pods".
func plural(n int, one, many text) text {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// number groups digits by thousands.
func number(n int) text {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return text(s)
}
