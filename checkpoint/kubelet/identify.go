package kubelet

import (
	"encoding/json"
	"strings"
)

// identity is what a file was found to be.
type identity struct {
	table   *kindTable
	format  *format // nil: nothing fits
	content any     // nil: does not decode
	// good: the sum that decides matches under some spelling.
	good     bool
	typeName string // the spelling that matches, or the one that is written
	// badContent is why a document within a string does not decode.
	badContent error
}

// identify finds the format of a file of kind k: one that the file claims; or
// one whose sum matches; or one that decodes. Of several, it is the one
// that leaves the fewest fields unread.
func (s *session) identify(k *kindTable) identity {
	if f, name := s.written(k); f != nil {
		return s.as(k, f, name, true)
	}
	var matching, decoding []*format
	names := map[*format]string{}
	for _, f := range k.formats {
		d := s.decode(f)
		if d.err != nil {
			continue
		}
		if len(f.writes) > 0 {
			decoding = append(decoding, f)
		}
		if name, ok := s.matching(f); ok && !d.blank {
			matching = append(matching, f)
			names[f] = name
		}
	}
	best := s.closest(matching)
	for _, f := range k.formats {
		// The legacy half of a file may by itself be a good file of an older
		// format. It is still what it claims to be.
		if f.claims != nil && f.claims(s.decode(f).doc) && (best == nil || best.claims == nil && s.unknown(f) < s.unknown(best)) {
			return s.as(k, f, f.sums[0].spellings[0].typeName, false)
		}
	}
	if best != nil {
		return s.as(k, best, names[best], true)
	}
	if f := s.closest(decoding); f != nil {
		return s.as(k, f, f.sums[0].spellings[0].typeName, false)
	}
	return identity{table: k}
}

// closest returns the first of the formats that know the most of the file.
func (s *session) closest(formats []*format) *format {
	if len(formats) <= 1 {
		formats = append(formats, nil)
		return formats[0]
	}
	best, fewest := formats[0], s.unknown(formats[0])
	for _, f := range formats[1:] {
		if n := s.unknown(f); n < fewest {
			best, fewest = f, n
		}
	}
	return best
}

// unknown counts the fields that f does not read.
func (s *session) unknown(f *format) int {
	n := walk(s.blob, f.docType(), "").unknown
	if f.inner != nil {
		if text := []byte(f.inner.text(s.decode(f).doc)); json.Valid(text) {
			n += walk(text, f.inner.typ, "").unknown
		}
	}
	return n
}

func (s *session) as(k *kindTable, f *format, typeName string, good bool) identity {
	id := identity{table: k, format: f, typeName: typeName, good: good}
	if s.decode(f).err == nil {
		id.content, id.badContent = s.meaning(f)
		if id.badContent != nil {
			id.content = nil
		}
	}
	return id
}

// matching returns the spelling under which the deciding sum of f matches. A
// stored 0 matches nothing: some kubelets take it for "no sum".
func (s *session) matching(f *format) (string, bool) {
	sm := &f.sums[0]
	stored := sm.stored(s.decode(f).doc)
	if stored == 0 {
		return "", false
	}
	for i := range sm.spellings {
		sp := &sm.spellings[i]
		if v, ok := s.computed(f, sm, sp); ok && v == stored {
			return sp.typeName, true
		}
	}
	return "", false
}

// marks are members that only one kind has, in lower case. Of a file with those
// of several kinds, the first in this list decides.
var marks = []struct {
	member string
	kind   Kind
}{
	{"defaultcpuset", CPU}, {"baselines", CPU},
	{"machinestate", Memory},
	{"poddeviceentries", Device}, {"registereddevices", Device},
	{"claiminfostatelist", DRA},
	{"allocationentries", Allocated}, {"resizestatusentries", Allocated},
}

// kindOfContent guesses the kind from the members of a JSON object.
func (s *session) kindOfContent() Kind {
	var top map[string]json.RawMessage
	if json.Unmarshal(s.blob, &top) != nil || len(top) == 0 {
		return ""
	}
	members := map[string]bool{}
	inner := map[string]bool{}
	for key, raw := range top {
		members[strings.ToLower(key)] = true
		if !strings.EqualFold(key, "data") {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) == nil {
			raw = json.RawMessage(text)
		}
		var in map[string]json.RawMessage
		if json.Unmarshal(raw, &in) == nil {
			for k := range in {
				inner[strings.ToLower(k)] = true
			}
		}
	}
	for _, set := range []map[string]bool{members, inner} {
		for _, m := range marks {
			if set[m.member] {
				return m.kind
			}
		}
	}
	switch {
	case members["version"] && members["checksum"], top["Data"] != nil && top["Checksum"] != nil:
		return DRA
	case members["data"] && members["checksum"]:
		return Allocated
	case members["policyname"] && members["checksum"]:
		return CPU
	}
	for _, k := range tables {
		if s.identify(k).good {
			return k.kind
		}
	}
	return ""
}
