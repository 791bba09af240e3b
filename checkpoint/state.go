package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/migrate"
)

// State is a value of type T that is kept in one file. It is safe for use by
// several goroutines, and beside other processes that use this package. It holds
// no descriptor between calls and needs no closing. Use Open.
type State[T any] struct {
	c *core
}

// core is a State whose type is forgotten.
type core struct {
	key   string
	name  string
	store *filestore.Store
	dir   string
	chain *migrate.Chain

	versions     []migrate.Version
	dual         int
	legacy       *legacyForm
	merge        func(now, before any) error
	mergeType    reflect.Type
	newEmpty     func() any
	emptyType    reflect.Type
	boot         string
	bootScope    bool
	recovery     Recovery
	history      int
	observe      func(Event)
	log          *slog.Logger
	storeOptions []filestore.Option

	turn        chan struct{} // holds a token while somebody updates
	turns       atomic.Uint64 // how often it was taken
	turnTimeout time.Duration

	memory memory
	news   news
}

// Open returns the state that is kept under key in a directory, which is created
// if need be. The file is not read yet. A T is anything that encoding/json writes
// and reads back: what it does not write is not kept, and what a field of an
// interface type holds comes back as encoding/json has it, a number as a float64 of
// 53 bits and a struct as a map. An Update refuses text that is not UTF-8, which
// encoding/json would change silently.
func Open[T any](dir, key string, opts ...Option) (*State[T], error) {
	c := &core{
		key:      key,
		versions: []migrate.Version{migrate.First[T]("v1")},
		log:      slog.New(slog.DiscardHandler),
		turn:     make(chan struct{}, 1),
	}
	for _, o := range opts {
		if o != nil {
			o(c)
		}
	}
	err := filestore.ValidateKey(key)
	if err == nil {
		err = c.check(reflect.TypeFor[T]())
	}
	if err == nil && (c.recovery != Fail || c.history > 0) && len(key) > filestore.MaxKeptKey {
		err = &filestore.LongKeyError{Key: key} // now, not when there is damage
	}
	if err != nil {
		return nil, failed("open", key, err)
	}
	if c.history == 0 && c.recovery == LastGood {
		c.history = 1
	}
	first := []filestore.Option{filestore.WithLogger(c.log)}
	if c.history > 0 {
		first = append(first, filestore.WithHistory(c.history))
	}
	c.storeOptions = append(first, c.storeOptions...)
	if c.store, err = filestore.Open(dir, c.storeOptions...); err != nil {
		return nil, failed("open", key, err)
	}
	c.dir = c.store.Dir()
	if c.turnTimeout = c.store.LockTimeout(); c.turnTimeout <= 0 {
		c.turnTimeout = filestore.DefaultLockTimeout
	}
	return &State[T]{c}, nil
}

// Load reads the state. If there is none the error is ErrCheckpointNotFound. It
// takes no lock and writes nothing, unless the file is damaged and WithRecovery
// says what to do: then it waits for the lock, as long as ctx allows.
func (s *State[T]) Load(ctx context.Context) (*T, Info, error) {
	r, err := s.c.load(ctx)
	s.c.tell(r.info.Generation, r.events)
	if err != nil {
		return nil, Info{}, failed("load", s.c.key, err)
	}
	if r.doc == nil {
		return nil, Info{}, failed("load", s.c.key, ErrCheckpointNotFound)
	}
	return r.doc.(*T), r.info, nil
}

// Update changes the state from what it is: it reads the file, has change work on
// what is there, and writes the result, while no other Update of this package,
// in whichever process, comes in between. Before anything was written the state
// is that of WithEmpty. If change returns an error nothing is written, and that
// is the error's cause. A change that changes nothing writes nothing, and makes
// sure that what is there is durable. change must not keep what it is given, nor
// update the State, which would wait for itself and end with a *BusyError.
//
// When Update returns nil the new state is durable. Otherwise the error is a
// *StateError whose Outcome says what is on disk. ctx ends the wait for others;
// without a deadline the store's lock timeout does. A write that has begun is
// not interrupted.
func (s *State[T]) Update(ctx context.Context, change func(*T) error) error {
	return s.update(ctx, change, false)
}

// AcceptBoot is Update, and says that the state is now one of the boot of
// WithBootScope, whatever boot it was of before. It is how a program that has put
// a state of another boot in order ends Info.StaleBoot; nothing else does.
func (s *State[T]) AcceptBoot(ctx context.Context, change func(*T) error) error {
	if !s.c.bootScope {
		return failed("update", s.c.key, errors.New("there is no boot to accept without WithBootScope"))
	}
	return s.update(ctx, change, true)
}

func (s *State[T]) update(ctx context.Context, change func(*T) error, accept bool) error {
	if change == nil {
		return failed("update", s.c.key, errors.New("there is no function to change it"))
	}
	generation, events, err := s.c.update(ctx, func(doc any) error { return change(doc.(*T)) }, accept)
	s.c.tell(generation, events)
	return failed("update", s.c.key, err)
}

// Last returns the state as this process last read it or wrote it durably,
// without looking at the file. A failed Update does not change it; and after one
// whose Outcome is not Unchanged, Load does not either, because what it reads may
// be undone: Last keeps the value before until an Update or Delete succeeds. It is
// false if there is none.
func (s *State[T]) Last() (*T, Info, bool) {
	last := s.c.memory.value()
	if last == nil {
		return nil, Info{}, false
	}
	doc := new(T)
	if err := json.Unmarshal(last.payload, doc); err != nil {
		return nil, Info{}, false // it has been read from these bytes before
	}
	return doc, last.info, true
}

// Delete removes the state, durably. That there is none is no error. The generation
// of this State goes on rising. Kept values stay for filestore.Store.Restore; but with
// LastGood, an Update that begins a state anew removes them first, so that what was
// deleted does not come back. ctx ends the wait for others, as in Update: for calls of
// this State, for other States and for other processes.
func (s *State[T]) Delete(ctx context.Context) error {
	return failed("delete", s.c.key, s.c.delete(ctx))
}

func (c *core) delete(ctx context.Context) error {
	if err := c.takeTurn(ctx); err != nil {
		return err
	}
	defer c.giveTurn()
	begun := c.memory.begin()
	err := c.store.DeleteContext(ctx, c.key)
	if err == nil {
		c.memory.wrote(begun, nil)
	} else if outcomeOf(err) != Unchanged {
		c.memory.mayHaveWritten(0)
	}
	return settle(err)
}

// load returns a reading whose events have happened whatever the error.
func (c *core) load(ctx context.Context) (*reading, error) {
	if err := ctxErr(ctx); err != nil {
		return &reading{}, err
	}
	begun := c.memory.begin()
	blob, err := c.store.Read(c.key)
	r := &reading{}
	if err == nil {
		r, err = c.decode(blob)
	} else if errors.Is(err, filestore.ErrKeyNotFound) {
		err = nil
	}
	switch {
	case c.recovers(err):
		if r, err = c.recoverNow(ctx, err); err != nil {
			return r, err
		}
	case err != nil:
		return &reading{}, err
	}
	r.events = c.news.read(r)
	if r.doc == nil {
		c.memory.read(begun, nil)
		return r, nil
	}
	text, err := json.Marshal(r.doc)
	if err != nil {
		return r, err
	}
	c.memory.read(begun, &snapshot{payload: text, info: r.info})
	return r, nil
}
