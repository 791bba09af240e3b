package checkpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kubeckpt/ckpt/filestore"
)

// takeTurn waits until no other call of this State updates: until the deadline, or
// if there is none, for as long as one such call may take. Those that wait behind
// many do not give up while these come and go.
func (c *core) takeTurn(ctx context.Context) error {
	if err := ctxErr(ctx); err != nil {
		return err
	}
	var patience <-chan time.Time
	if _, patient := ctx.Deadline(); !patient {
		ticker := time.NewTicker(c.turnTimeout)
		defer ticker.Stop()
		patience = ticker.C
	}
	for {
		turn := c.turns.Load()
		select {
		case c.turn <- struct{}{}:
			c.turns.Add(1)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-patience:
			if turn == c.turns.Load() {
				return &BusyError{Waited: c.turnTimeout}
			}
		}
	}
}

func (c *core) giveTurn() { <-c.turn }

func ctxErr(ctx context.Context) error {
	if ctx == nil {
		return errors.New("the context is nil")
	}
	return ctx.Err()
}

var errAbandoned = errors.New("nobody waits for this update any more")

// locked runs work in the caller's goroutine while this process has the store's
// lock; what it returns is written. An error of work is not one of the store, unless
// it is settled. Before another call of this State may begin, note gets the outcome,
// as a settled error. The store is waited for in another goroutine, which gives
// the lock back at once if ctx has ended by then; until it has, no other begins, so
// that they do not pile up.
func (c *core) locked(ctx context.Context, work func(old []byte) ([]byte, error), note func(error)) error {
	if err := c.takeTurn(ctx); err != nil {
		return err
	}
	ours := true
	defer func() {
		if ours {
			c.giveTurn()
		}
	}()
	type result struct {
		data []byte
		err  error
	}
	granted, abandoned := make(chan []byte), make(chan struct{})
	worked, done := make(chan result, 1), make(chan error, 1)
	go func() {
		done <- c.updateStore(ctx, func(old []byte) ([]byte, error) {
			select {
			case granted <- old:
			case <-abandoned:
				return nil, errAbandoned
			}
			r := <-worked
			return r.data, r.err
		})
	}()
	select {
	case old := <-granted:
		r := result{err: errAbandoned}
		finished := false
		defer func() {
			if !finished { // work has panicked
				worked <- r
				<-done
			}
		}()
		r.data, r.err = work(old)
		finished = true
		var outcome Outcome
		outcome, r.err = unsettle(r.err)
		worked <- r
		err := <-done
		if r.err != nil {
			err = &settled{outcome, err}
		} else {
			err = settle(err)
		}
		note(err)
		return err
	case err := <-done:
		return err
	case <-ctx.Done():
		close(abandoned)
		ours = false
		go func() {
			<-done
			c.giveTurn()
		}()
		return ctx.Err()
	}
}

// updateStore waits for the lock for as long as the store does, or until the
// deadline if there is one.
func (c *core) updateStore(ctx context.Context, change func(old []byte) ([]byte, error)) error {
	_, patient := ctx.Deadline()
	for {
		granted := false
		err := c.store.Update(c.key, func(old []byte) ([]byte, error) {
			granted = true
			return change(old)
		})
		var locked *filestore.LockedError
		if granted || !errors.As(err, &locked) || !patient || ctx.Err() != nil {
			return err
		}
	}
}

// update returns what there is to tell, which has happened whatever the error.
func (c *core) update(ctx context.Context, change func(doc any) error, accept bool) (generation uint64, events []Event, err error) {
	r, w := &reading{}, written{}
	err = c.locked(ctx, func(old []byte) (data []byte, err error) {
		if r, _, err = c.current(old); err != nil {
			return nil, err
		}
		begun := c.memory.begin()
		w, err = c.changed(r, change, accept)
		w.begun = begun
		if err == nil && w.file == nil {
			// Not written again; but another process may have died before it was
			// durable, and the store sees to that.
			return old, nil
		}
		return w.file, err
	}, func(err error) { c.noteWrite(w, err) })
	if accept {
		r.events = slices.DeleteFunc(r.events, func(e Event) bool { return e.Kind == StaleBoot })
	}
	if r.doc != nil {
		r.events = c.news.read(r)
	}
	if err != nil {
		return r.info.Generation, r.events, err
	}
	return w.generation, append(r.events, c.news.wrote(w, accept)...), nil
}

