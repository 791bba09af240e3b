package filestore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// MaxKeptKey is the length of the longest key that leaves room in a file name for
// what generations, quarantine and backups add to it.
const MaxKeptKey = 220

const generationMark = ".gen-"

// Generation is an older value, kept by WithHistory.
type Generation struct {
	Seq      uint64    // counts up; the highest is the newest
	Path     string    // the hidden file that holds it
	Replaced time.Time // when a newer value took its place
	Size     int64
}

// Generations returns what is kept of key, newest first.
func (s *Store) Generations(key string) ([]Generation, error) {
	if err := ValidateKey(key); err != nil {
		return nil, err
	}
	gens, err := s.generations(key)
	return gens, opError("list", key, err)
}

// Forget removes what is kept of key, durably. The value itself stays. After an
// error, some of the kept values may be gone.
func (s *Store) Forget(key string) error {
	if err := ValidateKey(key); err != nil {
		return err
	}
	return s.change("forget", key, func() error {
		gens, err := s.generations(key)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		dir, err := s.fs.Open(s.dir)
		if err != nil {
			return err
		}
		defer closeDir(dir)
		for _, gen := range slices.Backward(gens) {
			if err := s.fs.Remove(gen.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return s.syncDir(dir)
	})
}

// ReadGeneration returns what a kept value of key is, or ErrKeyNotFound if it is no
// longer kept.
func (s *Store) ReadGeneration(key string, seq uint64) ([]byte, error) {
	gens, err := s.Generations(key)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(gens, func(gen Generation) bool { return gen.Seq == seq })
	if i < 0 {
		return nil, ErrKeyNotFound
	}
	data, err := s.readFile(gens[i].Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrKeyNotFound
	}
	return data, opError("read", key, err)
}

func (s *Store) generations(key string) ([]Generation, error) {
	infos, err := s.readDir(s.dir)
	if err != nil {
		return nil, err
	}
	var gens []Generation
	for _, info := range infos {
		rest, ok := strings.CutPrefix(info.Name(), "."+key+generationMark)
		seq, err := strconv.ParseUint(rest, 10, 64)
		if ok && err == nil && info.Mode().IsRegular() {
			gens = append(gens, Generation{seq, filepath.Join(s.dir, info.Name()), info.ModTime(), info.Size()})
		}
	}
	sort.Slice(gens, func(i, j int) bool { return gens[i].Seq > gens[j].Seq })
	return gens, nil
}

// keepGeneration copies the current value before data replaces it, and returns a
// function to call if it was not replaced after all. Then the copy is of what is
// there still: were it left, each write that fails, as on a full disk, would leave
// one more.
func (s *Store) keepGeneration(t target, data []byte) (undo func(), err error) {
	undo = func() {}
	if s.history <= 0 || t.info == nil {
		return undo, nil
	}
	if len(t.key) > MaxKeptKey {
		return nil, &LongKeyError{Key: t.key}
	}
	old, err := s.readFile(t.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(old, data) {
		return undo, nil // nothing is replaced by another value
	}
	if err != nil {
		return nil, err
	}
	gens, err := s.generations(t.key)
	if err != nil {
		return nil, err
	}
	next, keep, fresh := uint64(1), s.history, true
	if len(gens) > 0 {
		next = gens[0].Seq + 1
	}
	path := filepath.Join(s.dir, fmt.Sprintf(".%s%s%010d", t.key, generationMark, next))
	if same, err := s.isGeneration(gens, old); err == nil && same {
		// A writer that died after its copy has left it. It may not be durable, so it
		// is written again, but in its own place; those before it stay meanwhile.
		path, keep, fresh = gens[0].Path, keep+1, false
	}
	s.removeGenerations(t.key, gens[min(keep, len(gens)):])
	undo = func() {
		if fresh {
			s.removeGenerations(t.key, []Generation{{Path: path}})
		}
	}
	if err := s.putAside(target{key: t.key, path: path, dir: s.dir}, old); err != nil {
		undo()
		return nil, err
	}
	return undo, nil
}

// isGeneration reports whether data is the newest of gens, and reads it only if it
// may be.
func (s *Store) isGeneration(gens []Generation, data []byte) (bool, error) {
	if len(gens) == 0 || gens[0].Size != int64(len(data)) {
		return false, nil
	}
	return s.holds(gens[0].Path, data)
}

// look says whose mode, owner and attributes a copy gets.
type look bool

const (
	newLook  look = false // those of a new file
	keepLook look = true  // those of what is copied
)

// copyAside copies the current value of a key to another name, by the same
// protocol as a write. A hard link would be cheaper, but afero has none, and a
// file that is overwritten in place would change under it.
func (s *Store) copyAside(t target, path string, l look) error {
	old, err := s.readFile(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	aside := target{key: t.key, path: path, dir: filepath.Dir(path)}
	if l == keepLook {
		aside.info, aside.like = t.info, t.path
	}
	return s.putAside(aside, old)
}

// putAside writes a copy. If its fate is open, nothing has happened to the key.
func (s *Store) putAside(aside target, data []byte) error {
	err := s.put(aside, data)
	var notDurable *NotDurableError
	var uncertain *UncertainError
	switch {
	case errors.As(err, &notDurable):
		return notDurable.Err
	case errors.As(err, &uncertain):
		return uncertain.Err
	}
	return err
}

// nothingChanged reports whether a failed put has left what was there.
func nothingChanged(err error) bool {
	var notDurable *NotDurableError
	var uncertain *UncertainError
	return err != nil && !errors.As(err, &notDurable) && !errors.As(err, &uncertain)
}

// pruneGenerations removes what is over the number to keep.
func (s *Store) pruneGenerations(key string) {
	if s.history <= 0 {
		return
	}
	gens, err := s.generations(key)
	if err != nil {
		s.log.Warn("old generations not removed", "key", key, "error", err)
		return
	}
	s.removeGenerations(key, gens[min(s.history, len(gens)):])
}

// removeGenerations removes what it can, the oldest first. One that cannot be
// removed now is removed by a later write.
func (s *Store) removeGenerations(key string, gens []Generation) {
	for _, gen := range slices.Backward(gens) {
		if err := s.fs.Remove(gen.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.log.Warn("old generation not removed", "key", key, "error", err)
		}
	}
}
