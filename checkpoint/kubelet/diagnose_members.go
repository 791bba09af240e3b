package kubelet

import (
	"slices"
	"strings"
)

// members tries the fields of a document within a string: one that nobody knows
// under the name of one that is not there, one that was put in, and one that was
// left out where it had nothing to say. A dump has all fields, whatever the file
// has.
func (s *search) members() {
	if s.inner == nil {
		return
	}
	names := map[string][]string{}
	collectNames(s.inner.typ, s.inner.field, names, 0)
	nodes, _ := scan(s.sk.text[s.sk.json:], s.inner.typ, s.inner.field)
	kids := map[int][]int{}
	for i := range nodes {
		kids[nodes[i].parent] = append(kids[nodes[i].parent], i)
	}
	for i, n := range nodes {
		if fields := names[n.schema]; n.kind == '{' && n.whole && len(fields) > 0 {
			s.membersOf(nodes, i, kids[i], fields)
		}
		if s.d.stopped() {
			return
		}
	}
}

func (s *search) membersOf(nodes []node, at int, kids []int, fields []string) {
	var absent []string
	for _, name := range fields {
		if !slices.ContainsFunc(kids, func(k int) bool { return nodes[k].schema == join(nodes[at].schema, name) && !nodes[k].unknown }) {
			absent = append(absent, name)
		}
	}
	start := s.sk.json
	for i, k := range kids {
		n := &nodes[k]
		a, b := n.extent()
		switch {
		case i+1 < len(kids):
			b, _ = nodes[kids[i+1]].extent()
		case i > 0:
			_, a = nodes[kids[i-1]].extent()
		}
		s.tried++
		if s.text.Without(start+a, start+b) {
			kind := KindAdded
			if raw := string(s.sk.text[start+n.a : start+n.b]); raw == "null" || raw == "{}" || raw == "[]" {
				kind = KindNull
			}
			s.hit(hit{kind: kind, tok: -1, path: n.path, now: string(s.sk.text[start+n.a : start+n.b]), fixed: &edit{start + a, start + b, ""}}, true)
		}
		for _, name := range absent {
			if !n.unknown {
				break
			}
			s.tried++
			if e := (edit{start + n.keyA, start + n.keyB, name}); s.text.Replace(e.a, e.b, e.text) {
				s.hit(hit{kind: KindKey, tok: -1, path: n.path, old: name, now: unquote(s.sk.text[e.a:e.b]), fixed: &e}, true)
			}
		}
	}
	for _, name := range absent {
		s.leftOut(nodes, at, kids, fields, name)
	}
}

// leftOut tries a field more, with nothing in it, where it belongs.
func (s *search) leftOut(nodes []node, at int, kids []int, fields []string, name string) {
	before := fields[:slices.Index(fields, name)]
	place, behind := nodes[at].a+1, false // in front of all
	for _, k := range kids {
		if slices.ContainsFunc(before, func(f string) bool { return nodes[k].schema == join(nodes[at].schema, f) }) {
			_, place = nodes[k].extent()
			behind = true
		}
	}
	values := []string{"null", "{}", "[]", `""`, "0", "false"}
	if name == "policyName" {
		for _, p := range policyNames(s.kind) {
			values = append(values, `"`+p+`"`)
		}
	}
	for _, value := range values {
		text := `"` + name + `":` + value
		switch {
		case behind:
			text = "," + text
		case len(kids) > 0:
			text += ","
		}
		s.tried++
		if e := (edit{s.sk.json + place, s.sk.json + place, text}); s.text.Replace(e.a, e.b, e.text) {
			s.hit(hit{kind: KindNull, tok: -1, path: join(nodes[at].path, name), old: unquoted(value), fixed: &e}, true)
		}
	}
}

// unquoted is JSON text without quotes for strings.
func unquoted(value string) string {
	if len(value) > 1 && value[0] == '"' {
		return unquote([]byte(value[1 : len(value)-1]))
	}
	return value
}

// fixed is the file with an edit of the document within a string.
func (s *search) fixed(e edit) *wholeFile {
	s.d.makePlaces()
	n, ok := s.d.places[s.inner.field]
	if !ok || n.kind != '"' {
		return nil
	}
	doc := string(slices.Concat(s.sk.text[s.sk.json:e.a], []byte(e.text), s.sk.text[e.b:]))
	return &wholeFile{patched(s.d.blob, []patch{{n.a, n.b, quoteInner(doc)}})}
}

// fixedTexts are what kubelets write as they are.
var fixedTexts = strings.Fields(`DRACheckpoint checkpoint.dra.kubelet.k8s.io/v1 v1 default Proposed InProgress Deferred Infeasible`)

// elsewhere tries in each place the texts that other places have, and each text in
// other letters.
func (s *search) elsewhere() {
	const (
		mostValues = 500
		mostTried  = 1_000_000
	)
	isText := func(t *token) bool {
		switch t.role {
		case roleText, roleName, roleUID, roleResource:
			return true
		}
		return false
	}
	values := slices.Clone(fixedTexts)
	seen := map[string]bool{}
	places := 0
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; isText(t) {
			places++
			if !seen[t.value] && len(values) < mostValues {
				seen[t.value] = true
				values = append(values, t.value)
			}
		}
	}
	if places*len(values) > mostTried {
		values = nil
	}
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if !isText(t) {
			continue
		}
		for _, v := range values {
			s.value(i, v)
		}
		for _, v := range []string{strings.ToLower(t.value), strings.ToUpper(t.value), strings.TrimSpace(t.value)} {
			s.value(i, v)
		}
		if s.d.stopped() {
			return
		}
	}
}
