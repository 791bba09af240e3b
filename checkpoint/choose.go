package checkpoint

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/kubeckpt/ckpt/migrate"
)

// reading is what a file says.
type reading struct {
	doc  any // of the newest version
	info Info
	env  *envelope // nil: the file has none
	file object
	// exact: the file is as we would write it, so that the same state need not be
	// written again.
	exact bool
	// payload is the bytes of the newest version, if they decided.
	payload []byte
	events  []Event
}

// decode reads a file.
func (c *core) decode(blob []byte) (*reading, error) {
	file, env, err := parseFile(blob)
	if err != nil {
		return nil, err
	}
	r := &reading{file: file, env: env}
	if env == nil {
		return r, c.fromLegacyOnly(r)
	}
	if env.name != c.name {
		return nil, &FormatError{Reason: ReasonName, Found: env.name, Want: c.name,
			Text: fmt.Sprintf("the file is the state %q, want %q", env.name, c.name)}
	}
	best, err := c.choose(env)
	if err != nil {
		return nil, err
	}
	c.look(r, best)
	if wrote, err := c.fromLegacyBeside(r); wrote || err != nil {
		return r, err
	}
	if best.bad != nil {
		return nil, c.damage(env, best)
	}
	doc, err := c.payloadDocument(best)
	if err != nil {
		return nil, err
	}
	newest := c.chain.Newest().ID()
	r.info.Version, r.info.Generation = best.Version, best.Generation
	if best.Version == newest {
		r.payload = best.Payload
		r.exact = r.exact && c.covers(env, best)
	}
	return r, c.raise(r, doc, c.earlier(env, c.order()[best.Version]+1, best.Generation))
}

// damage is the error of an envelope whose payload best decides and is damaged. A
// newer program's own version of the same generation may be intact: then that
// program reads the file, and it is not for us to put away.
func (c *core) damage(env *envelope, best *payload) error {
	order := c.order()
	for _, p := range env.payloads {
		if _, known := order[p.Version]; known || p.bad != nil || p.Generation != best.Generation {
			continue
		}
		if _, err := c.chain.Version(p.Version); err != nil {
			return fmt.Errorf("%w; it is intact, but in version %q %v", err, best.Version, best.bad)
		}
	}
	return best.bad
}

// choose returns the payload that was written last. All that are written at once
// have the same generation; of those it is the newest version.
func (c *core) choose(env *envelope) (*payload, error) {
	var best *payload
	order := c.order()
	for i := range env.payloads {
		p := &env.payloads[i]
		if at, known := order[p.Version]; known && (best == nil || p.Generation > best.Generation ||
			p.Generation == best.Generation && at > order[best.Version]) {
			best = p
		}
	}
	for _, p := range env.payloads {
		if _, known := order[p.Version]; !known && (best == nil || p.Generation > best.Generation) {
			_, err := c.chain.Version(p.Version)
			return nil, err
		}
	}
	return best, nil
}

// order maps the known versions to their place in the chain.
func (c *core) order() map[string]int {
	order := map[string]int{}
	for i, v := range c.chain.Versions() {
		order[v.ID()] = i
	}
	return order
}

// look notes what is to be said of an envelope whatever decides.
func (c *core) look(r *reading, best *payload) {
	r.exact = true
	r.info.Boot = r.env.boot
	for i := range r.env.payloads {
		if p := &r.env.payloads[i]; p.bad != nil && p != best {
			r.damaged(p.Version, p.bad)
		}
	}
	c.lookAtBoot(r)
}

func (c *core) lookAtBoot(r *reading) {
	if c.staleBoot(r.info.Boot) {
		r.info.StaleBoot = true
		r.events = append(r.events, Event{Kind: StaleBoot})
	}
}

// damaged notes a form of the state that is bad, but that nobody needs now.
func (r *reading) damaged(form string, err error) {
	r.exact = false
	r.info.Damaged = append(r.info.Damaged, form)
	r.events = append(r.events, Event{Kind: DamagedForm, From: form, Err: err})
}

// covers reports whether env has the forms that we write, all of the generation
// of best. A newer program's own version may be beside them, as true or as out of
// date as it was: we have nothing new to say.
func (c *core) covers(env *envelope, best *payload) bool {
	if (env.legacy != nil) != c.writesLegacy() {
		return false
	}
	order := c.order()
	var have []string
	for _, p := range env.payloads {
		if _, known := order[p.Version]; !known {
			continue
		}
		if p.Generation != best.Generation {
			return false
		}
		have = append(have, p.Version)
	}
	return slices.Equal(have, c.written())
}

// fromLegacyOnly reads a file without an envelope: the old program wrote last.
func (c *core) fromLegacyOnly(r *reading) error {
	if c.legacy == nil {
		return &FormatError{Reason: ReasonForeign,
			Text: fmt.Sprintf("not the file of a state: it has no member %q (if the kubelet's package wrote it, see WithLegacy)", envelopeMember)}
	}
	if !slices.ContainsFunc(r.file.names(), func(name string) bool { return slices.Contains(c.legacy.members, name) }) {
		return &FormatError{Reason: ReasonForeign,
			Text: fmt.Sprintf("not the file of a state: it has no member %q, and none of the kubelet's package", envelopeMember)}
	}
	doc, lost, _, err := c.legacyFile(r.file)
	if err != nil {
		return err
	}
	r.info.Version, r.info.Legacy, r.info.Lost = c.legacy.version, true, lost
	c.lookAtBoot(r)
	return c.raise(r, doc, nil)
}

// fromLegacyBeside reads the form of the kubelet's package beside an envelope,
// and reports whether it was written after it: by a program that leaves the
// members alone which it does not know. It has then another digest than the one
// the envelope remembers, and a good sum of its own.
func (c *core) fromLegacyBeside(r *reading) (wrote bool, err error) {
	if c.legacy == nil || r.env.legacy == nil {
		return false, nil
	}
	var old object
	for _, m := range r.file {
		if slices.Contains(r.env.legacy.Members, m.name) {
			old = append(old, m)
		}
	}
	doc, lost, sum, err := c.legacyFile(old)
	var format *FormatError
	if err != nil && !errors.As(err, &format) {
		return false, err // of a newer program
	}
	if err != nil {
		r.damaged(LegacyForm, err)
		return false, nil
	}
	if sum == r.env.legacy.SHA256 {
		return false, nil
	}
	r.info.Version, r.info.Legacy, r.info.Lost, r.exact = c.legacy.version, true, lost, false
	for _, p := range r.env.payloads {
		r.info.Generation = max(r.info.Generation, p.Generation)
	}
	return true, c.raise(r, doc, c.earlier(r.env, c.order()[c.legacy.version], math.MaxUint64))
}

// payloadDocument decodes a payload whose digest is good.
func (c *core) payloadDocument(p *payload) (any, error) {
	doc, err := c.chain.Decode(p.Version, p.Payload)
	var decode *migrate.DecodeError
	if errors.As(err, &decode) {
		return nil, &FormatError{Reason: ReasonDocument, Err: err, Text: err.Error()}
	}
	return doc, err
}
