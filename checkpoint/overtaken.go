package checkpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/migrate"
)

// earlier returns the good payloads that an older program has written after: those
// of a version not before the one at the place from in the chain, and of a lower
// generation than below; oldest generation first. One that a newer version has
// taken in, at the same generation or a later one, is left out: so the versions
// fall as the generations rise.
func (c *core) earlier(env *envelope, from int, below uint64) (list []*payload) {
	order := c.order()
	for i := range env.payloads {
		p := &env.payloads[i]
		if at, known := order[p.Version]; known && at >= from && p.Generation < below && p.bad == nil {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *payload) int {
		return cmp.Or(cmp.Compare(a.Generation, b.Generation), cmp.Compare(order[a.Version], order[b.Version]))
	})
	newest := -1
	for i := len(list) - 1; i >= 0; i-- {
		if at := order[list[i].Version]; at > newest {
			newest = at
		} else {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}

// raise converts a document to the newest version, has it merged with what newer
// versions had been before, and says what of theirs is not in it.
func (c *core) raise(r *reading, doc any, before []*payload) error {
	newest := c.chain.Newest().ID()
	doc, lost, err := c.chain.Convert(doc, r.info.Version, newest)
	if err != nil {
		return err
	}
	r.doc, r.info.Lost = doc, append(r.info.Lost, lost...)
	if len(before) == 0 {
		return nil
	}
	if c.merge != nil {
		if err := c.replay(doc, r.info.Version, before); err != nil {
			return err
		}
	}
	r.info.Lost = append(r.info.Lost, c.overtaken(r, before)...)
	r.info.OlderWrote = true
	r.events = append(r.events, Event{Kind: OlderWrote, From: r.info.Version, To: before[0].Version, Lost: r.info.Lost})
	return nil
}

// replay merges as this program would have done had it read after each write: what
// was written first goes into what was written next, and so on into doc.
func (c *core) replay(doc any, version string, before []*payload) error {
	newest := c.chain.Newest().ID()
	var was any
	for i, p := range before {
		now, err := c.payloadDocument(p)
		if err == nil {
			now, _, err = c.chain.Convert(now, p.Version, newest)
		}
		if err == nil && i > 0 {
			err = c.merge(now, was)
		}
		if err != nil {
			return fmt.Errorf("cannot merge what version %q had before version %q was written: %w", p.Version, version, err)
		}
		was = now
	}
	if err := c.merge(doc, was); err != nil {
		return fmt.Errorf("cannot merge what version %q had before version %q was written: %w", before[0].Version, version, err)
	}
	return nil
}

// overtaken returns what newer versions had said and the version that decided
// cannot say, unless the document that was read says it, too. The next Update
// writes these versions anew.
func (c *core) overtaken(r *reading, before []*payload) (lost []migrate.Lost) {
	newest, decided := c.chain.Newest().ID(), r.info.Version
	if r.info.Legacy {
		decided = LegacyForm
	}
	have, err := c.losses(r.doc, newest, decided)
	if err != nil {
		have = nil // it has more than the old version can take; all is told then
	}
	for _, p := range before {
		doc, err := c.payloadDocument(p)
		var said []migrate.Lost
		if err == nil {
			said, err = c.losses(doc, p.Version, decided)
		}
		if err != nil {
			said = []migrate.Lost{{Loss: migrate.Loss{Reason: "not known: " + err.Error()}, From: p.Version, To: decided}}
		}
		for _, l := range said {
			if !slices.Contains(have, l) && !slices.Contains(lost, l) {
				lost = append(lost, l)
			}
		}
	}
	return lost
}

// losses returns what a document loses on the way to an older version, or to the
// LegacyForm. A step may change what it is given, so the document is copied.
func (c *core) losses(doc any, from, to string) ([]migrate.Lost, error) {
	doc, err := c.copy(doc, from)
	if err != nil {
		return nil, err
	}
	version := to
	if to == LegacyForm {
		version = c.legacy.version
	}
	doc, lost, err := c.chain.Convert(doc, from, version)
	if err != nil || to != LegacyForm || !c.legacy.writes {
		return lost, err
	}
	_, more, err := c.legacy.format(doc, c.legacyNames())
	return append(lost, more...), err
}

// copy returns a document that shares no memory with doc.
func (c *core) copy(doc any, version string) (any, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	return c.chain.Decode(version, text)
}
