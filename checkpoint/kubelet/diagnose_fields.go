package kubelet

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
)

// good reports whether blob is a file of this kind, all of whose sums match.
func (d *diagnosis) good(blob []byte) bool {
	_, all := sumsMatch(blob, d.k)
	return all
}

// sumsMatch reports whether blob is a file of kind k of which the sum that
// decides matches, and whether all do.
func sumsMatch(blob []byte, k *kindTable) (decides, all bool) {
	if !json.Valid(blob) {
		return false, false
	}
	s := newSession(blob)
	id := s.identify(k)
	if !id.good {
		return false, false
	}
	for i := range id.format.sums[1:] {
		sm := &id.format.sums[i+1]
		if sum, ok := s.computed(id.format, sm, &sm.spellings[0]); !ok || sum != sm.stored(s.decode(id.format).doc) {
			return true, false
		}
	}
	return true, true
}

// fieldNames looks for fields that nobody knows, and for entries that have
// become one because their names have become the same. The text that is hashed
// does not have those in it, so the file is read again for each candidate.
func (d *diagnosis) fieldNames(*format) {
	budget := 30_000_000 / (len(d.blob) + 1000)
	names := map[string][]string{}
	for _, f := range d.k.formats {
		collectNames(f.docType(), "", names, 0)
	}
	known := map[string]bool{}
	for _, list := range names {
		for _, name := range list {
			known[name] = true
		}
	}
	tried := map[int]bool{} // by place
	for _, f := range d.k.formats {
		nodes, _ := scan(d.blob, f.docType(), "")
		seen := map[string][]node{}
		for _, n := range nodes {
			if d.stopped() {
				return
			}
			if n.inMap {
				seen[n.path] = append(seen[n.path], n)
			}
			if n.unknown && n.keyB > 0 && !tried[n.keyA] && d.fieldName(n, names[nodes[n.parent].schema], known, &budget) {
				return
			}
			tried[n.keyA] = tried[n.keyA] || n.unknown
		}
		for _, path := range slices.Sorted(maps.Keys(seen)) {
			if len(seen[path]) > 1 {
				d.mergedEntries(seen[path], &budget)
			}
		}
		if len(d.found) > 0 {
			return
		}
	}
}

// fieldName tries the names of known fields in place of an unknown one.
func (d *diagnosis) fieldName(n node, names []string, known map[string]bool, budget *int) bool {
	key := unquote(d.blob[n.keyA:n.keyB])
	list := slices.Compact(slices.Sorted(slices.Values(names)))
	// Letter case does not matter to a kubelet; take the likelier spelling first.
	sort.SliceStable(list, func(i, j int) bool { return sameLetters(list[i], key) > sameLetters(list[j], key) })
	// The likely ones first: they are tried even where the budget is small.
	sort.SliceStable(list, func(i, j int) bool { return oneEdit(key, list[i]) && !oneEdit(key, list[j]) })
	for _, name := range list {
		// Far from its old name is what nobody knows anywhere.
		if name == key || *budget < 0 || !oneEdit(key, name) && known[key] || d.stopped() {
			continue
		}
		*budget--
		d.tried++
		if d.good(replaced(d.blob, n.keyA, n.keyB, name)) {
			d.addInFile(KindKey, n, true, name, key, fmt.Sprintf("no kubelet knows a field %q here", key))
			return true
		}
	}
	return false
}

