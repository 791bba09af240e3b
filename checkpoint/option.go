package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"unicode"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/migrate"
)

// Option changes how a State works.
type Option func(*core)

// WithVersions gives the versions that the state has had, oldest first; the type
// of the State is that of the last. Without it there is one, called "v1".
func WithVersions(versions ...migrate.Version) Option {
	return func(c *core) { c.versions = versions }
}

// WithDualWrite writes the n versions before the newest, too, so that a program
// which knows no later one reads the file after a roll-back. Each of them costs
// its size again. Where there are fewer, it writes all: the first release of a
// program can have the same constant as the third.
func WithDualWrite(n int) Option { return func(c *core) { c.dual = n } }

// WithMerge sets what happens when an older program has written after a newer
// one. merge gets now, which is what the older one wrote, converted, and
// before, which is what the newer one had written earlier. It may complete now,
// with what the old version cannot say of things that are still there.
//
// If several versions were overtaken, one after the other, merge is called for
// each, in the order in which they were written, as if this program had read after
// each write: what v3 said is before, and what v2 wrote after it is now; that, merged,
// is before, and what v1 wrote last is now.
func WithMerge[T any](merge func(now, before *T) error) Option {
	return func(c *core) {
		if c.mergeType, c.merge = reflect.TypeFor[T](), nil; merge == nil {
			return
		}
		c.merge = func(now, before any) error { return merge(now.(*T), before.(*T)) }
	}
}

// WithEmpty sets what a State is before anything was written; otherwise it is a
// zero T.
func WithEmpty[T any](empty func() *T) Option {
	return func(c *core) {
		if c.emptyType, c.newEmpty = reflect.TypeFor[T](), nil; empty == nil {
			return
		}
		c.newEmpty = func() any {
			if doc := empty(); doc != nil {
				return doc
			}
			return nil
		}
	}
}

// empty returns what a State is before anything was written.
func (c *core) empty() (any, error) {
	if c.newEmpty == nil {
		return c.chain.Newest().New(), nil
	}
	doc := c.newEmpty()
	if doc == nil {
		return nil, errors.New("the function of WithEmpty has returned nil")
	}
	return doc, nil
}

// WithName sets the name in the envelope. It is the key otherwise. A file with
// another name is refused, so that one which was copied over is noticed.
func WithName(name string) Option { return func(c *core) { c.name = name } }

// Recovery says what to do with a file whose bytes have changed since they were
// written. It never concerns files of a newer version, of another program, or
// files that cannot be read; nor a file whose last word a newer program can still
// read, because its own version beside the damaged one is intact.
type Recovery int

const (
	// Fail returns the error and changes nothing.
	Fail Recovery = iota
	// QuarantineAndStartEmpty renames the file to .KEY.corrupt-TIME and goes on as
	// if there had been none. It is for a state that can be found out again, for
	// instance from the devices themselves.
	QuarantineAndStartEmpty
	// LastGood goes back to the newest kept value that is good, and keeps a copy
	// of the bad file. It is for a state of which an old value does no harm. It never
	// goes back to what a state was before it was deleted and begun anew.
	LastGood
)

// WithRecovery sets the policy for damaged files.
func WithRecovery(r Recovery) Option { return func(c *core) { c.recovery = r } }

// WithHistory keeps the n values before the current one, for LastGood and for
// filestore.Store.Restore. With LastGood the default is 1, otherwise 0.
func WithHistory(n int) Option { return func(c *core) { c.history = n } }

// WithBootScope says that the state holds until the machine boots again, and
// which boot this is (see BootID). The id is written with the state, in the same
// file. A state of another boot, or of none, is reported in Info.StaleBoot and to
// the observer; it is never deleted.
//
// Update keeps the id that the state has: it does not know whether the function has
// dealt with what is left of the other boot. A program that has, says so with
// AcceptBoot. A state that did not exist before is of this boot.
func WithBootScope(id string) Option {
	return func(c *core) { c.boot, c.bootScope = id, true }
}

// WithObserver has each Event told to observe, for a metric or a Kubernetes
// event. It is called from the goroutine of the operation, after the operation,
// and may call the State.
func WithObserver(observe func(Event)) Option { return func(c *core) { c.observe = observe } }

// WithLogger logs each Event. It is given to the store, too.
func WithLogger(l *slog.Logger) Option {
	return func(c *core) {
		if l != nil {
			c.log = l
		}
	}
}

// WithStore passes options to the store of the file: another file system, how
// long to wait for the lock, what becomes of the file's mode and owner. A file
// system that is no filestore.System has no locks, so that an Update needs
// filestore.WithoutLock there, and may not be made beside another State of the file.
func WithStore(opts ...filestore.Option) Option {
	return func(c *core) { c.storeOptions = append(c.storeOptions, opts...) }
}

// check completes the options and says what is wrong with them.
func (c *core) check(typ reflect.Type) (err error) {
	if c.name == "" {
		c.name = c.key
	}
	if c.chain, err = migrate.NewChain(c.versions...); err != nil {
		return err
	}
	newest := c.chain.Newest()
	switch {
	case newest.Type() != typ:
		return fmt.Errorf("the newest version %q is a %s, want the %s of the state", newest.ID(), newest.Type(), typ)
	case c.dual < 0:
		return fmt.Errorf("cannot write %d previous versions", c.dual)
	case c.mergeType != nil && c.mergeType != typ:
		return fmt.Errorf("the merge function is for %s, want %s", c.mergeType, typ)
	case c.emptyType != nil && c.emptyType != typ:
		return fmt.Errorf("the function for an empty state is for %s, want %s", c.emptyType, typ)
	case strings.ContainsFunc(c.name+c.boot, unicode.IsControl):
		return fmt.Errorf("the name %q or boot id %q has control characters", c.name, c.boot)
	case c.bootScope && c.boot == "":
		return errors.New("the boot id is empty")
	case c.history < 0 || c.recovery < Fail || c.recovery > LastGood:
		return fmt.Errorf("no such history (%d) or recovery policy (%d)", c.history, c.recovery)
	}
	for _, v := range c.chain.Versions() {
		var unsupported *json.UnsupportedTypeError
		if _, err := json.Marshal(v.New()); errors.As(err, &unsupported) {
			return fmt.Errorf("encoding/json cannot write version %q: %w", v.ID(), err)
		}
	}
	if c.legacy == nil {
		return nil
	}
	v, err := c.chain.Version(c.legacy.version)
	switch {
	case err != nil:
		return fmt.Errorf("the form of the kubelet's package: %w", err)
	case v.Type() != c.legacy.doc:
		return fmt.Errorf("the form of the kubelet's package holds a %s, but version %q is %s", c.legacy.doc, v.ID(), v.Type())
	case !c.legacy.complete:
		return errors.New("the form of the kubelet's package needs Read, and Sum unless it is a Checkpoint")
	}
	return nil
}
