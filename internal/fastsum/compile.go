package fastsum

import (
	"fmt"
	"reflect"
)

type kind uint8

const (
	never kind = iota // no text is foreseen: always refuse
	str
	integer
	object
	mapping
	list
	octets
	leaf
	pointer
)

// node says what JSON may stand in one place and what it adds to a sum. The
// constant text before a value belongs to its node, so that it is one fragment
// with the bracket that opens the value.
type node struct {
	kind     kind
	pre      fragment // before a value; of a list or map, before one that is not empty
	empty    fragment // an empty list or map
	null     fragment
	nullable bool
	post     byte // after a string or key; 0: nothing
	closing  byte

	fields []field
	late   bool // the first field is optional: what precedes a field is not constant

	sep     fragment // between the elements of a map
	elem    *node    // of a map, the first of a list, behind a pointer
	rest    *node    // further elements of a list
	numeric bool     // keys of a map are integers
	byValue bool     // they come in the order of their values

	signed bool
	leaf   *Leaf
	bytes  *byteTables
}

// field is one member of a nested object.
type field struct {
	name     string // with quotes and colon
	optional bool
	absent   fragment
	node     *node
}

type compiler struct {
	doc     *Document
	tables  bool
	built   map[string]fragment
	text    bool // the text that is summed is the JSON itself
	escaped bool // quotes in the source have a backslash
}

// fragment returns the fragment of a text. Places with the same text share the
// table, which keeps it in the cache.
func (c *compiler) fragment(text string) fragment {
	if !c.tables || text == "" {
		return fragment{text: text}
	}
	f, ok := c.built[text]
	if !ok {
		f.text = text
		f.build()
		c.built[text] = f
	}
	return f
}

// open, empty and null are the texts of lists and maps.
func (c *compiler) brackets(n *node, pre, open, closing string, nullable bool) {
	n.pre = c.fragment(pre + open)
	n.empty = c.fragment(pre + open + closing)
	n.null = c.fragment(pre + "<nil>")
	if c.text {
		n.null = c.fragment(pre + "null")
	}
	n.nullable = nullable
	n.closing = closing[0]
}

// value compiles a place that holds a t and has pre before its text.
func (c *compiler) value(t reflect.Type, pre string) *node {
	if l, ok := c.doc.Leaves[t]; ok && (c.text || l.Dump != nil) {
		return c.quoted(&node{kind: leaf, leaf: &l}, pre)
	}
	if codesItself(t) && !c.doc.Transparent[t] {
		return &node{}
	}
	switch t.Kind() {
	case reflect.String:
		return c.quoted(&node{kind: str}, pre)
	case reflect.Int, reflect.Int64:
		return &node{kind: integer, pre: c.fragment(pre), signed: true}
	case reflect.Uint, reflect.Uint64:
		return &node{kind: integer, pre: c.fragment(pre)}
	case reflect.Struct:
		return c.object(t, pre)
	case reflect.Map:
		return c.mapping(t, pre)
	case reflect.Slice:
		return c.list(t, pre)
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Pointer {
			return &node{}
		}
		if c.text {
			return &node{kind: pointer, nullable: true, null: c.fragment(pre + "null"), elem: c.value(t.Elem(), pre)}
		}
		// A nil one takes the type from what is dumped after it.
		return &node{kind: pointer, elem: c.value(t.Elem(), pre+"<*>")}
	}
	return &node{}
}

// typed compiles the value of a struct field, which a dump shows with its type.
func (c *compiler) typed(t reflect.Type, pre string) *node {
	if c.text {
		return c.value(t, pre)
	}
	pre += "(" + c.doc.Names.TypeString(t) + ")"
	if t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Pointer {
		return &node{kind: pointer, elem: c.value(t.Elem(), pre)}
	}
	return c.value(t, pre)
}

func (c *compiler) quoted(n *node, pre string) *node {
	if c.text {
		pre += `"`
		n.post = '"'
	}
	n.pre = c.fragment(pre)
	return n
}

func (c *compiler) list(t reflect.Type, pre string) *node {
	if t.Elem().Kind() == reflect.Uint8 {
		if c.text || codesItself(t.Elem()) {
			return &node{}
		}
		n := &node{kind: octets}
		if c.tables {
			n.bytes = builtByteTables()
		}
		c.brackets(n, pre, "[", "]", true)
		return n
	}
	n := &node{kind: list, elem: c.value(t.Elem(), pre+"["), rest: c.value(t.Elem(), c.separator())}
	c.brackets(n, pre, "[", "]", true)
	return n
}

func (c *compiler) separator() string {
	if c.text {
		return ","
	}
	return " "
}

func (c *compiler) mapping(t reflect.Type, pre string) *node {
	if codesItself(t.Key()) {
		return &node{}
	}
	n := &node{kind: mapping}
	switch t.Key().Kind() {
	case reflect.String:
	case reflect.Int, reflect.Int64:
		n.numeric, n.byValue = true, !c.text
	default:
		return &node{}
	}
	n.elem = c.value(t.Elem(), ":")
	if !c.text {
		c.brackets(n, pre, "map[", "]", true)
		n.sep = c.fragment(" ")
		return n
	}
	c.brackets(n, pre, "{", "}", true)
	n.pre, n.sep, n.post = c.fragment(pre+`{"`), c.fragment(`,"`), '"'
	return n
}

func (c *compiler) object(t reflect.Type, pre string) *node {
	fields, ok := flatten(t)
	if !c.text {
		fields, ok = dumpFields(t)
	}
	if !ok {
		return &node{}
	}
	n := &node{kind: object, closing: '}', late: len(fields) == 0 || c.text && fields[0].optional}
	lead := pre + "{"
	if n.late {
		n.pre, lead = c.fragment(lead), ""
	}
	for _, f := range fields {
		m := field{name: c.name(f.name), optional: f.optional}
		if c.text {
			m.node = c.value(f.typ, lead+`"`+f.name+`":`)
		} else {
			lead += f.goName + ":"
			m.node = c.typed(f.typ, lead)
			if f.optional {
				zero, ok := c.zero(reflect.Zero(f.typ))
				if !ok {
					return &node{}
				}
				m.absent = c.fragment(lead + zero)
			}
		}
		n.fields = append(n.fields, m)
		if lead = c.separator(); n.late {
			lead = "" // the comma depends on what precedes
		}
	}
	return n
}

// name is how a member's name stands in the source.
func (c *compiler) name(name string) string {
	if c.escaped {
		return `\"` + name + `\":`
	}
	return `"` + name + `":`
}

// zero returns the dump of a value that an absent member leaves, with its type.
func (c *compiler) zero(v reflect.Value) (string, bool) {
	typ := "(" + c.doc.Names.TypeString(v.Type()) + ")"
	if l, ok := c.doc.Leaves[v.Type()]; ok {
		if l.Dump == nil {
			return "", false
		}
		text, ok := l.Dump(nil, nil)
		return typ + string(text), ok
	}
	switch v.Kind() {
	case reflect.Map, reflect.Slice:
		switch {
		case v.IsNil():
			return typ + "<nil>", true
		case v.Len() > 0:
			return "", false
		case v.Kind() == reflect.Map:
			return typ + "map[]", true
		}
		return typ + "[]", true
	case reflect.Pointer:
		return typ + "<nil>", v.IsNil()
	case reflect.String:
		return typ + v.String(), true
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		return typ + fmt.Sprint(v), true
	}
	return "", false
}
