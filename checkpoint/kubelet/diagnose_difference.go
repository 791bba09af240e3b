package kubelet

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// What a file was as a whole is sometimes known: one half of it says what the
// other was, or an encoding can be undone. This file says in what the file
// differs from that.

// branch is a value of a file or of the document within it, with its place in the file.
type branch struct {
	node
	name  string // of the member
	raw   string // as it stands in its document
	kids  []*branch
	inner bool // in the document within a string
}

// treeOf returns the values of a file, and false if it, or the document within
// it, breaks off.
func treeOf(blob []byte, f *format) (*branch, bool) {
	s := sheetsOf(blob, f)
	top, whole := s.file.tree(false)
	if top == nil || !whole || f.inner == nil {
		return top, whole
	}
	i := slices.IndexFunc(top.kids, func(t *branch) bool { return t.path == f.inner.field && t.kind == '"' })
	if i < 0 || s.inner == nil {
		return top, whole
	}
	inner, whole := s.inner.tree(true)
	if inner != nil {
		outer := top.kids[i]
		inner.name, inner.keyA, inner.keyB = outer.name, outer.keyA, outer.keyB
		top.kids[i] = inner
	}
	return top, whole
}

// tree links the nodes of a sheet.
func (s *sheet) tree(inner bool) (top *branch, whole bool) {
	list := make([]*branch, len(s.nodes))
	for i, n := range s.nodes {
		t := &branch{node: n, raw: string(s.src[n.a:n.b]), inner: inner}
		if n.keyB > 0 {
			t.name = unquote(s.src[n.keyA:n.keyB])
			p := s.out(patch{n.keyA, n.keyB, ""})
			t.keyA, t.keyB = p.a, p.b
		}
		p := s.out(patch{n.a, n.b, ""})
		t.a, t.b = p.a, p.b
		list[i] = t
		if n.parent >= 0 {
			list[n.parent].kids = append(list[n.parent].kids, t)
		}
	}
	if len(list) == 0 {
		return nil, false
	}
	return list[0], s.nodes[0].whole && len(bytes.TrimSpace(s.src[s.nodes[0].b:])) == 0
}

// value is the JSON of t, strings without quotes.
func (t *branch) value() string {
	if t == nil {
		return ""
	}
	if t.kind == '"' {
		return unquote([]byte(t.raw))
	}
	return t.raw
}

func (t *branch) nothing() bool { return t.raw == "null" || t.raw == "{}" || t.raw == "[]" }

func (t *branch) container() bool { return t.kind == '{' || t.kind == '[' }

// departure is one place where a file is not what it was: nil is what is missing.
type departure struct {
	was, now *branch
}

func (c departure) change() Change {
	path := ""
	if c.now != nil {
		path = c.now.path
	}
	if c.was != nil {
		path = c.was.path
	}
	return Change{path, c.was.value(), c.now.value()}
}

// departures compares two values.
func departures(was, now *branch) (list []departure) {
	switch {
	case was.kind == '{' && now.kind == '{' && len(was.kids)+len(now.kids) == 1 && slices.Concat(was.kids, now.kids)[0].inMap:
		return memberDepartures(was, now) // its only entry
	case was.kind != now.kind || was.nothing() != now.nothing():
		return []departure{{was, now}}
	case was.kind == '{':
		return memberDepartures(was, now)
	case was.kind == '[':
		return elementDepartures(was, now)
	case was.value() != now.value():
		return []departure{{was, now}}
	}
	return nil
}

func memberDepartures(was, now *branch) (list []departure) {
	if list := exchangedMembers(was, now); list != nil {
		return list
	}
	names := map[string]*branch{}
	for _, k := range now.kids {
		names[k.name] = k // of twins, the last one counts
	}
	for _, k := range was.kids {
		if other := names[k.name]; other != nil {
			list = append(list, departures(k, other)...)
			delete(names, k.name)
			continue
		}
		list = append(list, departure{was: k})
	}
	for _, k := range now.kids {
		if names[k.name] == k {
			list = append(list, departure{now: k})
		}
	}
	return list
}

// exchangedMembers finds that the same names hold the same, but for two that hold
// what the other held.
func exchangedMembers(was, now *branch) (list []departure) {
	if len(was.kids) != len(now.kids) {
		return nil
	}
	for i, k := range was.kids {
		switch {
		case k.name != now.kids[i].name:
			return nil
		case k.raw != now.kids[i].raw:
			list = append(list, departure{k, now.kids[i]})
		}
	}
	if len(list) != 2 || !exchanged(list[0], list[1]) {
		return nil
	}
	return list
}

