package main

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// mutateTree makes one change somewhere in a tree.
func (m *mutator) mutateTree(root *node) {
	all := root.places()
	if len(all) == 0 {
		root.kind, root.members = '{', []member{{pick(m.r, fields), m.oddValue()}}
		return
	}
	p := pick(m.r, all)
	if m.r.IntN(6) == 0 { // more often near the root, where there are fewer places
		p = all[m.r.IntN(min(len(all), 6))]
	}
	v := p.get()
	if q, ok := m.tender(all); ok && m.r.IntN(3) == 0 {
		m.mutateScalar(root, q)
		return
	}
	switch m.r.IntN(20) {
	case 0:
		p.remove()
	case 1:
		p.put(m.oddValue())
	case 2:
		p.put(bare("null"))
	case 3: // twice, and perhaps another value the second time
		m.again(p, v.clone())
	case 4:
		m.again(p, m.oddValue())
	case 5:
		if p.parent.kind == '{' {
			p.parent.members[p.index].key = m.otherKey(p)
		}
	case 6: // the same value somewhere else
		pick(m.r, all).put(v.clone())
	case 7:
		m.graft(root, p)
	case 8:
		shuffle(m.r, p.parent)
	case 9:
		if c := containerOf(p, v); c.kind == '{' {
			at := m.r.IntN(len(c.members) + 1)
			added := member{m.newKey(c), m.oddValue()}
			if m.r.IntN(2) == 0 {
				added = m.knownField()
			}
			c.members = slices.Insert(c.members, at, added)
		} else {
			c.elems = slices.Insert(c.elems, m.r.IntN(len(c.elems)+1), m.oddValue())
		}
	default:
		m.mutateScalar(root, p)
	}
}

// tender picks a value that a parser of the kubelet's own reads: a CPU set, a
// quantity, a protobuf message.
func (m *mutator) tender(all []place) (place, bool) {
	var found []place
	for _, p := range all {
		v := p.get()
		if v.kind == '"' && (strings.EqualFold(p.key(), "AllocResp") || v.text != "" && looksLikeCPUs(v.text) || looksLikeQuantity(v.text)) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return place{}, false
	}
	return pick(m.r, found), true
}

// knownField is a field of some format, with a value that it may have.
func (m *mutator) knownField() member {
	f := pick(m.r, known)
	n, err := parse([]byte(f[1]))
	if err != nil {
		panic(err) // the list is ours
	}
	return member{f[0], n}
}

// containerOf returns v if it holds values, or else what holds it.
func containerOf(p place, v *node) *node {
	if v.kind == '{' || v.kind == '[' {
		return v
	}
	return p.parent
}

func (m *mutator) oddValue() *node {
	n, err := parse([]byte(pick(m.r, odd)))
	if err != nil {
		panic(err) // the list is ours
	}
	return n
}

// again adds v beside p: a member of the same name, perhaps in another case.
func (m *mutator) again(p place, v *node) {
	if p.parent.kind == '[' {
		p.parent.elems = slices.Insert(p.parent.elems, p.index, v)
		return
	}
	key := p.key()
	if m.r.IntN(3) == 0 {
		key = m.otherCase(key)
	}
	at := m.r.IntN(len(p.parent.members) + 1)
	p.parent.members = slices.Insert(p.parent.members, at, member{key, v})
}

// graft puts a value of another file in the place of p's, or beside it.
func (m *mutator) graft(root *node, p place) {
	other, err := parse(pick(m.r, m.pool).Blob)
	if err != nil {
		return
	}
	if data := other.field("data"); data != nil && data.kind == '"' && m.r.IntN(2) == 0 {
		if in, err := parse([]byte(data.text)); err == nil {
			other = in
		}
	}
	from := other.places()
	if len(from) == 0 {
		return
	}
	q := pick(m.r, from)
	if p.parent.kind == '{' && q.parent.kind == '{' && m.r.IntN(2) == 0 {
		p.parent.members = append(p.parent.members, member{q.key(), q.get()})
		return
	}
	if same := root.field(q.key()); same != nil && q.key() != "" {
		root.set(q.key(), q.get())
		return
	}
	p.put(q.get())
}

func shuffle(r *rand.Rand, n *node) {
	r.Shuffle(len(n.members), func(i, j int) { n.members[i], n.members[j] = n.members[j], n.members[i] })
	r.Shuffle(len(n.elems), func(i, j int) { n.elems[i], n.elems[j] = n.elems[j], n.elems[i] })
}

func (m *mutator) newKey(in *node) string {
	switch m.r.IntN(4) {
	case 0:
		return pick(m.r, names)
	case 1:
		return pick(m.r, mapKeys)
	case 2:
		if len(in.members) > 0 {
			return m.otherCase(pick(m.r, in.members).key)
		}
	}
	return pick(m.r, fields)
}

func (m *mutator) otherKey(p place) string {
	key := p.key()
	_, notNumber := strconv.ParseInt(key, 10, 64)
	switch {
	case notNumber == nil && m.r.IntN(2) == 0:
		return pick(m.r, mapKeys)
	case m.r.IntN(2) == 0:
		return m.otherCase(key)
	}
	return m.newKey(p.parent)
}

// otherCase respells a key so that encoding/json may still take it for the
// same field.
func (m *mutator) otherCase(key string) string {
	switch m.r.IntN(6) {
	case 0:
		return strings.ToUpper(key)
	case 1:
		return strings.ToLower(key)
	case 2:
		return strings.Replace(key, "s", "ſ", 1)
	case 3:
		return strings.Replace(key, "k", "\u212a", 1)
	case 4:
		return key + pick(m.r, []string{" ", "\x00", "_", "s"})
	}
	return strings.ToUpper(key[:min(1, len(key))]) + key[min(1, len(key)):]
}
