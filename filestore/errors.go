package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// ErrKeyNotFound is returned when a key has no file. Every other failure to
// read is something else: a file that cannot be read is not an absent one.
var ErrKeyNotFound = errors.New("key is not found")

// ErrNoGoodGeneration is returned by Restore when no kept generation passes the
// caller's check.
var ErrNoGoodGeneration = errors.New("no good generation")

// ErrChanged is returned by Replace when the value is not the one that the
// caller has seen.
var ErrChanged = errors.New("the value has been changed since it was read")

// InvalidKeyError says that a string cannot be a key.
type InvalidKeyError struct {
	Key string
}

func (e *InvalidKeyError) Error() string { return fmt.Sprintf("invalid key: %q", e.Key) }

// OpError says which operation on which key failed. Unless a NotDurableError or
// an UncertainError is returned instead, the value that was there before is still
// there.
type OpError struct {
	Op  string // write, read, delete, list, update, replace, sweep, probe, restore, quarantine, forget, open
	Key string // empty for operations on the whole directory
	Err error
}

func (e *OpError) Error() string {
	if e.Key == "" {
		return e.Op + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s %q: %v", e.Op, e.Key, e.Err)
}

// Unwrap returns the cause, so that errors.Is finds an errno.
func (e *OpError) Unwrap() error { return e.Err }

// NotDurableError says that the change is visible to every reader, but that the
// disk has not confirmed it: a power cut may bring back what was there before.
// The remedy is to repeat the whole operation. The kernel may drop what it could
// not write and report success the next time, so a repeated fsync proves nothing
// (PostgreSQL's "fsyncgate", https://lwn.net/Articles/752063/).
type NotDurableError struct {
	Path string
	Err  error
}

func (e *NotDurableError) Error() string {
	return fmt.Sprintf("%q is changed but may not survive a power cut: %v", e.Path, e.Err)
}

// Unwrap returns the failed call's error.
func (e *NotDurableError) Unwrap() error { return e.Err }

// UncertainError says that a call reported a failure after which the old value,
// the new one or, when the file had to be written in place, a mixture may be
// there, and that looking did not settle it.
type UncertainError struct {
	Path string
	Err  error
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("%q may hold the old or the new value: %v", e.Path, e.Err)
}

// Unwrap returns the failed call's error.
func (e *UncertainError) Unwrap() error { return e.Err }

// NotRegularError says that something other than a regular file has the name of
// a key. It was neither opened nor replaced.
type NotRegularError struct {
	Path string
	Mode fs.FileMode
}

func (e *NotRegularError) Error() string {
	return fmt.Sprintf("%q is %s, want a regular file", e.Path, kindOf(e.Mode))
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "of mode " + mode.String()
}

// MountPointError says that the file is itself a mount point, as a single file
// mounted into a container is, and therefore cannot be replaced by rename. See
// WithInPlace.
type MountPointError struct {
	Path string
	Err  error
}

func (e *MountPointError) Error() string {
	return fmt.Sprintf("%q is a mount point and cannot be replaced by rename: %v", e.Path, e.Err)
}

// Unwrap returns the error of the rename.
func (e *MountPointError) Unwrap() error { return e.Err }

// TooLargeError says that a value is larger than the store's limit.
type TooLargeError struct {
	Size, Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("value of %d bytes is over the limit of %d", e.Size, e.Limit)
}

// LongKeyError says that a key is valid but too long for the names of its
// generations and of its file in quarantine.
type LongKeyError struct {
	Key string
}

func (e *LongKeyError) Error() string {
	return fmt.Sprintf("key of %d bytes, at most %d with history or quarantine", len(e.Key), MaxKeptKey)
}

// LockedError says that somebody else kept the store's lock for as long as we
// were willing to wait.
type LockedError struct {
	Path   string        // the lock file
	Owner  string        // what the holder wrote about itself; may be empty or out of date
	Waited time.Duration // how long we waited
}

func (e *LockedError) Error() string {
	owner := e.Owner
	if owner == "" {
		owner = "an unnamed process"
	}
	return fmt.Sprintf("lock %q is held by %s (waited %v)", e.Path, owner, e.Waited)
}

// KeepOwnerError says that the owner of a file which was to be replaced cannot be
// given to the new one, as to most writers that are not root it may not.
type KeepOwnerError struct {
	UID, GID int
	Err      error
}

func (e *KeepOwnerError) Error() string {
	return fmt.Sprintf("cannot keep the owner %d:%d of the file, which filestore.TryAttributes does not insist on: %v", e.UID, e.GID, e.Err)
}

// Unwrap returns the error of chown.
func (e *KeepOwnerError) Unwrap() error { return e.Err }

// NoLockError says that an operation must be alone, and that the file system has no
// locks which see to that.
type NoLockError struct {
	Path string // of the lock file
	Err  error  // matches errors.ErrUnsupported
}

func (e *NoLockError) Error() string {
	return fmt.Sprintf("no lock at %q, which needs filestore.WithoutLock if nobody else writes there: %v", e.Path, e.Err)
}

// Unwrap returns the error of the lock.
func (e *NoLockError) Unwrap() error { return e.Err }

// withCleanup keeps the error of a clean-up beside the error that made it
// necessary, without hiding it and on one line.
func withCleanup(err, cleanup error) error {
	if cleanup == nil || errors.Is(cleanup, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%w; then clean-up failed: %w", err, cleanup)
}
