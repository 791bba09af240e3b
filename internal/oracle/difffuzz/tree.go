package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// node is a JSON value that keeps what a Go map would lose: the order of
// members, duplicates, and how a number is spelt.
type node struct {
	kind    byte // '{', '[', '"', or '0' for text that is printed as it stands
	text    string
	members []member
	elems   []*node
}

type member struct {
	key string
	val *node
}

func str(s string) *node  { return &node{kind: '"', text: s} }
func bare(s string) *node { return &node{kind: '0', text: s} }

// parse reads one JSON value.
func parse(b []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	n, err := parseValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one value")
	}
	return n, nil
}

func parseValue(d *json.Decoder) (*node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		n := &node{kind: byte(t)}
		for d.More() {
			key := ""
			if n.kind == '{' {
				k, err := d.Token()
				if err != nil {
					return nil, err
				}
				key, _ = k.(string)
			}
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			if n.kind == '{' {
				n.members = append(n.members, member{key, v})
			} else {
				n.elems = append(n.elems, v)
			}
		}
		_, err := d.Token()
		return n, err
	case string:
		return str(t), nil
	case json.Number:
		return bare(t.String()), nil
	case bool:
		return bare(fmt.Sprint(t)), nil
	}
	return bare("null"), nil
}

// bytes prints the value without white space. Bytes of a string that are no
// UTF-8 come out as they are.
func (n *node) bytes() []byte {
	var b bytes.Buffer
	n.print(&b)
	return b.Bytes()
}

func (n *node) print(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			quote(b, m.key)
			b.WriteByte(':')
			m.val.print(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, e := range n.elems {
			if i > 0 {
				b.WriteByte(',')
			}
			e.print(b)
		}
		b.WriteByte(']')
	case '"':
		quote(b, n.text)
	default:
		b.WriteString(n.text)
	}
}

// quote spells a string as encoding/json does, and so the kubelet.
func quote(b *bytes.Buffer, s string) {
	if q, err := json.Marshal(s); err == nil && utf8.ValidString(s) {
		b.Write(q)
		return
	}
	b.WriteByte('"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
}

func (n *node) clone() *node {
	c := *n
	c.members = slices.Clone(n.members)
	for i := range c.members {
		c.members[i].val = c.members[i].val.clone()
	}
	c.elems = slices.Clone(n.elems)
	for i := range c.elems {
		c.elems[i] = c.elems[i].clone()
	}
	return &c
}

// field returns the last member of that name, in any case, as encoding/json
// would take it.
func (n *node) field(name string) *node {
	for i := len(n.members) - 1; i >= 0; i-- {
		if strings.EqualFold(n.members[i].key, name) {
			return n.members[i].val
		}
	}
	return nil
}

// set gives the last member of that name another value, or adds one.
func (n *node) set(name string, v *node) {
	for i := len(n.members) - 1; i >= 0; i-- {
		if strings.EqualFold(n.members[i].key, name) {
			n.members[i].val = v
			return
		}
	}
	n.members = append(n.members, member{name, v})
}

// place is a value within a tree: a member or an element of parent.
type place struct {
	parent *node
	index  int
}

// places lists every value but the root, parents first.
func (n *node) places() []place {
	var all []place
	var walk func(*node)
	walk = func(p *node) {
		for i := range p.members {
			all = append(all, place{p, i})
			walk(p.members[i].val)
		}
		for i := range p.elems {
			all = append(all, place{p, i})
			walk(p.elems[i])
		}
	}
	walk(n)
	return all
}

func (p place) get() *node {
	if p.parent.kind == '{' {
		return p.parent.members[p.index].val
	}
	return p.parent.elems[p.index]
}

func (p place) put(v *node) {
	if p.parent.kind == '{' {
		p.parent.members[p.index].val = v
		return
	}
	p.parent.elems[p.index] = v
}

// key is the member's name; empty for an element.
func (p place) key() string {
	if p.parent.kind == '{' {
		return p.parent.members[p.index].key
	}
	return ""
}

func (p place) remove() {
	if p.parent.kind == '{' {
		p.parent.members = slices.Delete(p.parent.members, p.index, p.index+1)
		return
	}
	p.parent.elems = slices.Delete(p.parent.elems, p.index, p.index+1)
}

// tidy puts the members of maps in the order in which a kubelet prints them,
// each once. An object that has no member with the name of a field is a map.
func (n *node) tidy() {
	for _, m := range n.members {
		m.val.tidy()
	}
	for _, e := range n.elems {
		e.tidy()
	}
	if slices.ContainsFunc(n.members, func(m member) bool { return slices.Contains(fields, m.key) }) {
		return
	}
	slices.SortStableFunc(n.members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	n.members = slices.CompactFunc(n.members, func(a, b member) bool { return a.key == b.key })
}