// sameLetters counts the letters that stand at both ends alike.
func sameLetters(a, b string) int {
	n := commonPrefix(a, b)
	a, b = a[n:], b[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		n++
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return n
}

// addInFile adds an explanation that was checked by reading the changed file again.
func (d *diagnosis) addInFile(kind string, n node, key bool, old, now, because string) {
	e := d.grade(Explanation{Kind: kind, Path: n.path, Old: old, New: now, Evidence: []string{because},
		Offset: int64(n.a), Length: int64(n.b - n.a)})
	if key {
		e.Offset, e.Length = int64(n.keyA), int64(n.keyB-n.keyA)
	}
	e.Text = e.sentence()
	d.add(e)
}

// unreadable tries one character in values that a kubelet cannot have written
// there and for which a file does not decode, so that there is no text to search:
// CPU sets of pods, quantities, numbers, ids of NUMA nodes.
func (d *diagnosis) unreadable(*format) {
	budget := 30_000_000 / (len(d.blob) + 1000)
	for _, f := range d.k.formats {
		if d.s.decode(f).err == nil || f.claims != nil && !f.claims(d.s.decode(f).doc) {
			continue
		}
		nodes, _ := scan(d.blob, f.docType(), "")
		if slices.ContainsFunc(nodes, func(n node) bool { return wrongShape(&n, f.docType()) }) {
			continue
		}
		for _, n := range nodes {
			if n.inMap && !roleOf(d.k.kind, n.schema, true).readable(d.k.kind, unquote(d.blob[n.keyA:n.keyB])) {
				d.unreadableValue(n, n.keyA, n.keyB, true, &budget)
			}
			if n.kind == '{' || n.kind == '[' || n.kind == 'n' || !n.whole && n.kind != '"' && n.b == n.a {
				continue
			}
			value := string(d.blob[n.a:n.b])
			r := roleOf(d.k.kind, n.schema, false)
			if n.path == f.sums[0].field || len(f.sums) > 1 && n.path == f.sums[1].field {
				r = roleBytes
			}
			if n.kind == '"' {
				value = unquote(d.blob[n.a:n.b])
			}
			large := false // a CRC has 32 bits
			if sm := &f.sums[0]; n.path == sm.field && sm.algorithm == algCRC {
				_, err := strconv.ParseUint(value, 10, 32)
				large = err != nil
			}
			if large || !r.readable(d.k.kind, value) {
				d.unreadableValue(n, n.a, n.b, false, &budget)
			}
			if len(d.found) > 0 || d.stopped() {
				return
			}
		}
	}
}

// readable is fits for those roles whose values decide whether a file decodes.
func (r role) readable(kind Kind, value string) bool {
	switch r {
	case roleCPUs, roleQuantity, roleBytes, roleCount, roleNode:
		return r.fits(kind, value)
	case roleResponse:
		_, err := base64.StdEncoding.DecodeString(value)
		return err == nil
	}
	return true
}

func (d *diagnosis) unreadableValue(n node, a, b int, key bool, budget *int) {
	const letters = "0123456789-,.mkMGTPEKinu"
	raw := d.blob[a:b]
	now := unquote(raw)
	kind := KindValue
	if key {
		kind = KindKey
	}
	try := func(i, j int, c string) bool {
		if *budget < 0 || d.stopped() {
			return false
		}
		*budget--
		d.tried++
		if !d.good(replaced(d.blob, a+i, a+j, c)) {
			return false
		}
		if n.schema != "" && roleOf(d.k.kind, n.schema, key) == roleResponse { // the whole of it may be a secret
			n.a, n.b = a+i, a+j
			d.addInFile(KindByte, n, key, c, string(raw[i:j]), "this is no base64")
			return true
		}
		d.addInFile(kind, n, key, unquote(replaced(raw, i, j, c)), now, "no kubelet can read "+quoted(now)+" here")
		return true
	}
	if roleOf(d.k.kind, n.schema, key) == roleResponse {
		for i, c := range raw {
			for k := 0; strings.IndexByte(base64Letters, c) < 0 && k < len(base64Letters); k++ {
				if try(i, i+1, base64Letters[k:k+1]) {
					return
				}
			}
		}
		d.resized(n)
		return
	}
	for i := range len(raw) + 1 {
		if *budget < 0 || d.stopped() {
			return
		}
		if i < len(raw) && try(i, i+1, "") {
			return
		}
		for k := range len(letters) {
			if i < len(raw) && try(i, i+1, letters[k:k+1]) || try(i, i, letters[k:k+1]) {
				return
			}
		}
	}
}

// mergedEntries tries one edit in each of several equal names.
func (d *diagnosis) mergedEntries(twins []node, budget *int) {
	for _, n := range twins {
		key := unquote(d.blob[n.keyA:n.keyB])
		letters := roleOf(d.k.kind, n.schema, true).letters()
		for p := range len(key) + 1 {
			if *budget < 0 || d.stopped() {
				return
			}
			for i := range len(letters) {
				for _, cut := range []int{0, 1} {
					if p+cut > len(key) || *budget < 0 || d.stopped() {
						continue
					}
					old := key[:p] + letters[i:i+1] + key[p+cut:]
					if old == key {
						continue
					}
					*budget--
					d.tried++
					if d.good(replaced(d.blob, n.keyA, n.keyB, quoteInner(old))) {
						d.addInFile(KindKey, n, true, old, key, "the name occurs twice")
						return
					}
				}
			}
		}
	}
}

func replaced(blob []byte, a, b int, by string) []byte {
	return slices.Concat(blob[:a], []byte(by), blob[b:])
}

// collectNames gathers the field names of a document's types, by the schema of
// the object that they are in.
func collectNames(t reflect.Type, schema string, names map[string][]string, depth int) {
	t = structure(t)
	if t == nil || depth > 12 {
		return
	}
	switch t.Kind() {
	case reflect.Map:
		collectNames(t.Elem(), join(schema, "*"), names, depth+1)
	case reflect.Slice:
		collectNames(t.Elem(), join(schema, "#"), names, depth+1)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous {
				names[schema] = append(names[schema], jsonName(f))
				collectNames(f.Type, join(schema, jsonName(f)), names, depth+1)
			}
		}
	}
}