// changed runs change on what was read and returns what to write; there is no
// file in it if that is there already. With accept the state is then of this boot.
func (c *core) changed(r *reading, change func(doc any) error, accept bool) (written, error) {
	doc := r.doc
	if doc == nil {
		var err error
		if doc, err = c.empty(); err != nil {
			return written{}, err
		}
	}
	if err := change(doc); err != nil {
		return written{}, err
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return written{}, err
	}
	boot := r.info.Boot
	if r.doc == nil || accept {
		boot = c.boot
	}
	if r.exact && bytes.Equal(text, r.payload) && boot == r.info.Boot && !c.memory.mustWrite() {
		return written{payload: text, generation: r.info.Generation, boot: boot}, nil
	}
	w, err := c.assemble(r, text, boot)
	if err == nil && r.doc == nil {
		err = c.forget()
	}
	if err != nil {
		return written{}, err
	}
	return w, nil
}

// current reads what an Update begins with, and recovers if need be. The events of
// the reading have happened whatever the error.
func (c *core) current(old []byte) (r *reading, recovered bool, err error) {
	if old == nil {
		return &reading{}, false, nil
	}
	r, err = c.decode(old)
	if c.recovers(err) {
		r, err = c.recoverLocked(old, err)
		return r, true, err
	}
	if err != nil {
		return &reading{}, false, err
	}
	return r, false, nil
}

// written is a file that is to be written.
type written struct {
	file       []byte
	payload    []byte // of the newest version
	generation uint64
	boot       string
	begun      uint64 // what memory.begin returned, under the lock
	events     []Event
}

// written returns the ids of the versions that we write, newest first.
func (c *core) written() []string {
	var ids []string
	for _, v := range c.chain.Versions() {
		ids = append(ids, v.ID())
	}
	slices.Reverse(ids)
	return ids[:1+min(c.dual, len(ids)-1)]
}

func (c *core) writesLegacy() bool {
	return c.legacy != nil && c.legacy.writes && slices.Contains(c.written(), c.legacy.version)
}

// assemble returns the file that says text, the newest payload. r is what was
// read before.
func (c *core) assemble(r *reading, text []byte, boot string) (w written, err error) {
	w.generation = max(c.memory.highest(), r.info.Generation) + 1
	w.payload, w.boot = text, boot
	ids := c.written()
	newest := ids[0]
	env := &envelope{name: c.name, boot: boot, payloads: []payload{newPayload(newest, w.generation, text)}}
	env.outer, env.unknown = c.keep(r)
	// A copy: a step may change what it is given.
	doc, err := c.chain.Decode(newest, text)
	if err != nil {
		return w, fmt.Errorf("the state cannot be read back: %w", err)
	}
	if err := comesBack(doc, text); err != nil {
		return w, err
	}
	legacy := func(id string) error {
		if !c.writesLegacy() || c.legacy.version != id {
			return nil
		}
		o, record, lost, err := c.legacyObject(doc)
		if err != nil {
			return err
		}
		env.outer = append(o, env.outer.without(o.names()...)...)
		env.legacy = record
		if len(lost) > 0 {
			w.events = append(w.events, Event{Kind: Reduced, From: id, To: LegacyForm, Lost: lost})
		}
		return nil
	}
	if err := legacy(newest); err != nil {
		return w, err
	}
	for i, id := range ids[1:] {
		older, lost, err := c.chain.Convert(doc, ids[i], id)
		if err != nil {
			return w, err
		}
		blob, err := json.Marshal(older)
		if err != nil {
			return w, fmt.Errorf("version %q: %w", id, err)
		}
		env.payloads = append(env.payloads, newPayload(id, w.generation, blob))
		if len(lost) > 0 {
			w.events = append(w.events, Event{Kind: Reduced, From: ids[i], To: id, Lost: lost})
		}
		if doc, err = c.chain.Decode(id, blob); err != nil {
			return w, fmt.Errorf("version %q cannot be read back: %w", id, err)
		}
		if err := legacy(id); err != nil {
			return w, err
		}
	}
	env.payloads = append(env.payloads, c.unknownPayloads(r)...)
	if r.doc != nil && r.info.Version != newest {
		w.events = append(w.events, Event{Kind: Migrated, From: r.info.Version, To: newest, Lost: r.info.Lost})
	}
	w.file, err = env.bytes()
	return w, err
}

// keep returns the members of the file and of the envelope that are not ours. A
// form of the kubelet's package is ours even if we do not write it any more: the
// old program would take it for what is true.
func (c *core) keep(r *reading) (outer, unknown object) {
	if r.env == nil {
		return nil, nil // the old program wrote all that is there
	}
	outer = r.env.outer
	if r.env.legacy != nil {
		outer = outer.without(r.env.legacy.Members...)
	}
	return outer, r.env.unknown
}

// unknownPayloads returns the payloads of versions that we do not know. A newer
// program finds its own again, and sees from the generation that it is not the
// last word.
func (c *core) unknownPayloads(r *reading) (list []payload) {
	if r.env == nil {
		return nil
	}
	order := c.order()
	for _, p := range r.env.payloads {
		if _, known := order[p.Version]; !known {
			list = append(list, p)
		}
	}
	return list
}
