package kubelet

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// node is one value of a JSON text, with its place.
type node struct {
	path   string // `entries["uid"]["app"]`
	schema string // the path with * for each key of a map and # for each element of a list
	// keyA to keyB is the member's name without its quotes; both are 0 for others.
	keyA, keyB int
	a, b       int  // of the value; strings without their quotes
	kind       byte // { [ " or, for numbers and words, the first byte
	parent     int  // index; -1 for the top
	unknown    bool // no field of the Go type takes it
	inMap      bool // the name is the key of a map, not that of a field
	whole      bool // false if the text ends before it does
}

// scanner finds the nodes of a JSON text that may be cut off or damaged: it stops
// at the first byte that it does not understand, and what it saw until then
// stays.
type scanner struct {
	src   []byte
	pos   int
	nodes []node
	known map[reflect.Type][]fieldName
}

type fieldName struct {
	name string
	typ  reflect.Type
}

const maxScanDepth = 100 // the kubelet's documents have 8 levels

// scan returns the nodes of src as read into t, in the order of the text, and
// how far it got.
func scan(src []byte, t reflect.Type, path string) ([]node, int) {
	s := &scanner{src: src, known: map[reflect.Type][]fieldName{}}
	s.value(t, node{path: path, schema: path, parent: -1}, 0)
	return s.nodes, s.pos
}

func (s *scanner) space() {
	for s.pos < len(s.src) && strings.IndexByte(" \t\r\n", s.src[s.pos]) >= 0 {
		s.pos++
	}
}

// next reports whether c follows, and passes it.
func (s *scanner) next(c byte) bool {
	s.space()
	if s.pos < len(s.src) && s.src[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

// value reads one value into a node that the caller has begun.
func (s *scanner) value(t reflect.Type, n node, depth int) bool {
	s.space()
	if s.pos >= len(s.src) || depth > maxScanDepth {
		return false
	}
	n.kind = s.src[s.pos]
	n.a = s.pos
	at := len(s.nodes)
	s.nodes = append(s.nodes, n)
	t = structure(t)
	whole := false
	switch n.kind {
	case '{':
		whole = s.object(t, at, depth)
	case '[':
		whole = s.list(t, at, depth)
	case '"':
		s.nodes[at].a++
		whole = s.str()
		s.nodes[at].b = s.pos
		if whole {
			s.nodes[at].b--
		}
		s.nodes[at].whole = whole
		return whole
	default:
		for s.pos < len(s.src) && strings.IndexByte(" \t\r\n,]}:\"", s.src[s.pos]) < 0 {
			s.pos++
		}
		// A number or a word at the end of the text may go on.
		whole = s.pos > n.a && s.pos < len(s.src) && json.Valid(s.src[n.a:s.pos])
	}
	s.nodes[at].b, s.nodes[at].whole = s.pos, whole
	return whole
}

func (s *scanner) object(t reflect.Type, at, depth int) bool {
	s.pos++
	if s.next('}') {
		return true
	}
	for {
		s.space()
		if s.pos >= len(s.src) || s.src[s.pos] != '"' {
			return false
		}
		n := node{parent: at, keyA: s.pos + 1}
		if !s.str() {
			return false
		}
		n.keyB = s.pos - 1
		key := unquote(s.src[n.keyA:n.keyB])
		up := &s.nodes[at]
		var elem reflect.Type
		switch {
		case t != nil && t.Kind() == reflect.Map:
			n.inMap, elem = true, t.Elem()
			n.path, n.schema = up.path+"["+strconv.Quote(key)+"]", join(up.schema, "*")
		case t != nil && t.Kind() == reflect.Struct:
			name, typ := s.field(t, key)
			n.unknown, elem = typ == nil, typ
			if typ == nil {
				name = key
			}
			n.path, n.schema = join(up.path, name), join(up.schema, name)
		default:
			n.path, n.schema = join(up.path, key), join(up.schema, "?")
		}
		if !s.next(':') || !s.value(elem, n, depth+1) {
			return false
		}
		if s.next('}') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

func (s *scanner) list(t reflect.Type, at, depth int) bool {
	s.pos++
	if s.next(']') {
		return true
	}
	var elem reflect.Type
	if t != nil && t.Kind() == reflect.Slice {
		elem = t.Elem()
	}
	for i := 0; ; i++ {
		up := &s.nodes[at]
		n := node{parent: at, path: up.path + "[" + strconv.Itoa(i) + "]", schema: join(up.schema, "#")}
		if !s.value(elem, n, depth+1) {
			return false
		}
		if s.next(']') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

// str passes a string, and reports whether it ends.
func (s *scanner) str() bool {
	for s.pos++; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			return true
		}
	}
	s.pos = len(s.src)
	return false
}

// field is fieldFor with a memory.
func (s *scanner) field(t reflect.Type, key string) (string, reflect.Type) {
	for _, f := range s.known[t] {
		if f.name == key {
			return f.name, f.typ
		}
	}
	name, typ := fieldFor(t, key)
	if typ != nil && name == key {
		s.known[t] = append(s.known[t], fieldName{name, typ})
	}
	return name, typ
}

// unquote decodes what stands between the quotes of a JSON string as
// encoding/json does. What does not decode is returned as it stands.
func unquote(raw []byte) string {
	plain := true
	for _, c := range raw {
		if c == '\\' || c < ' ' {
			plain = false
			break
		}
	}
	if plain && utf8.Valid(raw) {
		return string(raw)
	}
	quoted := make([]byte, 0, len(raw)+2)
	quoted = append(append(append(quoted, '"'), raw...), '"')
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return string(raw)
	}
	return s
}

// quoteInner spells s as json.Marshal does, without the quotes.
func quoteInner(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(b[1 : len(b)-1])
}
