package main

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// file is an input: a case, and the genuine file that it began as.
type file struct {
	oracle.Case
	base string
}

// mutator makes new files of old ones. The same random source and pool give
// the same files.
type mutator struct {
	r    *rand.Rand
	pool []file
}

// maxSize bounds what mutations may grow a file to.
const maxSize = 64 << 10

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// next returns a changed copy of a file of the pool.
func (m *mutator) next() file {
	f := pick(m.r, m.pool)
	root, err := parse(f.Blob)
	if err != nil || m.r.IntN(10) == 0 {
		f.Blob = m.mutateBytes(f.Blob)
	} else {
		for range pick(m.r, []int{1, 1, 1, 2, 3}) {
			m.mutateDocument(root)
		}
		f.Blob = root.bytes()
		if m.r.IntN(12) == 0 {
			f.Blob = m.respell(f.Blob)
		}
	}
	if m.r.IntN(20) == 0 {
		f.Policy = m.otherPolicy(f.Policy)
	}
	if f.Kind == "allocated" && m.r.IntN(4) == 0 {
		f.FileName = "actuated_pods_state"
	}
	if f.Kind == "cpu" && m.r.IntN(8) == 0 {
		f.Containers = m.otherContainers(f)
	}
	if m.r.IntN(4) > 0 {
		f.Blob = resum(m.r, f)
		if m.r.IntN(25) == 0 {
			f.Blob = m.mutateBytes(f.Blob)
		}
	}
	if len(f.Blob) > maxSize {
		f.Blob = f.Blob[:maxSize]
	}
	return f
}

// otherPolicy is never empty: an empty option means the file's own policy to
// us, and an empty name to a kubelet.
func (m *mutator) otherPolicy(old string) string {
	if p := pick(m.r, policies); p != "" {
		return p
	}
	return old
}

// otherContainers names containers of the file, strangers, or none. No two IDs
// are of the same container: which of them wins is random in the kubelet.
func (m *mutator) otherContainers(f file) map[string][2]string {
	out := maps.Clone(f.Containers)
	if out == nil {
		out = map[string][2]string{}
	}
	root, err := parse(f.Blob)
	if err != nil || root.field("entries") == nil {
		return out
	}
	for i, e := range root.field("entries").members {
		_, known := out[e.key]
		switch m.r.IntN(4) {
		case 0:
			delete(out, e.key)
		case 1:
			if !known {
				out[e.key] = [2]string{pick(m.r, names), "container-" + strconv.Itoa(i)}
			}
		}
	}
	return out
}

// mutateDocument changes a whole file: its own tree, the document within its
// data string, or both halves alike.
func (m *mutator) mutateDocument(root *node) {
	data := root.field("data")
	if data == nil || data.kind != '"' || m.r.IntN(3) == 0 {
		m.mutateTree(root)
		return
	}
	inner, err := parse([]byte(data.text))
	switch {
	case err != nil || m.r.IntN(12) == 0:
		data.text = pick(m.r, inners)
	case m.r.IntN(12) == 0:
		data.text = string(m.respell([]byte(data.text)))
	case m.r.IntN(20) == 0:
		data.text = string(m.mutateBytes([]byte(data.text)))
	default:
		m.mutateTree(inner)
		data.text = string(inner.bytes())
		if root.field("policyName") != nil && m.r.IntN(4) == 0 {
			for _, e := range inner.members { // the older half says the same
				if root.field(e.key) != nil {
					root.set(e.key, e.val.clone())
				}
			}
		}
	}
}

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
			c.members = slices.Insert(c.members, at, member{m.newKey(c), m.oddValue()})
		} else {
			c.elems = slices.Insert(c.elems, m.r.IntN(len(c.elems)+1), m.oddValue())
		}
	default:
		m.mutateScalar(root, p)
	}
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
