package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// BackupMark stands between a key and the time in the name of a backup.
const BackupMark = ".ckpt-backup-"

// Replace sets the value of key if it still is old, and keeps old in a file
// KEY.ckpt-backup-TIME, whose path is returned, with mode, owner and attributes.
// A nil old stands for no value, of which there is no backup. It is for a person
// who has looked at a file and decided; the backup is never removed.
//
// If something else is there by now, the error is ErrChanged. The backup is
// durable before anything changes; after an error it may be there too.
func (s *Store) Replace(key string, old, data []byte) (backup string, err error) {
	if err := s.checkValue(key, data); err != nil {
		return "", err
	}
	err = s.change("replace", key, func() error {
		backup, err = s.replace(key, old, data)
		return err
	})
	return backup, err
}

// isBackup tells the names that backUp gives; a key that only has BackupMark in it
// is a key.
func isBackup(name string) bool {
	at := strings.LastIndex(name, BackupMark)
	if at < 0 {
		return false
	}
	when, number, numbered := strings.Cut(name[at+len(BackupMark):], "-")
	if _, err := time.Parse(asideTime, when); err != nil {
		return false
	}
	n, err := strconv.Atoi(number)
	return !numbered || err == nil && n > 1
}

func (s *Store) replace(key string, old, data []byte) (string, error) {
	now, err := s.current(key)
	switch {
	case err == ErrKeyNotFound && old == nil:
		return "", s.write(key, data)
	case err == ErrKeyNotFound:
		return "", ErrChanged
	case err != nil:
		return "", err
	case old == nil || !bytes.Equal(now, old):
		return "", ErrChanged
	case bytes.Equal(now, data):
		return "", s.write(key, data) // there already: made durable, no more
	}
	t, err := s.resolve(key, s.symlinks == FollowSymlinks)
	if err != nil {
		return "", err
	}
	path, err := s.backUp(t)
	if err != nil {
		return "", err
	}
	held, err := s.holds(path, old)
	if err != nil {
		return path, fmt.Errorf("%w, or its backup cannot be read: %w", ErrChanged, err)
	}
	if !held {
		return path, ErrChanged
	}
	return path, s.write(key, data)
}

func (s *Store) backUp(t target) (string, error) {
	dir := s.dir
	if s.backupDir != "" {
		dir = s.backupDir
	}
	path, err := s.freePath(dir, t.key, t.key+BackupMark)
	if err != nil {
		return "", err
	}
	return path, s.copyAside(t, path, keepLook)
}

// asideTime is how the time stands in the name of a file that was put away.
const asideTime = "20060102T150405Z"

// freePath returns prefix and the time as a name in dir that nothing has: two
// files may be put away in one second.
func (s *Store) freePath(dir, key, prefix string) (string, error) {
	if len(key) > MaxKeptKey {
		return "", &LongKeyError{Key: key}
	}
	base := filepath.Join(dir, prefix+s.now().UTC().Format(asideTime))
	path := base
	for n := 2; ; n++ {
		if _, err := s.fs.lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
		path = fmt.Sprintf("%s-%d", base, n)
	}
}
