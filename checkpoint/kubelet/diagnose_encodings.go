package kubelet

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf16"
)

// encoding is what editors, shells and copying do to a whole file. fix undoes it,
// and returns nil, or the file as it is, where it was not done.
type encoding struct {
	name string
	fix  func([]byte) []byte
}

var encodings = []encoding{
	{"an editor put a byte order mark in front", func(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }},
	{"the file was stored as UTF-16", fromUTF16},
	{"the text was taken for Latin-1 and encoded as UTF-8 a second time", undoubleAll},
	{"NUL bytes were put in front or behind", func(b []byte) []byte { return bytes.Trim(b, "\x00") }},
	{"the file was encoded in base64", fromBase64},
	{"the file was written as a JSON string", fromString},
	{"the file was put into a list", fromList},
	{"lines were broken within a string", func(b []byte) []byte { return inStrings(b, "\r\n") }},
	{"lines were broken within values", func(b []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r"), nil), []byte("\n"), nil)
	}},
	{"comments were added, or a comma before a closing bracket", withoutComments},
	{"quotation marks were replaced by printers' ones", func(b []byte) []byte {
		return []byte(strings.NewReplacer("\u201c", `"`, "\u201d", `"`, "\u00ab", `"`, "\u00bb", `"`).Replace(string(b)))
	}},
	{"quotation marks were replaced by apostrophes", func(b []byte) []byte {
		if bytes.IndexByte(b, '"') >= 0 {
			return nil
		}
		return bytes.ReplaceAll(b, []byte("'"), []byte(`"`))
	}},
	{"spaces were replaced by such that do not break a line", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\u00a0"), []byte(" ")) }},
	{"the document within a string was unpacked from it", repacked},
	{"the document within a string was quoted a second time", unquotedTwice},
	{"the quotation marks of the document within a string lost their backslashes", requoted},
}

// undone tries each of the encodings, and then all of them in turn.
func undone(blob []byte, whole func(fixed []byte) bool) (fixed []byte, name string) {
	var names []string
	all := blob
	for _, undo := range encodings {
		if fixed := undo.fix(blob); len(fixed) > 0 && !bytes.Equal(fixed, blob) && whole(fixed) {
			return fixed, undo.name
		}
		if fixed := undo.fix(all); len(fixed) > 0 && !bytes.Equal(fixed, all) {
			all = fixed
			names = append(names, undo.name)
		}
	}
	if len(names) > 1 && whole(all) {
		return all, strings.Join(names, ", and ")
	}
	return nil, ""
}

func fromUTF16(b []byte) []byte {
	if len(b) < 4 || len(b)%2 != 0 {
		return nil
	}
	big := b[0] == 0xfe && b[1] == 0xff || b[0] == 0 && b[1] == '{'
	if !big && (b[0] != 0xff || b[1] != 0xfe) && (b[0] != '{' || b[1] != 0) {
		return nil
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		x, y := b[2*i], b[2*i+1]
		if big {
			x, y = y, x
		}
		units[i] = uint16(x) | uint16(y)<<8
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\ufeff"))
}

func fromBase64(b []byte) []byte {
	if b = bytes.TrimSpace(b); bytes.IndexByte(b, '{') >= 0 {
		return nil
	}
	out, err := base64.StdEncoding.AppendDecode(nil, b)
	if err != nil {
		return nil
	}
	return out
}

func fromString(b []byte) []byte {
	var text string
	if b = bytes.TrimSpace(b); len(b) < 2 || b[0] != '"' || json.Unmarshal(b, &text) != nil {
		return nil
	}
	return []byte(text)
}

func fromList(b []byte) []byte {
	b = bytes.TrimSpace(b)
	if len(b) < 2 || b[0] != '[' || b[len(b)-1] != ']' {
		return nil
	}
	return b[1 : len(b)-1]
}

var dataField = regexp.MustCompile(`"[dD]ata"\s*:\s*`)

// repacked puts a document back into the string that it stood in.
func repacked(b []byte) []byte {
	at := dataField.FindIndex(b)
	if at == nil || at[1] >= len(b) || b[at[1]] != '{' {
		return nil
	}
	n := firstValue(b[at[1]:])
	var doc bytes.Buffer
	if n == 0 || json.Compact(&doc, b[at[1]:at[1]+n]) != nil {
		return nil
	}
	return patched(b, []patch{{at[1], at[1] + n, `"` + quoteInner(doc.String()) + `"`}})
}

func unquotedTwice(b []byte) []byte {
	at := dataField.FindIndex(b)
	if at == nil || !bytes.HasPrefix(b[at[1]:], []byte(`"\"`)) {
		return nil
	}
	n := bytes.Index(b[at[1]:], []byte(`\"",`))
	if m := bytes.Index(b[at[1]:], []byte(`\""}`)); n < 0 {
		n = m
	}
	var once string
	end := at[1] + n + 3
	if n < 0 || json.Unmarshal(b[at[1]:end], &once) != nil || !json.Valid([]byte(once)) {
		return nil
	}
	return patched(b, []patch{{at[1], end, once}})
}

var behindData = regexp.MustCompile(`"\s*,\s*"(dataC|c|C)hecksum"\s*:\s*[0-9]+\s*}\s*$`)

// requoted escapes quotation marks in the document within a string.
func requoted(b []byte) []byte {
	at := dataField.FindIndex(b)
	end := behindData.FindIndex(b)
	if at == nil || end == nil || at[1]+1 > end[0] || b[at[1]] != '"' || !json.Valid(b[at[1]+1:end[0]]) {
		return nil
	}
	return patched(b, []patch{{at[1] + 1, end[0], quoteInner(string(b[at[1]+1 : end[0]]))}})
}

// inStrings leaves out bytes that stand within strings.
func inStrings(b []byte, cut string) []byte {
	out := make([]byte, 0, len(b))
	inside := false
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case inside && strings.IndexByte(cut, c) >= 0:
			continue
		case c == '"':
			inside = !inside
		case c == '\\' && inside:
			out = append(out, c)
			for i++; i < len(b) && strings.IndexByte(cut, b[i]) >= 0; i++ { // broken within an escape
			}
			if i == len(b) {
				return out
			}
			c = b[i]
		}
		out = append(out, c)
	}
	return out
}