// elementDepartures takes lists of different lengths for one with elements put in
// or taken out in one place, if that is all.
func elementDepartures(was, now *branch) (list []departure) {
	x, y := was.kids, now.kids
	if len(x) == len(y) {
		for i := range x {
			list = append(list, departures(x[i], y[i])...)
		}
		return list
	}
	for len(x) > 0 && len(y) > 0 && x[0].raw == y[0].raw {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1].raw == y[len(y)-1].raw {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if len(x) > 0 && len(y) > 0 {
		return []departure{{was, now}}
	}
	for _, k := range x {
		list = append(list, departure{was: k})
	}
	for _, k := range y {
		list = append(list, departure{now: k})
	}
	return list
}

// explainAs adds what explains that the file was was, which a kubelet takes for
// whole. Where nothing differs in meaning, it is the spelling, which words say.
func (d *diagnosis) explainAs(f *format, was []byte, confidence Confidence, because, words string) {
	e := Explanation{Offset: -1, Confidence: confidence, Tried: d.tried, Evidence: []string{because}, was: &wholeFile{was}}
	old, whole := treeOf(was, f)
	now, nowWhole := treeOf(d.blob, f)
	switch {
	case !whole:
		return
	case !nowWhole:
		e.pinpoint(was, d.blob, old)
	default:
		list := departures(old, now)
		if len(list) == 0 {
			e.Kind, e.Text = KindEncoding, cmp.Or(words, "it was written anew in another order or with other spaces")
			if f.inner != nil {
				e.Path = f.inner.field
			}
			for e.Offset++; e.Offset < int64(min(len(was), len(d.blob))) && was[e.Offset] == d.blob[e.Offset]; e.Offset++ {
			}
			break
		}
		e.depart(list)
	}
	if e.Text == "" {
		e.Text = e.sentence()
	}
	d.add(e)
}

// depart says what sort of a change these are.
func (e *Explanation) depart(list []departure) {
	e.Kind = KindHalves
	first := list[0]
	at := first.now
	switch {
	case len(list) == 1 && first.was == nil:
		e.Kind = KindAdded
		if !at.inMap && at.keyB > 0 && at.nothing() {
			e.Kind = KindNull
		}
	case len(list) == 1 && first.now == nil:
		e.Kind = KindMissing
		if !first.was.inMap && first.was.keyB > 0 {
			e.Kind = KindNull
		}
	case len(list) == 1:
		e.Kind = KindValue
		if first.was.nothing() && first.now.nothing() {
			e.Kind = KindNull
		}
	case len(list) == 2 && renamedTo(list[0], list[1]):
		e.Kind = KindKey
		e.Path, e.Old, e.New = list[1].now.path, list[0].was.name, list[1].now.name
		e.Offset, e.Length = int64(list[1].now.keyA), int64(list[1].now.keyB-list[1].now.keyA)
		return
	case len(list) == 2 && exchanged(list[0], list[1]):
		e.Kind = KindSwapped
	}
	c := first.change()
	e.Path, e.Old, e.New = c.Path, c.Old, c.New
	if at != nil {
		e.Offset, e.Length = int64(at.a), int64(at.b-at.a)
	}
	for _, o := range list[1:] {
		e.Also = append(e.Also, o.change())
	}
}

// renamedTo reports whether a member is missing and the same is there under
// another name.
func renamedTo(x, y departure) bool {
	return x.now == nil && y.was == nil && x.was.keyB > 0 && y.now.keyB > 0 && x.was.raw == y.now.raw &&
		strings.TrimSuffix(parentPath(x.was.path), "."+x.was.name) == strings.TrimSuffix(parentPath(y.now.path), "."+y.now.name)
}

func exchanged(x, y departure) bool {
	return x.was != nil && x.now != nil && y.was != nil && y.now != nil && x.was.raw == y.now.raw && x.now.raw == y.was.raw
}

// pinpoint explains a file that does not decode by the one stretch of bytes that
// is not as it was.
func (e *Explanation) pinpoint(was, now []byte, top *branch) {
	a := 0
	for a < len(was) && a < len(now) && was[a] == now[a] {
		a++
	}
	b, c := len(was), len(now)
	for b > a && c > a && was[b-1] == now[c-1] {
		b, c = b-1, c-1
	}
	e.Offset, e.Length = int64(a), int64(c-a)
	var best *branch
	size := len(was)
	var visit func(t *branch)
	visit = func(t *branch) {
		if t.keyB > 0 && t.keyA <= a && b <= t.keyB {
			best, size = &branch{node: node{path: t.path, a: t.keyA, b: t.keyB, keyB: t.keyB}, inner: t.inner}, 0
		}
		if !t.container() && t.a <= a && b <= t.b && t.b-t.a < size {
			best, size = &branch{node: node{path: t.path, a: t.a, b: t.b}, inner: t.inner}, t.b-t.a
		}
		for _, k := range t.kids {
			visit(k)
		}
	}
	visit(top)
	for _, k := range top.kids {
		if len(k.kids) > 0 && k.kids[0].inner && k.a <= a && b <= k.b {
			e.Path = k.path
		}
	}
	const some = 40
	switch {
	case bytes.IndexByte(now[a:c], 0) >= 0:
		e.Kind, e.Text = KindTruncated, fmt.Sprintf("NUL bytes stand where something was written, from byte %d on", a)
	case best != nil:
		e.Kind, e.Path = KindValue, best.path
		if best.keyB > 0 {
			e.Kind = KindKey
		}
		e.Old, e.New = unquote(was[best.a:best.b]), unquote(now[best.a:best.b+c-b])
		if best.inner {
			e.Old, e.New = unquote([]byte(e.Old)), unquote([]byte(e.New))
		}
		e.Offset, e.Length = int64(best.a), int64(best.b-best.a+c-b)
	case b-a <= some && c-a <= some:
		e.Kind, e.Old, e.New = KindByte, string(was[a:b]), string(now[a:c])
		if e.Path != "" {
			e.Old, e.New = unquote([]byte(e.Old)), unquote([]byte(e.New))
		}
	default:
		e.Kind = KindHalves
		e.Text = "one half of the file is broken; the other, whose checksum is right, says what it was"
	}
}
