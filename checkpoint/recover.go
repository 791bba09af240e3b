package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/filestore"
)

// recovers reports whether err is damage that the policy deals with.
func (c *core) recovers(err error) bool {
	var format *FormatError
	return c.recovery != Fail && errors.As(err, &format) && format.Reason.damaged()
}

// recoverNow is for a reader that has found damage. Under the lock it looks again:
// another process may have recovered meanwhile. If it cannot look, as on a disk that
// is mounted read-only, the damage that was found is what there is to say.
func (c *core) recoverNow(ctx context.Context, damage error) (r *reading, err error) {
	var w written
	looked := false
	err = c.locked(ctx, func(old []byte) ([]byte, error) {
		looked = true
		var floor uint64
		if r, floor, err = c.current(old); err != nil || floor == 0 || r.doc == nil {
			return nil, err
		}
		// What came back is written once more, under a generation of its own.
		text, err := json.Marshal(r.doc)
		if err != nil {
			return nil, err
		}
		begun := c.memory.begin()
		w, err = c.assemble(r, text, floor, r.info.Boot)
		w.begun = begun
		return w.file, err
	}, func(err error) {
		if w.file != nil {
			c.noteWrite(w, err)
		}
	})
	if err != nil && !looked {
		return nil, fmt.Errorf("%w; and nothing can be done about it: %w", damage, err)
	}
	if err != nil {
		return nil, err
	}
	if w.file != nil {
		r.info.Generation = w.generation
		r.events = append(r.events, w.events...)
	}
	return r, nil
}

// recoverLocked does what the policy says with a damaged file, while we have the
// lock.
func (c *core) recoverLocked(old []byte, damage error) (r *reading, floor uint64, err error) {
	// The store waits for our answer; another one may work because nobody else
	// can have the lock.
	opts := append(append([]filestore.Option{}, c.storeOptions...), filestore.WithoutLock())
	store, err := filestore.Open(c.dir, opts...)
	if err != nil {
		return nil, 0, fmt.Errorf("%w; and nothing can be done about it: %w", damage, err)
	}
	floor = c.highest(old, store)
	if c.recovery == QuarantineAndStartEmpty {
		path, err := store.Quarantine(c.key)
		if err != nil {
			return nil, 0, fmt.Errorf("%w; and it cannot be put away: %w", damage, err)
		}
		return &reading{events: []Event{{Kind: Quarantined, Path: path, Err: damage}}}, floor, nil
	}
	var good *reading
	generation, err := store.Restore(c.key, func(data []byte) error {
		r, err := c.decode(data)
		good = r
		return err
	})
	if errors.Is(err, filestore.ErrNoGoodGeneration) {
		return nil, 0, fmt.Errorf("%w; and no kept value can take its place: %w", damage, err)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%w; and the kept value cannot be put back: %w", damage, err)
	}
	good.exact = false
	good.events = append([]Event{{Kind: Restored, Path: generation.Path, Err: damage}}, good.events...)
	return good, floor, nil
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
	if err == nil {
		// Nothing is restored: this is how to look at all of them.
		_, err = store.Restore(c.key, func(blob []byte) error {
			see(blob, uint64(len(kept)))
			return errOnlyLooking
		})
	}
	if err != nil && !errors.Is(err, filestore.ErrNoGoodGeneration) {
		c.log.Warn("kept values not read", "key", c.key, "error", err)
	}
	return top
}

var errOnlyLooking = errors.New("only looking")
