package kubelet

import (
	"encoding/json"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// patch is a new text for bytes a to b.
type patch struct {
	a, b int
	text string
}

// patched makes all the patches, which must not overlap; nil if they do.
func patched(blob []byte, list []patch) []byte {
	list = slices.Clone(list)
	sort.SliceStable(list, func(i, j int) bool { return list[i].a < list[j].a })
	var out []byte
	from := 0
	for _, p := range list {
		if p.a < from || p.b < p.a || p.b > len(blob) {
			return nil
		}
		out = append(append(out, blob[from:p.a]...), p.text...)
		from = p.b
	}
	return append(out, blob[from:]...)
}

// sheet is a JSON document with the places of its values: a file, or the
// document within a string of one.
type sheet struct {
	src    []byte
	nodes  []node
	byPath map[string]int
	// out turns a place of src into one of the file.
	out func(patch) patch
}

func newSheet(src []byte, t reflect.Type, path string, out func(patch) patch) *sheet {
	s := &sheet{src: src, byPath: map[string]int{}, out: out}
	s.nodes, _ = scan(src, t, path)
	for i := range s.nodes {
		s.byPath[s.nodes[i].path] = i // of twins, the last one counts
	}
	return s
}

func (s *sheet) node(path string) *node {
	if i, ok := s.byPath[path]; ok {
		return &s.nodes[i]
	}
	return nil
}

// sheets are a file, and the document within it if it has one.
type sheets struct {
	format *format
	file   *sheet
	inner  *sheet
}

// sheetsOf finds the values of a file that is read as f.
func sheetsOf(blob []byte, f *format) *sheets {
	s := &sheets{format: f, file: newSheet(blob, f.docType(), "", func(p patch) patch { return p })}
	if f.inner == nil {
		return s
	}
	data := s.file.node(f.inner.field)
	if data == nil || data.kind != '"' {
		return s
	}
	raw := blob[data.a:data.b]
	units, offsets := unitsOf(raw)
	place := func(i int) int {
		at, _ := slices.BinarySearch(offsets, i)
		return data.a + units[min(at, len(units)-1)]
	}
	s.inner = newSheet([]byte(unquote(raw)), f.inner.typ, f.inner.field, func(p patch) patch {
		return patch{place(p.a), place(p.b), quoteInner(p.text)}
	})
	return s
}

// of returns the sheet that a path is in.
func (s *sheets) of(path string) *sheet {
	if s.inner != nil && strings.HasPrefix(path, s.format.inner.field+".") {
		return s.inner
	}
	return s.file
}

// value returns the patch that puts a value at path in place of the one there.
// Text is JSON, strings without quotes; odd puts it the other way round: with
// quotes where there are none.
func (s *sheets) value(path, text string, odd bool) (patch, bool) {
	sh := s.of(path)
	n := sh.node(path)
	if n == nil {
		return patch{}, false
	}
	p := patch{n.a, n.b, text}
	switch {
	case n.kind == '"' && odd:
		p.a, p.b = n.a-1, n.b+1
	case n.kind == '"':
		p.text = quoteInner(text)
	case odd:
		p.text = `"` + quoteInner(text) + `"`
	}
	return sh.out(p), true
}

// name returns the patch that gives the member at path its old name. The path
// may be the one that it has with it.
func (s *sheets) name(path, old, now string) (patch, bool) {
	sh := s.of(path)
	n := sh.node(path)
	if up, ok := strings.CutSuffix(path, "."+old); n == nil && ok {
		n = sh.node(up + "." + now)
	} else if n == nil && path == old {
		n = sh.node(now)
	}
	if n == nil || n.keyB == 0 {
		return patch{}, false
	}
	return sh.out(patch{n.keyA, n.keyB, quoteInner(old)}), true
}

// extent returns the bytes of a member or list element, without commas.
func (n *node) extent() (a, b int) {
	a, b = n.a, n.b
	if n.kind == '"' {
		a, b = a-1, b+1
	}
	if n.keyB > 0 {
		a = n.keyA - 1
	}
	return a, b
}

// without returns the patches that take out the members or elements at paths,
// all of one parent, each with one comma.
func (s *sheets) without(paths []string) (list []patch, ok bool) {
	sh := s.of(paths[0])
	gone := map[int]bool{}
	parent := -1
	for _, path := range paths {
		i, there := sh.byPath[path]
		if !there || len(gone) > 0 && sh.nodes[i].parent != parent {
			return nil, false
		}
		gone[i], parent = true, sh.nodes[i].parent
	}
	kept := false
	last := -1 // where the one before ends
	for i := range sh.nodes {
		if sh.nodes[i].parent != parent {
			continue
		}
		a, b := sh.nodes[i].extent()
		if n := len(list); n > 0 && list[n-1].b < 0 {
			list[n-1].b = a // up to this one, with the comma
		}
		switch {
		case !gone[i]:
			kept = true
		case kept:
			list = append(list, patch{last, b, ""})
		default:
			list = append(list, patch{a, -1, ""})
		}
		last = b
	}
	if n := len(list); n > 0 && list[n-1].b < 0 {
		list[n-1].b = last
	}
	for i := range list {
		list[i] = sh.out(list[i])
	}
	return list, true
}

// with returns the patch that puts a member where its name belongs in the object
// at path. The value is JSON.
func (s *sheets) with(path, name, value string) (patch, bool) {
	sh := s.of(path)
	member := `"` + quoteInner(name) + `":` + value
	up, ok := sh.byPath[path]
	if !ok && sh == s.file { // left out where it is empty, as kubelets do before the sum
		if sum := sh.node(s.format.sums[0].field); sum != nil {
			a, _ := sum.extent()
			return patch{a, a, `"` + path + `":{` + member + `},`}, true
		}
	}
	if !ok || sh.nodes[up].kind != '{' {
		return patch{}, false
	}
	at := sh.nodes[up].a + 1
	some := false
	for i := range sh.nodes {
		n := &sh.nodes[i]
		if n.parent != up || n.keyB == 0 {
			continue
		}
		a, b := n.extent()
		if unquote(sh.src[n.keyA:n.keyB]) > name {
			return sh.out(patch{a, a, member + ","}), true
		}
		at, some = b, true
	}
	if some {
		member = "," + member
	}
	return sh.out(patch{at, at, member}), true
}

// canonical spells a file as a kubelet does, with the sums that it stores; nil
// if it does not decode.
func canonical(blob []byte, f *format) []byte {
	d := newSession(blob).decode(f)
	if d.err != nil {
		return nil
	}
	out, err := json.Marshal(d.doc)
	if err != nil {
		return nil
	}
	return out
}
