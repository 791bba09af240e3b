package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/filestore"
)

// recovers reports whether err is damage that the policy deals with. One that is
// wrapped is of another file, which a function of the program has read.
func (c *core) recovers(err error) bool {
	format, ok := err.(*FormatError)
	return c.recovery != Fail && ok && format.Reason.damaged()
}

// recoverNow is for a reader that has found damage. Under the lock it looks again:
// another process may have recovered meanwhile. If it cannot look, as on a disk that
// is mounted read-only, the damage that was found is what there is to say. The events
// of the reading have happened whatever the error.
func (c *core) recoverNow(ctx context.Context, damage error) (*reading, error) {
	r, w, looked := &reading{}, written{}, false
	err := c.locked(ctx, func(old []byte) (data []byte, err error) {
		looked = true
		var recovered bool
		if r, recovered, err = c.current(old); err != nil || !recovered || r.doc == nil {
			return nil, err
		}
		// What came back is written once more, under a generation of its own.
		text, err := json.Marshal(r.doc)
		if err != nil {
			return nil, err
		}
		begun := c.memory.begin()
		w, err = c.assemble(r, text, r.info.Boot)
		w.begun = begun
		return w.file, err
	}, func(err error) {
		if w.file != nil || err != nil {
			c.noteWrite(w, err)
		}
	})
	if err != nil && !looked {
		return r, fmt.Errorf("%w; and nothing can be done about it: %w", damage, err)
	}
	if err == nil && w.file != nil {
		r.info.Generation = w.generation
		r.events = append(r.events, w.events...)
	}
	return r, err
}

// recoverLocked does what the policy says with a damaged file, while we have the
// lock. What is written next gets a generation above that of the file.
func (c *core) recoverLocked(old []byte, damage error) (r *reading, err error) {
	// The store waits for our answer; another one may work because nobody else
	// can have the lock.
	opts := append(append([]filestore.Option{}, c.storeOptions...), filestore.WithoutLock())
	store, err := filestore.Open(c.dir, opts...)
	if err != nil {
		return &reading{}, fmt.Errorf("%w; and nothing can be done about it: %w", damage, err)
	}
	c.memory.see(c.highest(old, store))
	if c.recovery == QuarantineAndStartEmpty {
		r, err = c.putAway(store, damage)
	} else {
		r, err = c.goBack(store, damage)
	}
	outcome, _ := unsettle(err)
	if outcome != Unchanged {
		c.memory.mayHaveRecovered()
	}
	if err != nil && outcome != NotDurable {
		r = &reading{} // nothing has happened, as far as anybody knows
	}
	return r, err
}

func (c *core) putAway(store *filestore.Store, damage error) (*reading, error) {
	path, err := store.Quarantine(c.key)
	if err != nil {
		err = &settled{outcomeOf(err), fmt.Errorf("%w; and it cannot be put away: %w", damage, err)}
	}
	return &reading{events: []Event{{Kind: Quarantined, Path: path, Err: damage}}}, err
}

func (c *core) goBack(store *filestore.Store, damage error) (*reading, error) {
	var good *reading
	generation, err := store.Restore(c.key, func(data []byte) (err error) {
		good, err = c.decode(data)
		return err
	})
	switch {
	case errors.Is(err, filestore.ErrNoGoodGeneration):
		// It wraps what is wrong with the kept values, which says nothing of the outcome.
		err = fmt.Errorf("%w; and no kept value can take its place: %w", damage, err)
	case err != nil:
		err = &settled{outcomeOf(err), fmt.Errorf("%w; and the kept value cannot be put back: %w", damage, err)}
	}
	if good != nil {
		good.exact = false
		good.events = append([]Event{{Kind: Restored, Path: generation.Path, Err: damage}}, good.events...)
	}
	return good, err
}

// forget removes kept values before a state begins anew. They are of one that was
// deleted, by whomever; if the new file is damaged, LastGood must not bring that back.
// The values go when the state begins, not when it is deleted: a process that dies in
// between, or a file that is removed by hand, makes no difference then. It is called
// while we have the lock.
func (c *core) forget() error {
	if c.recovery != LastGood {
		return nil
	}
	store, err := filestore.Open(c.dir, append(slices.Clone(c.storeOptions), filestore.WithoutLock(), filestore.WithoutSweep())...)
	if err == nil {
		err = store.Forget(c.key)
	}
	if err != nil {
		return fmt.Errorf("what was kept of a state before this one cannot be removed: %w", err)
	}
	return nil
}

// highest returns a generation that is not below that of the damaged file. If the
// file does not tell, the kept ones do: each is one below its successor.
func (c *core) highest(damaged []byte, store *filestore.Store) uint64 {
	top := uint64(1)
	see := func(blob []byte, above uint64) {
		if _, env, err := parseFile(blob); err == nil && env != nil {
			for _, p := range env.payloads {
				top = max(top, p.Generation+above)
			}
		}
	}
	see(damaged, 0)
	kept, err := store.Generations(c.key)
	for _, g := range kept {
		blob, rerr := store.ReadGeneration(c.key, g.Seq)
		if rerr != nil {
			err = rerr
			continue
		}
		see(blob, uint64(len(kept)))
	}
	if err != nil {
		c.log.Warn("kept values not read", "key", c.key, "error", err)
	}
	return top
}
