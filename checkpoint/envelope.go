package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
)

// The members of an envelope. What else is in the object is kept.
const (
	envelopeMember = "ckpt" // of the file's object

	nameMember     = "name"
	bootMember     = "boot"
	versionsMember = "versions"
	legacyMember   = "legacy"
	sealMember     = "seal"
)

var envelopeMembers = []string{nameMember, bootMember, versionsMember, legacyMember, sealMember}

// sealFormat is the first line that is sealed. Another way to seal gets another.
const sealFormat = "ckpt/1"

// envelope is what a file says, before any payload is looked at.
type envelope struct {
	name     string
	boot     string
	payloads []payload
	legacy   *legacyRecord // nil: there is no other form beside it

	unknown object // members of the envelope that are not ours
	outer   object // members of the file that are not the envelope
}

// payload is the state in one version.
type payload struct {
	Version    string            `json:"version"`
	Generation uint64            `json:"generation"`
	Payload    json.RawMessage   `json:"payload"`
	SHA256     string            `json:"sha256"` // of the bytes of Payload
	FNV        checksum.Checksum `json:"fnv32a"` // of the same, as checksum.OfString

	raw json.RawMessage // the whole, of one that was read
	bad *FormatError    // the digest does not fit; nil if it does
}

// legacyRecord is the form of the kubelet's package beside an envelope.
type legacyRecord struct {
	Members []string `json:"members"` // of the file's object
	SHA256  string   `json:"sha256"`  // of the document, as our program marshals it
}

func newPayload(version string, generation uint64, blob []byte) payload {
	return payload{Version: version, Generation: generation, Payload: blob, SHA256: digest(blob), FNV: checksum.OfString(string(blob))}
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// seal is the digest of all that decides how a payload is read.
func (e *envelope) seal() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s\n", sealFormat, e.name, e.boot)
	for _, p := range e.payloads {
		fmt.Fprintf(&b, "%s %d %s\n", p.Version, p.Generation, p.SHA256)
	}
	if e.legacy != nil {
		fmt.Fprintf(&b, "%q %s\n", e.legacy.Members, e.legacy.SHA256)
	}
	return digest([]byte(b.String()))
}

// bytes returns the file.
func (e *envelope) bytes() ([]byte, error) {
	var in object
	var err error
	add := func(name string, v any) {
		if err == nil {
			err = in.add(name, v)
		}
	}
	add(nameMember, e.name)
	if e.boot != "" {
		add(bootMember, e.boot)
	}
	list := []byte("[")
	for i, p := range e.payloads {
		if i > 0 {
			list = append(list, ',')
		}
		if p.raw != nil {
			list = append(list, p.raw...)
			continue
		}
		var o object
		for _, m := range []struct {
			name string
			v    any
		}{{"version", p.Version}, {"generation", p.Generation}, {"payload", p.Payload}, {"sha256", p.SHA256}, {"fnv32a", p.FNV}} {
			if err == nil {
				err = o.add(m.name, m.v)
			}
		}
		list = append(list, o.bytes()...)
	}
	add(versionsMember, json.RawMessage(append(list, ']')))
	if e.legacy != nil {
		add(legacyMember, e.legacy)
	}
	add(sealMember, e.seal())
	in = append(in, e.unknown...)
	file := append(e.outer.without(envelopeMember), member{envelopeMember, in.bytes()})
	return file.bytes(), err
}

// parseFile reads the object of a file and, if it has one, its envelope.
func parseFile(blob []byte) (file object, e *envelope, err error) {
	if bad := syntaxFault(blob); bad != nil {
		return nil, nil, bad
	}
	if file, err = parseObject(blob); err != nil {
		return nil, nil, &FormatError{Reason: ReasonForeign, Text: "not the file of a state: " + err.Error()}
	}
	if _, twice := file.twice(envelopeMember); twice {
		return nil, nil, fault("the file has the member %q twice", envelopeMember)
	}
	raw := file.get(envelopeMember)
	if raw == nil {
		return file, nil, nil
	}
	e, err = parseEnvelope(raw)
	if err != nil {
		return nil, nil, err
	}
	e.outer = file.without(envelopeMember)
	return file, e, nil
}

func parseEnvelope(raw json.RawMessage) (*envelope, error) {
	in, err := parseObject(raw)
	if err != nil {
		return nil, fault("member %q: %v", envelopeMember, err)
	}
	if name, twice := in.twice(envelopeMembers...); twice {
		return nil, fault("the envelope has the member %q twice", name)
	}
	e := &envelope{unknown: in.without(envelopeMembers...)}
	var seal string
	var payloads []json.RawMessage
	into := map[string]any{nameMember: &e.name, bootMember: &e.boot, versionsMember: &payloads, legacyMember: &e.legacy, sealMember: &seal}
	for _, name := range envelopeMembers {
		raw := in.get(name)
		if raw == nil {
			if name == bootMember || name == legacyMember {
				continue
			}
			return nil, fault("the envelope has no member %q", name)
		}
		if err := json.Unmarshal(raw, into[name]); err != nil {
			return nil, fault("member %q of the envelope: %v", name, err)
		}
	}
	for i, raw := range payloads {
		p := payload{raw: raw}
		if err := json.Unmarshal(raw, &p); err != nil {
			return nil, fault("version %d of the envelope: %v", i, err)
		}
		e.payloads = append(e.payloads, p)
	}
	if got := e.seal(); got != seal {
		return nil, &FormatError{Reason: ReasonSeal, Found: got, Want: seal,
			Text: "the envelope was changed: its seal does not fit its versions, generations, digests, name or boot id"}
	}
	if len(e.payloads) == 0 {
		return nil, fault("the envelope has no version of the state")
	}
	for i := range e.payloads {
		e.payloads[i].check()
	}
	return e, nil
}

// check compares a payload with its digests.
func (p *payload) check() {
	text := string(p.Payload)
	if got := digest(p.Payload); got != p.SHA256 {
		p.bad = &FormatError{Reason: ReasonDigest, Found: got, Want: p.SHA256}
	} else if got := checksum.OfString(text); got != p.FNV {
		p.bad = &FormatError{Reason: ReasonDigest, Found: fmt.Sprint(got), Want: fmt.Sprint(p.FNV)}
	}
	if p.bad != nil {
		p.bad.Text = fmt.Sprintf("the payload of version %q was changed: its digest is %s, but %s is stored", p.Version, p.bad.Found, p.bad.Want)
	}
}

func fault(format string, args ...any) *FormatError {
	return &FormatError{Reason: ReasonEnvelope, Text: fmt.Sprintf(format, args...)}
}
