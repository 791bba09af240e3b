package filestore

import (
	"fmt"
	"io/fs"
	"log/slog"
	"time"
)

// Option changes how a Store works. The defaults are the safe ones; what an
// option gives up stands in its comment.
type Option func(*Store)

// checkOptions says what is wrong with the options. A lock timeout below 0 asks once,
// as 0 does.
func (s *Store) checkOptions() error {
	const owners = 0o300 // without them the store could not use the directory
	switch {
	case s.durability < Durable || s.durability > Volatile:
		return fmt.Errorf("no such durability: %d", s.durability)
	case s.symlinks < RefuseSymlinks || s.symlinks > ReplaceSymlinks:
		return fmt.Errorf("no such policy for symbolic links: %d", s.symlinks)
	case s.attributes < KeepAttributes || s.attributes > DropAttributes:
		return fmt.Errorf("no such policy for attributes: %d", s.attributes)
	case s.dirMode&^keptMode != 0 || s.dirMode&owners != owners:
		return fmt.Errorf("mode %#o of new directories, want permissions with which the owner may write and search", uint32(s.dirMode))
	case s.maxSize <= 0:
		return fmt.Errorf("a largest value of %d bytes, want at least 1", s.maxSize)
	case s.history < 0:
		return fmt.Errorf("a history of %d values, want at least 0", s.history)
	}
	return nil
}

// Durability says what Write and Delete wait for.
type Durability int

const (
	// Durable waits until both the file and its name are on disk: what has been
	// acknowledged survives a power cut.
	Durable Durability = iota
	// Atomic waits for the file only. A power cut may bring back the previous
	// value although the new one was acknowledged, but never a mixture.
	Atomic
	// Volatile waits for nothing. After a power cut the file may be old, new,
	// empty or missing. A killed process still leaves the old or the new value.
	Volatile
)

// WithDurability lowers what an acknowledgement means.
func WithDurability(d Durability) Option { return func(s *Store) { s.durability = d } }

// WithUnsyncedDirs accepts directories which the file system refuses to fsync
// (EINVAL or ENOTSUP, as some network and FUSE file systems answer). Whether a
// name survives a power cut is then up to that file system.
func WithUnsyncedDirs() Option { return func(s *Store) { s.unsyncedDirs = true } }

// WithDirMode sets the permissions of directories that Open has to create,
// before umask. The default is 0755, as the kubelet has it.
func WithDirMode(mode fs.FileMode) Option { return func(s *Store) { s.dirMode = mode } }

// Symlinks says what to do with a symbolic link in the place of a key's file.
type Symlinks int

const (
	// RefuseSymlinks neither reads nor writes through a link nor removes it.
	RefuseSymlinks Symlinks = iota
	// FollowSymlinks works on the file the link points to. Temporary files and
	// the directory fsync go to that file's directory, which is never swept.
	FollowSymlinks
	// ReplaceSymlinks reads through a link, and puts a regular file in its place
	// when it writes; the link's target is left alone. So does the kubelet.
	ReplaceSymlinks
)

// WithSymlinks sets the policy for symbolic links. Whatever it is, Delete never
// removes the target of a link, only the link.
func WithSymlinks(p Symlinks) Option { return func(s *Store) { s.symlinks = p } }

// Attributes says what becomes of the mode, owner and extended attributes (with
// them the SELinux label and ACLs) of a file that is replaced.
type Attributes int

const (
	// KeepAttributes carries them over and fails if it cannot.
	KeepAttributes Attributes = iota
	// TryAttributes carries over what it may: for writers that are not root, and
	// for file systems without owners.
	TryAttributes
	// DropAttributes leaves a file as a new one would be: 0600, owned by the
	// writer. So does the kubelet.
	DropAttributes
)

// WithAttributes sets what becomes of the attributes of a replaced file.
func WithAttributes(a Attributes) Option { return func(s *Store) { s.attributes = a } }

// WithInPlace overwrites a file that is a mount point, which rename cannot
// replace. A crash in the middle leaves neither the old nor the new value.
func WithInPlace() Option { return func(s *Store) { s.inPlace = true } }

// WithMaxSize sets the largest value that is read or written, in bytes. The
// default is DefaultMaxSize.
func WithMaxSize(n int64) Option { return func(s *Store) { s.maxSize = n } }

// WithLockTimeout sets how long to wait for another process that updates the
// same store. The default is DefaultLockTimeout; 0 asks once.
func WithLockTimeout(d time.Duration) Option { return func(s *Store) { s.lockTimeout = d } }

// WithoutLock takes no lock. The caller promises that nobody else writes here, no
// other process and no other Store of this one: another's temporary files would be
// swept while in use, and its writes lost in an Update.
func WithoutLock() Option { return func(s *Store) { s.noLock = true } }

// WithHistory keeps the n values before the current one as hidden files, for
// Generations and Restore. A write that fails keeps nothing more, however often it
// is tried. It is off by default: an older value of a kubelet file describes pods and
// devices that have changed since, and an automatic return to it gives CPUs away
// twice.
func WithHistory(n int) Option { return func(s *Store) { s.history = n } }

// WithBackupDir sets where Replace keeps the old value. The default is the
// directory of the store; some are emptied by others.
func WithBackupDir(dir string) Option { return func(s *Store) { s.backupDir = dir } }

// WithoutSweep leaves temporary files of a crash to a call of Sweep: for a
// directory that is not the program's own, such as /tmp.
func WithoutSweep() Option { return func(s *Store) { s.noSweep = true } }

// WithLogger reports what is deliberately not an error, such as a sweep that
// Open could not do. Without it, or with nil, nobody is told.
func WithLogger(l *slog.Logger) Option {
	return func(s *Store) {
		if l != nil {
			s.log = l
		}
	}
}
