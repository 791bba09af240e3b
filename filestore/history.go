package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

// maxHistoryKey leaves room for what quarantine and generations add to a name.
const maxHistoryKey = 220

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

// keepGeneration copies the current value before it is replaced.
func (s *Store) keepGeneration(t target) error {
	if s.history <= 0 || t.info == nil {
		return nil
	}
	if len(t.key) > maxHistoryKey {
		return &LongKeyError{Key: t.key}
	}
	gens, err := s.generations(t.key)
	if err != nil {
		return err
	}
	seq := uint64(1)
	if len(gens) > 0 {
		seq = gens[0].Seq + 1
	}
	return s.copyAside(t, filepath.Join(s.dir, fmt.Sprintf(".%s%s%010d", t.key, generationMark, seq)), newLook)
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
	err = s.put(aside, old)
	// It is the copy whose fate is open; nothing has happened to the key.
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

// pruneGenerations removes what is over the number to keep. One that cannot be
// removed now is removed after the next write.
func (s *Store) pruneGenerations(key string) {
	if s.history <= 0 {
		return
	}
	gens, err := s.generations(key)
	for i := s.history; i < len(gens) && err == nil; i++ {
		err = s.fs.Remove(gens[i].Path)
	}
	if err != nil {
		s.log.Warn("old generations not removed", "key", key, "error", err)
	}
}
