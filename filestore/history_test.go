package filestore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/faultfs"
)

// values reads the generations of k, newest first.
func values(t *testing.T, s *filestore.Store) []string {
	t.Helper()
	gens, err := s.Generations("k")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, gen := range gens {
		if i > 0 && gen.Seq >= gens[i-1].Seq {
			t.Errorf("generation %d after %d", gen.Seq, gens[i-1].Seq)
		}
		all = append(all, content(t, gen.Path))
	}
	return all
}

func TestHistory(t *testing.T) {
	s := open(t, t.TempDir(), filestore.WithHistory(2))
	for i := range 5 {
		write(t, s, "k", fmt.Sprint(i))
		write(t, s, "k", fmt.Sprint(i)) // no change, no generation
	}
	if got := values(t, s); !slices.Equal(got, []string{"3", "2"}) {
		t.Errorf("generations %q", got)
	}
	if keys, err := s.List(); err != nil || !slices.Equal(keys, []string{"k"}) {
		t.Errorf("List() = %q, %v", keys, err)
	}
	if err := s.Write(strings.Repeat("k", 221), []byte("x")); err != nil {
		t.Errorf("first value of a long key: %v", err)
	}
	if err := s.Write(strings.Repeat("k", 221), []byte("y")); err == nil {
		t.Error("a key too long for history was accepted")
	}
}

func TestReadGeneration(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filestore.WithHistory(2), filestore.WithMaxSize(10))
	for i := range 4 {
		write(t, s, "k", fmt.Sprint(i))
	}
	gens, err := s.Generations("k")
	if err != nil || len(gens) != 2 {
		t.Fatalf("%v, %v", gens, err)
	}
	for i, want := range []string{"2", "1"} {
		if got, err := s.ReadGeneration("k", gens[i].Seq); err != nil || string(got) != want {
			t.Errorf("generation %d is %q, %v, want %q", gens[i].Seq, got, err, want)
		}
	}
	if _, err := s.ReadGeneration("k", 1); err != filestore.ErrKeyNotFound {
		t.Errorf("a generation that is gone: %v", err)
	}
	if err := os.WriteFile(gens[0].Path, make([]byte, 11), 0o600); err != nil {
		t.Fatal(err)
	}
	// One that is pruned after it was listed.
	f := meanwhile(t, faultfs.Open, ".k.gen-*", func(f *faulted) error { return f.disk.Remove("/s/.k.gen-0000000001") })
	if err := afero.WriteFile(f.disk, "/s/.k.gen-0000000001", []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.ReadGeneration("k", 1); err != filestore.ErrKeyNotFound {
		t.Errorf("a generation that goes meanwhile: %v", err)
	}
	var large *filestore.TooLargeError
	if _, err := s.ReadGeneration("k", gens[0].Seq); !errors.As(err, &large) {
		t.Errorf("a generation that is too large: %v", err)
	}
}

func TestNoHistoryByDefault(t *testing.T) {
	s := open(t, t.TempDir())
	write(t, s, "k", "1")
	write(t, s, "k", "2")
	if got := values(t, s); got != nil {
		t.Errorf("generations %q", got)
	}
}

func notBad(data []byte) error {
	if strings.HasPrefix(string(data), "bad") {
		return errors.New("bad value")
	}
	return nil
}

func TestRestore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filestore.WithHistory(3))
	for _, v := range []string{"good 1", "good 2", "bad 1", "bad 2"} {
		write(t, s, "k", v)
	}
	gen, err := s.Restore("k", notBad)
	if err != nil || gen.Seq != 2 {
		t.Fatalf("Restore() = %+v, %v", gen, err)
	}
	wantValue(t, s, "k", "good 2")
	corrupt, err := filepath.Glob(filepath.Join(dir, ".k.corrupt-*"))
	if err != nil || len(corrupt) != 1 || content(t, corrupt[0]) != "bad 2" {
		t.Errorf("in quarantine: %q, %v", corrupt, err)
	}
	// The file may be gone altogether.
	if err := s.Delete("k"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Restore("k", notBad); err != nil {
		t.Errorf("Restore of a deleted key: %v", err)
	}
	wantValue(t, s, "k", "good 2")
}

// The current value must not be lost because there is no name for it.
func TestRestoreOfALongKey(t *testing.T) {
	dir, key := t.TempDir(), strings.Repeat("k", 221)
	s := open(t, dir)
	write(t, s, key, "now")
	if err := os.WriteFile(filepath.Join(dir, "."+key+".gen-1"), []byte("then"), 0o600); err != nil {
		t.Fatal(err)
	}
	var long *filestore.LongKeyError
	if _, err := s.Restore(key, notBad); !errors.As(err, &long) {
		t.Errorf("Restore: %v", err)
	}
	wantValue(t, s, key, "now")
}

func TestRestoreFindsNothing(t *testing.T) {
	s := open(t, t.TempDir(), filestore.WithHistory(3))
	write(t, s, "k", "bad 1")
	write(t, s, "k", "bad 2")
	_, err := s.Restore("k", notBad)
	if !errors.Is(err, filestore.ErrNoGoodGeneration) || !strings.Contains(err.Error(), "bad value") {
		t.Errorf("Restore: %v", err)
	}
	wantValue(t, s, "k", "bad 2")
}

func TestQuarantine(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if _, err := s.Quarantine("k"); !errors.Is(err, filestore.ErrKeyNotFound) {
		t.Errorf("Quarantine of a missing key: %v", err)
	}
	var paths []string
	for i := range 3 { // in one second
		write(t, s, "k", fmt.Sprint(i))
		path, err := s.Quarantine("k")
		if err != nil || content(t, path) != fmt.Sprint(i) {
			t.Fatalf("Quarantine() = %q, %v", path, err)
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	if len(slices.Compact(paths)) != 3 {
		t.Errorf("paths %q", paths)
	}
	if _, err := s.Read("k"); err != filestore.ErrKeyNotFound {
		t.Errorf("Read: %v", err)
	}
	if keys, err := s.List(); err != nil || len(keys) != 0 {
		t.Errorf("List() = %q, %v", keys, err)
	}
	write(t, s, strings.Repeat("k", 221), "v")
	var long *filestore.LongKeyError
	if _, err := s.Quarantine(strings.Repeat("k", 221)); !errors.As(err, &long) {
		t.Errorf("Quarantine of a long key: %v", err)
	}
}

func TestProbe(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if err := s.Probe(); err != nil {
		t.Errorf("Probe: %v", err)
	}
	if got := entries(t, dir); len(got) != 0 {
		t.Errorf("Probe has left %q", got)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var op *filestore.OpError
	if err := s.Probe(); !errors.As(err, &op) || op.Op != "probe" {
		t.Errorf("Probe of a file: %v", err)
	}
}
