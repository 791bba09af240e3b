package filestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// lockName is hidden from List, the kubelet's too. The file stays: removing a
// lock file while somebody waits for it splits the lock in two. It belongs to
// the writer and has mode 0600, because whoever can open it can hold up writers;
// that is also why the directory itself is not what is locked.
const lockName = ".ckpt.lock"

// claim says how an operation holds the lock.
type claim struct {
	shared   bool
	optional bool          // go on where there can be no lock
	creates  bool          // make a directory that has been removed since Open
	patience time.Duration // 0: the store's timeout
	// until ends the wait; if it has a deadline, no other patience does. It may be nil.
	until context.Context
}

// lockFor: writers of different processes do not disturb each other, so they
// share. Whoever reads first and writes later, or removes temporary files, must
// be alone.
func lockFor(op string) claim {
	switch op {
	case "write", "probe":
		return claim{shared: true, optional: true, creates: true}
	case "delete":
		return claim{shared: true, optional: true}
	case "forget":
		return claim{optional: true}
	case "update":
		return claim{creates: true}
	case "sweep":
		return claim{patience: sweepPatience}
	}
	return claim{}
}

func (s *Store) lock(c claim) (unlock func(), err error) {
	nothing := func() {}
	if s.noLock {
		return nothing, nil
	}
	patience := s.lockTimeout
	if c.patience > 0 {
		patience = min(patience, c.patience)
	}
	if c.until == nil {
		c.until = context.Background()
	}
	if deadline, ok := c.until.Deadline(); ok {
		patience = max(time.Until(deadline), 0) + time.Second // it ends by itself
	}
	path, owner := filepath.Join(s.dir, lockName), ""
	if !c.shared {
		owner = s.owner()
	}
	start := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		release, ok, err := s.fs.TryLock(path, c.shared, owner)
		if c.creates && errors.Is(err, os.ErrNotExist) {
			if err = s.makeDir(); err == nil {
				release, ok, err = s.fs.TryLock(path, c.shared, owner)
			}
		}
		switch waited := time.Since(start); {
		case c.optional && cannotExist(err):
			return nothing, nil
		case errors.Is(err, errors.ErrUnsupported):
			return nil, &NoLockError{Path: path, Err: err}
		case err != nil:
			return nil, err
		case ok:
			return func() { _ = release() }, nil
		case waited >= patience:
			return nil, &LockedError{Path: path, Owner: s.holder(path), Waited: waited.Round(time.Millisecond)}
		}
		select {
		case <-c.until.Done():
			return nil, c.until.Err()
		case <-time.After(min(pause, patience-time.Since(start))):
		}
	}
}

// cannotExist tells that there is no lock which anybody could hold: no directory, no
// locks on this file system, or no room for a lock file that is not there. The
// last must not keep Delete from making room.
func cannotExist(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOSPC)
}

// owner is what we leave in the lock file for those who wait.
func (s *Store) owner() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s, pid %d on %s since %s\n",
		filepath.Base(os.Args[0]), os.Getpid(), host, s.now().UTC().Format(time.RFC3339))
}

// holder returns the first line of the lock file, made safe to print.
func (s *Store) holder(path string) string {
	const limit = 200
	f, err := s.fs.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	buf := make([]byte, limit)
	n, _ := f.Read(buf)
	line, _, _ := strings.Cut(string(buf[:max(n, 0)]), "\n")
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, line)
}