// oneEdit reports whether one character changed, lost, added or swapped with
// its neighbour leads from a to b. Letter case does not count, and a character
// that is no ASCII counts as one however it was read.
func oneEdit(a, b string) bool {
	if n := 64; len(a) > 4*len(b)+n || len(b) > 4*len(a)+n { // whatever their letters take
		return false
	}
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	switch {
	case len(x) <= 1 && len(y) <= 1:
		return true
	case len(x) == 2 && len(y) == 2:
		return x[0] == y[1] && x[1] == y[0]
	case len(x) == 1 && len(y) == 2:
		return x[0] < ' ' // a letter that became a backslash
	case len(y) == 1:
		// An escape in place of a character, or bytes of one that fell apart.
		return len(x) <= 6 && !strings.ContainsFunc(string(x), func(r rune) bool { return r < 0x80 && r != '\\' })
	}
	return false
}

// inMemory looks for a document that is written as this file but hashed otherwise.
func (d *diagnosis) inMemory(f *format) {
	known := slices.ContainsFunc(d.v.Findings, func(f Finding) bool { return f.Code == codeOwnBug })
	if !known || f.inMemory == nil || d.s.decode(f).err != nil {
		return
	}
	sm := &f.sums[0]
	doc := d.s.decode(f).doc
	stored := sm.stored(doc)
	f.inMemory(doc, func(held any, why string) bool {
		d.tried++
		sum, err := sm.compute(&sm.spellings[0], held)
		if err == nil && sum == stored {
			c := d.grade(Explanation{Kind: KindUnreadable, Path: sm.field, Offset: -1,
				Text: "nothing in the file was changed: the kubelet hashed what it held otherwise than it wrote it (" + why + ")"})
			d.add(c)
			return false
		}
		return !d.stopped()
	})
}

// grade sets how far an explanation can be trusted by what was tried so far.
func (d *diagnosis) grade(e Explanation) Explanation {
	e.Tried = d.tried
	switch {
	case d.tried <= maxCertain:
		e.Confidence = Certain
	case d.tried <= maxLikely:
		e.Confidence = Likely
	default:
		e.Confidence = Possible
	}
	return e
}

// otherNames takes the sum under names that a type may have in another build.
func (d *diagnosis) otherNames(*format) {
	for _, f := range d.k.formats {
		doc := d.s.decode(f)
		if doc.err != nil || f.sums[0].stored(doc.doc) == 0 {
			continue
		}
		sm := &f.sums[0]
		sp := &sm.spellings[0]
		if _, isText := firstOf(sp.value(doc.doc)).(string); isText {
			continue
		}
		text, err := sm.text(sp, doc.doc)
		if err != nil {
			continue
		}
		for _, name := range otherTypeNames(sp.typeName) {
			d.tried++
			h := fnv.New32a()
			h.Write([]byte(strings.Replace(text, sp.typeName, name, 1)))
			if uint64(h.Sum32()) != sm.stored(doc.doc) {
				continue
			}
			known := slices.ContainsFunc(sm.spellings, func(sp spelling) bool { return sp.typeName == name })
			if known {
				continue
			}
			d.add(d.grade(Explanation{Kind: KindVersion, Path: sm.field, Offset: -1, Text: fmt.Sprintf(
				"nothing in the file was changed: its checksum is right for a kubelet that calls the type %s, which no known release does", name)}))
			return
		}
	}
}

func firstOf(v any, _ checksum.Names) any { return v }

// otherTypeNames returns names that a release may give a document's type.
func otherTypeNames(name string) (list []string) {
	base := strings.TrimRight(name, "V0123456789")
	for _, suffix := range []string{"", "V1", "V2", "V3", "V4", "V5", "Data", "DataV1"} {
		list = append(list, base+suffix)
	}
	return list
}
