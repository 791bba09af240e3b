package kubelet

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/internal/fastsum"
)

// corruptText is what every kubelet calls a sum that does not match.
const corruptText = "checkpoint is corrupted"

// session holds what has been computed of one file, so that judging it for all
// releases decodes and hashes it once for each format.
type session struct {
	blob     []byte
	docs     map[*format]*decoded
	sums     map[*spelling]uint64
	meanings map[*format]*meaning
	limited  map[*attempt]*meaning // by those that know fewer fields

	canonicals map[*format]*fastsum.Sums // fast_session.go
	scanner    fastsum.Scanner
	slow       bool // take no fast road; for tests
}

// decoded is a file read as one format, half filled if err is set.
type decoded struct {
	doc any
	err error
	// blank: the format is prefilled and the file sets no sum.
	blank bool
}

// meaning is the content of a document.
type meaning struct {
	content any
	err     error
}

func newSession(blob []byte) *session {
	return &session{blob: blob, docs: map[*format]*decoded{}, sums: map[*spelling]uint64{}, meanings: map[*format]*meaning{}, limited: map[*attempt]*meaning{},
		canonicals: map[*format]*fastsum.Sums{}}
}

func (s *session) decode(f *format) *decoded {
	if d := s.docs[f]; d != nil {
		return d
	}
	d := &decoded{}
	if d.doc = s.half(f); d.doc == nil {
		d.doc = f.fresh()
		d.err = f.unmarshal(s.blob, d.doc)
	}
	if f.prefilled && d.err == nil && s.canonical(f) == nil { // a canonical file sets all fields
		bare := reflect.New(f.docType()).Interface()
		d.blank = f.unmarshal(s.blob, bare) == nil && f.sums[0].stored(bare) == 0
	}
	s.docs[f] = d
	return d
}

// computed returns the sum of f's document in one spelling. A dump of decoded
// JSON has no part that could not be hashed, so an error counts as no match.
func (s *session) computed(f *format, sm *sum, sp *spelling) (uint64, bool) {
	if v, ok := s.sums[sp]; ok {
		return v, true
	}
	if sums := s.canonical(f); sums != nil {
		if p, ok := f.road().places[sp]; ok {
			return uint64(sums[p.sum].Computed[p.head]), true
		}
	}
	v, err := sm.compute(sp, s.decode(f).doc)
	if err != nil {
		return 0, false
	}
	s.sums[sp] = v
	return v, true
}

// check is the kubelet's look at the sum: whether it passes, and whether a sum
// protects the file then.
func (s *session) check(a *attempt) (signed, passed bool) {
	f, sm := a.format, &a.format.sums[0]
	d := s.decode(f)
	stored := sm.stored(d.doc)
	if stored == 0 && a.zeroPasses {
		return false, true
	}
	for _, name := range a.sums {
		if v, ok := s.computed(f, sm, sm.spelled(name)); ok && v == stored {
			return !d.blank, true
		}
	}
	return false, false
}

// meaning returns the content of the file as f, which is decoded once.
func (s *session) meaning(f *format) (any, error) {
	m := s.meanings[f]
	if m == nil {
		m = &meaning{}
		m.content, m.err = f.content(s.decode(f).doc)
		s.meanings[f] = m
	}
	return m.content, m.err
}

// content returns what the document that a read means to it.
func (s *session) content(a *attempt) (any, error) {
	if a.content == nil {
		return s.meaning(a.format)
	}
	m := s.limited[a]
	if m == nil {
		m = &meaning{}
		if s.canonical(a.format) == nil {
			m.content, m.err = a.content(s.decode(a.format).doc)
		} else if m.content, m.err = s.meaning(a.format); m.err == nil {
			m.content = a.limit(m.content)
		}
		s.limited[a] = m
	}
	return m.content, m.err
}

// result is what one kubelet makes of a file.
type result struct {
	state  any
	read   any     // the content that the state was made of
	format *format // as which it was read; nil if as none
	signed bool    // a sum protects what was read
	passed bool    // an attempt passed its sum check, whatever followed
	no     *refusal
}

// restore runs one path.
func (s *session) restore(k *kindTable, p *path, r reader, env environment) result {
	var first, last *attempt // that failed
	var kept any
	for i := range p.attempts {
		a := &p.attempts[i]
		if s.lacksInner(k, a.format) && !p.keeps {
			if last = a; i == 0 {
				first = a
			}
			continue
		}
		signed, passed := false, false
		if s.decode(a.format).err == nil {
			signed, passed = s.check(a)
		}
		if !passed {
			if a.noFallback != "" && a.format.claims(s.decode(a.format).doc) {
				return result{no: &refusal{err: a.noFallback + s.failure(a)}}
			}
			if last = a; i == 0 {
				first = a
				if p.keeps {
					kept, _ = s.content(a)
				}
			}
			continue
		}
		res := result{format: a.format, signed: signed, passed: true}
		content, bad := s.content(a)
		if bad != nil {
			res.no = &refusal{err: words(bad, a.names()), bare: k.bareContent}
			return res
		}
		env.fellBack = i > 0
		if a.lookup != "" {
			if content, res.no = lookUp(content.(*CPUState), a.lookup, env.containers); res.no != nil {
				return res
			}
		}
		if kept != nil {
			content = k.overlay(kept, content)
		}
		res.read = content
		res.state, res.no = k.restore(content, r, &env)
		return res
	}
	if p.reportsFirst {
		last = first
	}
	return result{no: &refusal{err: s.failure(last)}}
}

// failure is the kubelet's text for an attempt that did not pass.
func (s *session) failure(a *attempt) string {
	if err := s.decode(a.format).err; err != nil {
		return words(err, a.names())
	}
	return corruptText
}

func (a *attempt) names() checksum.Names {
	return checksum.Merge(a.format.names, a.types)
}

// stage is an error in one step of decoding, under the words that the kubelet
// puts before it.
type stage struct {
	prefix string
	err    error
	inner  bool // in the document within a string
}

func (e *stage) Error() string { return e.prefix + e.err.Error() }
func (e *stage) Unwrap() error { return e.err }

// words is the text of a decode error as a kubelet prints it, whose Go types
// bear other names than ours.
func words(err error, names checksum.Names) string {
	if st, ok := err.(*stage); ok {
		return st.prefix + words(st.err, names)
	}
	var te *json.UnmarshalTypeError
	if !errors.As(err, &te) || te.Type == nil {
		return err.Error()
	}
	text := "json: cannot unmarshal " + te.Value + " into Go "
	if te.Struct == "" && te.Field == "" {
		return text + "value of type " + names.TypeString(te.Type)
	}
	short := map[string]string{}
	for t, printed := range names {
		short[t.Name()] = printed[strings.LastIndexByte(printed, '.')+1:]
	}
	renamed := func(s string) string {
		if to, ok := short[s]; ok {
			return to
		}
		return s
	}
	fields := strings.Split(te.Field, ".")
	for i, f := range fields {
		fields[i] = renamed(f)
	}
	return text + "struct field " + renamed(te.Struct) + "." + strings.Join(fields, ".") + " of type " + names.TypeString(te.Type)
}
