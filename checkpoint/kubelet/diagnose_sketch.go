package kubelet

import (
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// sketch is a hashed text with the places of the values in it.
type sketch struct {
	text   []byte
	tokens []token // in the order of the text
	groups []group
	json   int // where a JSON document begins in the text; -1 if none does
}

// token is the place of one value, or of one key, in the hashed text.
type token struct {
	a, b   int
	path   string
	schema string
	role   role
	value  string // as the JSON of the file has it, strings decoded
	key    bool
	// spell says how another value would stand in the text; nil: as it is.
	spell func(value string) (string, bool)
}

// group is the place of a map or list: what stands between its brackets.
type group struct {
	a, b    int
	path    string
	schema  string
	sep     int       // bytes between entries
	order   entryRank // how the hashed text orders the entries
	isMap   bool
	entries []slot
	member  int // where ,"name": begins, if that goes when the group is empty; 0
}

// slot is one entry of a group.
type slot struct {
	a, b int
	key  int // token of its key; -1 in a list
}

// entryRank is the order of a map's entries in the text.
type entryRank uint8

const (
	asStored entryRank = iota
	byKey
	byNumber
)

// less reports whether key x comes before y.
func (o entryRank) less(x, y string) bool {
	if o == byNumber {
		nx, ny := strings.HasPrefix(x, "-"), strings.HasPrefix(y, "-")
		if nx != ny {
			return nx
		}
		if len(x) != len(y) {
			return len(x) < len(y) != nx
		}
		return (x < y) != nx && x != y
	}
	return x < y
}

// inText says how value would stand in the text in place of t.
func (t *token) inText(value string) (string, bool) {
	if t.spell == nil {
		return value, true
	}
	return t.spell(value)
}

// sketchJSON finds the values in a hashed text that ends in a JSON document.
func sketchJSON(kind Kind, text []byte, start int, in *innerDoc) *sketch {
	sk := &sketch{text: text, json: start}
	nodes, _ := scan(text[start:], in.typ, in.field)
	group0 := map[int]int{} // node → group
	keyOf := map[int]int{}  // node → token of its name
	spell := func(value string) (string, bool) { return quoteInner(value), true }
	for i := range nodes {
		n := &nodes[i]
		if n.keyB > 0 && n.inMap {
			keyOf[i] = len(sk.tokens)
			sk.tokens = append(sk.tokens, token{a: start + n.keyA, b: start + n.keyB, path: n.path, schema: n.schema,
				role: roleOf(kind, n.schema, true), value: unquote(text[start+n.keyA : start+n.keyB]), key: true, spell: spell})
		}
		raw := text[start+n.a : start+n.b]
		switch {
		case !n.whole: // the document breaks off in it
			continue
		case n.kind == '{' || n.kind == '[':
			if len(raw) == 2 {
				sk.tokens = append(sk.tokens, token{a: start + n.a, b: start + n.b, path: n.path, schema: n.schema,
					role: roleNothing, value: string(raw)})
			}
			group0[i] = len(sk.groups)
			member := 0
			if n.keyB > 0 && !n.inMap && text[start+n.keyA-2] == ',' {
				member = start + n.keyA - 2
			}
			sk.groups = append(sk.groups, group{member: member, a: start + n.a + 1, b: start + n.b - 1, path: n.path, schema: n.schema, sep: 1, isMap: n.kind == '{'})
		case n.kind == 'n':
			sk.tokens = append(sk.tokens, token{a: start + n.a, b: start + n.b, path: n.path, schema: n.schema,
				role: roleNothing, value: string(raw)})
		default:
			t := token{a: start + n.a, b: start + n.b, path: n.path, schema: n.schema, role: roleOf(kind, n.schema, false), value: string(raw)}
			if n.kind == '"' {
				t.value, t.spell = unquote(raw), spell
			}
			sk.tokens = append(sk.tokens, t)
		}
		if g, ok := group0[n.parent]; ok && n.parent >= 0 {
			e := slot{a: start + n.a, b: start + n.b, key: -1}
			if n.kind == '"' {
				e.a, e.b = e.a-1, e.b+1
			}
			if n.keyB > 0 {
				e.a = start + n.keyA - 1
				if k, ok := keyOf[i]; ok {
					e.key = k
				}
			}
			sk.groups[g].entries = append(sk.groups[g].entries, e)
		}
	}
	// Objects that are structs have no entries to add or remove.
	sk.groups = slices.DeleteFunc(sk.groups, func(g group) bool {
		return len(g.entries) == 0 || g.isMap && g.entries[0].key < 0
	})
	return sk
}

// sketchOf returns the text that a sum is taken over, and finds the values in it.
func (s *session) sketchOf(kind Kind, f *format, sm *sum, sp *spelling) (*sketch, error) {
	doc := s.decode(f).doc
	text, err := sm.text(sp, doc)
	if err != nil {
		return nil, err
	}
	v, names := sp.value(doc)
	if data, ok := v.(string); ok {
		if f.inner == nil {
			return &sketch{text: []byte(text), json: -1}, nil
		}
		return sketchJSON(kind, []byte(text), len(text)-len(data), f.inner), nil
	}
	d := &dumpSketcher{kind: kind, names: names}
	d.top(v)
	if string(d.text) != text {
		return &sketch{text: []byte(text), json: -1}, nil // bytes can still be tried
	}
	sk := d.sketch
	sk.json = -1
	return &sk, nil
}

// dumpedQuantity is how a quantity stands in a dump.
func (d *dumpSketcher) dumpedQuantity(value string) (string, bool) {
	const most = 50_000
	if known, ok := d.quantities[value]; ok {
		return known, known != ""
	}
	text := ""
	if q, err := quantity.Parse(value); err == nil {
		text, _ = d.opaqueText(q)
	}
	if d.quantities == nil {
		d.quantities = map[string]string{}
	}
	if len(d.quantities) < most {
		d.quantities[value] = text
	}
	return text, text != ""
}
