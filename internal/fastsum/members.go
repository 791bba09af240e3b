package fastsum

import (
	"fmt"
	"math"
	"reflect"
)

// member compiles one member of the outermost object: what it is to the sums.
// What it is to none is refused, since all formats sum all of their members.
func (c *compiler) member(m *member, f jsonField, all []jsonField, fresh reflect.Value) error {
	lead, used := "", false
	for i, s := range c.doc.Sums {
		switch {
		case s.Algorithm != Dump:
			if s.Member == f.name && f.typ.Kind() == reflect.String {
				used = true
				m.text, m.crc = i, s.Algorithm == CRC
				c.inner(m)
			}
		case s.Of == f.typ: // by value
			used = true
			c.begin(m, i, s)
			m.ends = i
			m.node = c.value(f.typ, "")
		case s.Of == f.owner:
			first := firstOf(all, f.owner)
			if n := f.owner.NumField(); n != countOf(all, f.owner) {
				return fmt.Errorf("fastsum: %v has fields that are no members", f.owner)
			}
			used = true
			lead = " "
			if first.name == f.name {
				lead = "{"
				c.begin(m, i, s)
			}
			lead += f.goName + ":"
			if f.last {
				m.ends, m.closes = i, true
			}
			if f.name == s.Field {
				m.zero = c.fragment(lead + "(" + c.doc.Names.TypeString(f.typ) + ")0")
				break
			}
			m.node = c.typed(f.typ, lead)
			if f.optional {
				zero, ok := c.zero(fresh)
				if !ok {
					return fmt.Errorf("fastsum: what an absent %q leaves is not known", f.name)
				}
				m.absent = c.fragment(lead + zero)
			}
		}
		if s.Field == f.name {
			used = true
			m.stored = i
			switch f.typ.Kind() {
			case reflect.Uint64:
				m.limit = math.MaxUint64
			case reflect.Uint32:
				m.limit = math.MaxUint32
			default:
				return fmt.Errorf("fastsum: the sum %q is a %v", f.name, f.typ)
			}
		}
	}
	if !used || m.optional && m.node == nil {
		return fmt.Errorf("fastsum: nothing is known of the member %q", f.name)
	}
	return nil
}

func (c *compiler) begin(m *member, i int, s Sum) {
	m.begins = i
	m.seed.a = fnvText(basis, "("+s.Heads[0]+")")
	m.seed.b = m.seed.a
	if len(s.Heads) > 1 {
		m.seed.b = fnvText(basis, "("+s.Heads[1]+")")
	}
}

// inner compiles the document within a string, in which quotes are escaped.
func (c *compiler) inner(m *member) {
	in := *c
	in.text, in.escaped = true, true
	for _, t := range c.doc.Inner {
		m.inner = append(m.inner, in.value(t, ""))
	}
	seed := fnvText(basis, "(string)")
	m.seed = sums{seed, seed}
}

func firstOf(fields []jsonField, owner reflect.Type) jsonField {
	for _, f := range fields {
		if f.owner == owner {
			return f
		}
	}
	return jsonField{}
}

func countOf(fields []jsonField, owner reflect.Type) (n int) {
	for _, f := range fields {
		if f.owner == owner {
			n++
		}
	}
	return n
}
