package kubelet

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// walker reads a JSON text token by token beside the Go type it decodes to,
// and reports what encoding/json passes over in silence. The text must be
// valid JSON; a walker panics on nothing, but may report nonsense otherwise.
type walker struct {
	src   []byte
	pos   int
	found []Finding
	total int // findings, also those past the limit
	// unknown counts members that no field takes.
	unknown int
}

// maxOddities bounds the findings of one file.
const maxOddities = 20

// walk reports the oddities of src as read into t.
func walk(src []byte, t reflect.Type, path string) *walker {
	w := &walker{src: src}
	w.value(t, path)
	return w
}

func (w *walker) report(code string, severity Severity, path, message, hint string) {
	w.total++
	if len(w.found) < maxOddities {
		w.found = append(w.found, Finding{code, severity, path, message, hint})
	}
}

func (w *walker) space() {
	for w.pos < len(w.src) && strings.IndexByte(" \t\r\n", w.src[w.pos]) >= 0 {
		w.pos++
	}
}

// value reads one value.
func (w *walker) value(t reflect.Type, path string) {
	w.space()
	t = structure(t)
	switch {
	case w.pos >= len(w.src):
	case t != nil && w.src[w.pos] == '{':
		w.object(t, path)
	case t != nil && t.Kind() == reflect.Slice && w.src[w.pos] == '[':
		w.pos++
		for i := 0; ; i++ {
			w.space()
			if w.pos >= len(w.src) || w.src[w.pos] == ']' {
				w.pos++
				return
			}
			w.value(t.Elem(), fmt.Sprintf("%s[%d]", path, i))
			w.comma()
		}
	default:
		w.skip(path)
	}
}

// skip passes a value whose structure nothing is known of. It does not recurse,
// so that no nesting is too deep for it.
func (w *walker) skip(path string) {
	start := w.pos
	for depth := 0; w.pos < len(w.src); {
		switch c := w.src[w.pos]; c {
		case '"':
			w.quoted()
		case '{', '[':
			depth++
			w.pos++
		case '}', ']', ',':
			if depth == 0 {
				w.checkUTF8(w.src[start:w.pos], path)
				return
			}
			if c != ',' {
				depth--
			}
			w.pos++
		default:
			w.pos++
		}
	}
	w.checkUTF8(w.src[start:w.pos], path)
}

func (w *walker) checkUTF8(raw []byte, path string) {
	if !utf8.Valid(raw) {
		w.report(codeUTF8, SeverityWarning, path, "a string holds bytes that are not UTF-8",
			"the kubelet reads them as U+FFFD; look for damage on the disk or an edit in another encoding")
	}
}

func (w *walker) comma() {
	w.space()
	if w.pos < len(w.src) && w.src[w.pos] == ',' {
		w.pos++
	}
}

func (w *walker) object(t reflect.Type, path string) {
	seen := map[string]bool{}
	w.pos++
	for {
		w.space()
		if w.pos >= len(w.src) || w.src[w.pos] != '"' {
			w.pos++
			return
		}
		key := w.key(path)
		member, slot, elem := join(path, key), key, reflect.Type(nil)
		switch {
		case t.Kind() == reflect.Map:
			elem = t.Elem()
		case t.Kind() == reflect.Struct:
			name, ft := fieldFor(t, key)
			switch {
			case ft == nil:
				w.unknown++
				w.report(codeUnknownField, SeverityWarning, member,
					fmt.Sprintf("no kubelet that reads this format knows the field %q", key),
					"the kubelet ignores it and will not write it again")
			case name != key:
				w.report(codeKeyCase, SeverityWarning, member,
					fmt.Sprintf("the field %q is spelled %q", name, key), "no kubelet writes it so: the file was edited")
			}
			if ft != nil {
				slot, elem = name, ft
			}
		}
		if seen[slot] {
			w.report(codeDuplicate, SeverityWarning, member,
				fmt.Sprintf("%q occurs more than once; the kubelet merges objects and takes the last of other values", slot),
				"no kubelet writes it so: the file was edited or two files were joined")
		}
		seen[slot] = true
		w.space()
		w.pos++ // the colon
		w.value(elem, member)
		w.comma()
	}
}

// quoted passes a string and returns it as it stands.
func (w *walker) quoted() []byte {
	start := w.pos
	for w.pos++; w.pos < len(w.src) && w.src[w.pos] != '"'; w.pos++ {
		if w.src[w.pos] == '\\' {
			w.pos++
		}
	}
	w.pos = min(w.pos+1, len(w.src))
	return w.src[start:w.pos]
}

// key passes a string and returns it decoded.
func (w *walker) key(path string) string {
	raw := w.quoted()
	w.checkUTF8(raw, path)
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

var unmarshalerType = reflect.TypeFor[json.Unmarshaler]()

// structure follows pointers, and gives up where a type decodes itself.
func structure(t reflect.Type) reflect.Type {
	for t != nil {
		switch {
		case t == reflect.TypeFor[cpuPod]():
			return reflect.TypeFor[cpuPodJSON]()
		case reflect.PointerTo(t).Implements(unmarshalerType):
			return nil
		case t.Kind() != reflect.Pointer:
			return t
		}
		t = t.Elem()
	}
	return nil
}

// fieldFor finds the field that encoding/json fills from key: the exact name,
// or else one that differs in letter case only.
func fieldFor(t reflect.Type, key string) (string, reflect.Type) {
	var folded string
	var ft reflect.Type
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if name == key {
			return name, f.Type
		}
		if ft == nil && strings.EqualFold(name, key) {
			folded, ft = name, f.Type
		}
	}
	return folded, ft
}