// withoutComments takes out // and # to the end of the line, /* */, and commas
// before closing brackets.
func withoutComments(b []byte) []byte {
	out := make([]byte, 0, len(b))
	inside := false
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch rest := b[i:]; {
		case inside && c == '\\' && i+1 < len(b):
			out = append(out, c)
			i++
			c = b[i]
		case c == '"':
			inside = !inside
		case inside:
		case c == '#' || bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i += n - 1
			continue
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				return nil
			}
			i += n + 1
			continue
		case c == '}' || c == ']':
			trimmed := bytes.TrimRight(out, " \t\r\n")
			if bytes.HasSuffix(trimmed, []byte(",")) {
				out = trimmed[:len(trimmed)-1]
			}
		}
		out = append(out, c)
	}
	return out
}

// reescaped puts the escapes back that a kubelet writes.
func reescaped(text string) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "\u2028", `\u2028`, "\u2029", `\u2029`).Replace(text)
}

// windows1252 has characters where Latin-1 has control codes: from 0x80 on.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

// undoubleAll undoes a second encoding in every place where there is one.
func undoubleAll(b []byte) []byte {
	out := make([]byte, 0, len(b))
	changed := false
	for _, r := range string(b) {
		switch at := byte(0x80); {
		case r < 0x80:
			out = append(out, byte(r))
			continue
		case r <= 0xff:
			out = append(out, byte(r))
		default:
			found := false
			for _, c := range windows1252 {
				if c == r {
					out, found = append(out, at), true
					break
				}
				at++
			}
			if !found {
				return nil
			}
		}
		changed = true
	}
	if !changed {
		return nil
	}
	return out
}
