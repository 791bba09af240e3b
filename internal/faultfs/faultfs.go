// Package faultfs wraps an afero.Fs and makes chosen calls fail. It is for tests.
//
// A test that goes through the calls one by one, failing the first, the second
// and so on until none is left to fail, has seen every place where an error can
// come from. Fired tells whether the fault was met at all: one that was met and
// did not surface is a bug of the program under test, one that was not met is a
// bug of the test.
package faultfs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/spf13/afero"
)

// Call is a kind of call. The same call on a directory has a name of its own,
// because it fails for other reasons and with other consequences.
type Call string

// The calls that may fail.
const (
	Stat     Call = "stat" // also lstat, and that of an open file
	Mkdir    Call = "mkdir"
	Create   Call = "create" // an open with O_CREATE
	Open     Call = "open"
	OpenDir  Call = "opendir"
	Read     Call = "read"
	ReadDir  Call = "readdir"
	Write    Call = "write"
	Truncate Call = "truncate"
	Sync     Call = "sync"
	SyncDir  Call = "syncdir"
	Close    Call = "close"
	CloseDir Call = "closedir"
	Rename   Call = "rename" // the path is the old name
	Remove   Call = "remove"
	Chmod    Call = "chmod"
	Chown    Call = "chown"
	Readlink Call = "readlink"
	Lock     Call = "lock"
	Attrs    Call = "attrs"
)

// Rule makes calls fail.
type Rule struct {
	Call Call   // empty: any
	Path string // pattern for the base name; empty: any
	From int    // the first matching call that fails, counted from 1; 0 is 1
	To   int    // the last; 0: only the first, -1: all that follow

	Err   error  // what the call reports; with Short, nil is possible too
	After bool   // the call does its work first
	Short bool   // reads and writes move half of the bytes
	Do    func() // called instead of failing if Err is nil and Short is not set
}

// Seen is a call that was made.
type Seen struct {
	Call Call
	Path string
}

// FS is a wrapped file system.
type FS struct {
	inner afero.Fs

	mu    sync.Mutex
	rules []Rule
	count []int
	calls []Seen
	fired int
}

// Wrap returns fs with faults.
func Wrap(fs afero.Fs, rules ...Rule) *FS {
	return &FS{inner: fs, rules: rules, count: make([]int, len(rules))}
}

// Inject adds rules. They count calls from now on.
func (f *FS) Inject(rules ...Rule) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules = append(f.rules, rules...)
	f.count = append(f.count, make([]int, len(rules))...)
}

// Clear takes all rules away.
func (f *FS) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules, f.count = nil, nil
}

// Calls returns the calls made so far.
func (f *FS) Calls() []Seen {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Seen(nil), f.calls...)
}

// Fired returns how many calls were made to fail.
func (f *FS) Fired() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fired
}

// meet notes a call and returns the rule that it falls under, or nil.
func (f *FS) meet(call Call, name string) *Rule {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, Seen{call, name})
	for i := range f.rules {
		r := &f.rules[i]
		if !r.matches(call, name) {
			continue
		}
		f.count[i]++
		from := max(r.From, 1)
		if n := f.count[i]; n == from || n > from && (r.To < 0 || n <= r.To) {
			f.fired++
			return r
		}
	}
	return nil
}

func (r *Rule) matches(call Call, name string) bool {
	if r.Call != "" && r.Call != call {
		return false
	}
	ok, err := path.Match(r.Path, filepath.Base(name))
	return r.Path == "" || ok && err == nil
}

// around makes a call, or fails in its place. wrap gives a bare errno the form
// in which the real call reports it.
func (f *FS) around(call Call, name string, wrap func(error) error, do func() error) error {
	r := f.meet(call, name)
	switch {
	case r == nil:
		return do()
	case r.Err == nil && r.Do == nil:
		return do()
	}
	var err error
	if r.After {
		err = do()
	}
	if r.Do != nil {
		r.Do()
	}
	switch {
	case err == nil && r.Err != nil:
		return wrap(r.Err)
	case r.After:
		return err
	}
	return do()
}

func pathError(op, name string) func(error) error {
	return func(err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }
}

func linkError(op, from, to string) func(error) error {
	return func(err error) error { return &os.LinkError{Op: op, Old: from, New: to, Err: err} }
}
