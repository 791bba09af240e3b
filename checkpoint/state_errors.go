package checkpoint

import (
	"errors"
	"fmt"
	"time"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/filestore"
)

// Reason says what is wrong with the file of a State.
type Reason string

const (
	// ReasonEmpty is a file without a byte, or of white space only.
	ReasonEmpty Reason = "empty"
	// ReasonNUL is a file with NUL bytes, as a file system may leave one after a
	// power cut.
	ReasonNUL Reason = "nul-bytes"
	// ReasonTruncated is JSON that ends too early.
	ReasonTruncated Reason = "truncated"
	// ReasonTrailing is JSON with something behind it.
	ReasonTrailing Reason = "trailing-data"
	// ReasonSyntax is what is not JSON otherwise.
	ReasonSyntax Reason = "syntax"
	// ReasonEnvelope is an envelope that lacks a member, or has it twice or of
	// another type.
	ReasonEnvelope Reason = "envelope"
	// ReasonSeal is an envelope whose seal does not fit: a version, generation,
	// digest, name or boot id was changed.
	ReasonSeal Reason = "seal"
	// ReasonDigest is a payload whose digest does not fit.
	ReasonDigest Reason = "digest"
	// ReasonDocument is a payload with a good digest that is no document of its
	// version. The program that wrote it has another idea of the version.
	ReasonDocument Reason = "document"
	// ReasonSum is a file of the kubelet's package whose checksum does not fit.
	ReasonSum Reason = "checksum"
	// ReasonForeign is JSON that is not the file of a State.
	ReasonForeign Reason = "foreign"
	// ReasonName is the intact file of a State of another name.
	ReasonName Reason = "name"
)

// damaged reports whether r says that bytes have changed since they were written.
// Only then does a recovery policy apply: a file of another program, or one that
// only another version can read, is not for us to put away.
func (r Reason) damaged() bool {
	return r != ReasonDocument && r != ReasonForeign && r != ReasonName
}

// FormatError says why a file is not the file of a State, or not as it was
// written. errors.Is matches ErrCorruptCheckpoint if, and only if, bytes have
// changed since.
type FormatError struct {
	Reason Reason
	// Offset is the number of bytes before the fault, where Reason is about JSON.
	Offset int64
	// Found and Want are the digests, sums or names that differ; empty otherwise.
	Found, Want string
	// Text is the sentence.
	Text string
	// Err is what another decoder has said, if one was asked.
	Err error
}

func (e *FormatError) Error() string { return e.Text }

// Unwrap returns Err.
func (e *FormatError) Unwrap() error { return e.Err }

// Is matches the corruption errors of the kubelet's package.
func (e *FormatError) Is(target error) bool {
	return e.Reason.damaged() && checksum.CorruptCheckpointError{}.Is(target)
}

// Outcome says what is on disk after a failed call.
type Outcome int

const (
	// Unchanged: what was there before is still there. (A damaged file may have been
	// put away, as WithRecovery says; the observer has heard of it.)
	Unchanged Outcome = iota
	// NotDurable: the new state is visible to every reader, but a power cut may
	// bring back the old one. Repeat the call.
	NotDurable
	// Uncertain: the old or the new state is there. Load tells which; repeat the
	// call to be sure.
	Uncertain
)

func (o Outcome) String() string {
	switch o {
	case NotDurable:
		return "changed but not durably"
	case Uncertain:
		return "maybe changed"
	}
	return "unchanged"
}

// StateError says which operation on which State failed, and what has become of
// the file.
type StateError struct {
	Op      string // open, load, update, delete
	Key     string
	Outcome Outcome
	Err     error
}

func (e *StateError) Error() string {
	cause := e.Err
	// The store's wrapper names an operation and the key as well: once is enough.
	if op, ok := cause.(*filestore.OpError); ok {
		cause = op.Err
	}
	if e.Outcome == Unchanged {
		return fmt.Sprintf("cannot %s state %q: %v", e.Op, e.Key, cause)
	}
	return fmt.Sprintf("cannot %s state %q, which is %s: %v", e.Op, e.Key, e.Outcome, cause)
}

// BusyError says that another call of the same State has gone on for as long as the
// store waits for a lock. A call from within the function of an Update waits for
// that Update, so it always ends like this, or with its context.
type BusyError struct {
	Waited time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("another call of this State has not ended for %v (one from within the function of an Update waits for itself)", e.Waited)
}

// failed wraps an error of an operation; nil stays nil. Unless it is settled, the
// operation has not come to change anything.
func failed(op, key string, err error) error {
	outcome, err := unsettle(err)
	if err == nil {
		return nil
	}
	return &StateError{Op: op, Key: key, Outcome: outcome, Err: err}
}

// settled is an error of which is known what it has left on disk. What it wraps may
// be the error of another store, which a function of the program has returned; that
// says nothing of ours.
type settled struct {
	outcome Outcome
	err     error
}

func (e *settled) Error() string { return e.err.Error() }

// settle settles an error of our own store; nil stays nil.
func settle(err error) error {
	if err == nil {
		return nil
	}
	return &settled{outcomeOf(err), err}
}

func unsettle(err error) (Outcome, error) {
	if s, ok := err.(*settled); ok {
		return s.outcome, s.err
	}
	return Unchanged, err
}

// outcomeOf is for errors in which nothing but our own store has a part.
func outcomeOf(err error) Outcome {
	var notDurable *filestore.NotDurableError
	var uncertain *filestore.UncertainError
	switch {
	case errors.As(err, &uncertain):
		return Uncertain
	case errors.As(err, &notDurable):
		return NotDurable
	}
	return Unchanged
}

// Unwrap returns the cause.
func (e *StateError) Unwrap() error { return e.Err }
