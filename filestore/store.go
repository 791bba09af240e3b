package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"
)

const (
	// DefaultMaxSize is far above any checkpoint, and far below what would hurt.
	DefaultMaxSize = 256 << 20
	// DefaultLockTimeout is how long a Write or an Update waits for another process.
	DefaultLockTimeout = 10 * time.Second
)

// Store keeps values as files of one directory. It is safe for use by several
// goroutines and beside other processes that use this package. It holds no
// descriptor between calls and needs no closing.
type Store struct {
	fs  disk
	dir string

	durability   Durability
	unsyncedDirs bool
	dirMode      fs.FileMode
	symlinks     Symlinks
	attributes   Attributes
	inPlace      bool
	maxSize      int64
	lockTimeout  time.Duration
	noLock       bool
	history      int
	backupDir    string
	noSweep      bool
	log          *slog.Logger

	now    func() time.Time
	random func() uint64

	mu sync.Mutex // one change at a time
	// unsure has the keys whose last change is not known to be durable. What is
	// visible of them must not be taken for written.
	unsure map[string]bool
}

// Open returns the store of a directory. It creates the directory if need be,
// durably, and removes temporary files that a crash has left behind. Nothing
// else in the directory is touched.
func Open(dir string, opts ...Option) (*Store, error) {
	s := &Store{
		fs:          osDisk(),
		dir:         dir,
		dirMode:     0o755,
		maxSize:     DefaultMaxSize,
		lockTimeout: DefaultLockTimeout,
		log:         slog.New(slog.DiscardHandler),
		now:         time.Now,
		random:      rand.Uint64,
		unsure:      map[string]bool{},
	}
	for _, opt := range opts {
		if opt != nil {
			opt(s)
		}
	}
	if dir == "" {
		return nil, &OpError{Op: "open", Err: errors.New("no directory given")}
	}
	if err := s.checkOptions(); err != nil {
		return nil, &OpError{Op: "open", Err: err}
	}
	if s.fs.isOS() {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, &OpError{Op: "open", Err: err}
		}
		s.dir = abs
	}
	if err := s.makeDir(); err != nil {
		return nil, &OpError{Op: "open", Err: err}
	}
	if s.noSweep {
		return s, nil
	}
	// A directory that may only be read is a good store to read from.
	if removed, err := s.Sweep(); err != nil {
		s.log.Warn("stale temporary files not swept", "dir", s.dir, "error", err)
	} else if len(removed) > 0 {
		s.log.Info("stale temporary files swept", "dir", s.dir, "files", removed)
	}
	return s, nil
}

// Dir returns the directory of the store.
func (s *Store) Dir() string { return s.dir }

// LockTimeout returns how long the store waits for another process; see
// WithLockTimeout.
func (s *Store) LockTimeout() time.Duration { return s.lockTimeout }

// change runs do as the only change of this store, under the lock of the
// directory, and says in the error which operation it was.
func (s *Store) change(op, key string, do func() error) error {
	return s.changeAs(lockFor(op), op, key, do)
}

func (s *Store) changeAs(c claim, op, key string, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := s.lock(c)
	if err != nil {
		return opError(op, key, err)
	}
	defer unlock()
	return opError(op, key, do())
}

// remember keeps whether the state of key that a reader sees is known to be on disk.
// It is called where a key is changed, never with an error that a caller's function
// has returned: that may be one of another store.
func (s *Store) remember(key string, err error) {
	var notDurable *NotDurableError
	var uncertain *UncertainError
	switch {
	case err == nil:
		delete(s.unsure, key)
	case errors.As(err, &notDurable), errors.As(err, &uncertain):
		s.unsure[key] = true
	}
}

func opError(op, key string, err error) error {
	if err == nil {
		return nil
	}
	return &OpError{Op: op, Key: key, Err: err}
}

// checkValue refuses what could not be read back.
func (s *Store) checkValue(key string, data []byte) error {
	if err := ValidateKey(key); err != nil {
		return err
	}
	if n := int64(len(data)); n > s.maxSize {
		return opError("write", key, &TooLargeError{Size: n, Limit: s.maxSize})
	}
	return nil
}

func pathError(op, path string, err error) error {
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// errGone explains a temporary file that is no longer there when it is renamed.
func errGone(tmp string, err error) error {
	return fmt.Errorf("temporary file %q was removed by somebody else: %w", tmp, err)
}
