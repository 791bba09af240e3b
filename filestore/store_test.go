package filestore_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
)

func open(t testing.TB, dir string, opts ...filestore.Option) *filestore.Store {
	t.Helper()
	s, err := filestore.Open(dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t testing.TB, s *filestore.Store, key, value string) {
	t.Helper()
	if err := s.Write(key, []byte(value)); err != nil {
		t.Fatal(err)
	}
}

func wantValue(t testing.TB, s *filestore.Store, key, want string) {
	t.Helper()
	got, err := s.Read(key)
	if err != nil || string(got) != want {
		t.Errorf("Read(%q) = %q, %v; want %q", key, got, err, want)
	}
}

// entries lists a directory, without the lock file.
func entries(t testing.TB, dir string) []string {
	t.Helper()
	des, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, de := range des {
		if de.Name() != ".ckpt.lock" {
			names = append(names, de.Name())
		}
	}
	return names
}

func TestRoundTrip(t *testing.T) {
	for name, opts := range map[string][]filestore.Option{
		"os":  nil,
		"mem": {filestore.WithFS(afero.NewMemMapFs())},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "a", "b"), opts...)
			if _, err := s.Read("k"); err != filestore.ErrKeyNotFound {
				t.Errorf("Read of a missing key: %v", err)
			}
			if err := s.Delete("k"); err != nil {
				t.Errorf("Delete of a missing key: %v", err)
			}
			for _, value := range []string{"one", "two", "", "two", "two"} {
				write(t, s, "k", value)
				wantValue(t, s, "k", value)
			}
			write(t, s, "a", "x")
			keys, err := s.List()
			if err != nil || !slices.Equal(keys, []string{"a", "k"}) {
				t.Errorf("List() = %q, %v", keys, err)
			}
			if err := s.Delete("k"); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Read("k"); !errors.Is(err, filestore.ErrKeyNotFound) {
				t.Errorf("Read of a deleted key: %v", err)
			}
		})
	}
}

// The kubelet's own store must find what we write, and the other way round.
func TestNamesAndModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, dir)
	write(t, s, "cpu_manager_state", "{}")
	if got := entries(t, dir); !slices.Equal(got, []string{"cpu_manager_state"}) {
		t.Errorf("directory has %q", got)
	}
	for path, want := range map[string]os.FileMode{
		dir:                                     os.ModeDir | 0o755,
		filepath.Join(dir, "cpu_manager_state"): 0o600,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: mode %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
}

func TestListLeavesOutWhatIsNoKey(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"good", ".hidden", "bad name", "-bad", ".ckpt-good-0123456789abcdef.tmp.x"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "pods"), 0o755); err != nil {
		t.Fatal(err)
	}
	keys, err := open(t, dir).List()
	if err != nil || !slices.Equal(keys, []string{"good"}) {
		t.Errorf("List() = %q, %v; want only \"good\"", keys, err)
	}
}

func TestValidateKey(t *testing.T) {
	for key, valid := range map[string]bool{
		"a": true, "0": true, "a-b_c.d": true, "cpu_manager_state": true, strings.Repeat("a", 250): true,
		"": false, ".": false, "..": false, ".a": false, "a.": false, "-a": false, "a/b": false, "a b": false,
		"a\x00b": false, "ä": false, "a\n": false, strings.Repeat("a", 251): false,
	} {
		err := filestore.ValidateKey(key)
		if (err == nil) != valid {
			t.Errorf("ValidateKey(%q) = %v, want valid %v", key, err, valid)
		}
		var invalid *filestore.InvalidKeyError
		if err != nil && (!errors.As(err, &invalid) || invalid.Key != key) {
			t.Errorf("ValidateKey(%q) = %#v, want *InvalidKeyError", key, err)
		}
	}
	if err := filestore.ValidateKey("a b"); err.Error() != `invalid key: "a b"` {
		t.Errorf("text is %q", err)
	}
}

func TestEveryOperationChecksTheKey(t *testing.T) {
	s := open(t, t.TempDir())
	for name, op := range map[string]func(key string) error{
		"write":       func(k string) error { return s.Write(k, nil) },
		"read":        func(k string) error { _, err := s.Read(k); return err },
		"delete":      s.Delete,
		"update":      func(k string) error { return s.Update(k, nil) },
		"generations": func(k string) error { _, err := s.Generations(k); return err },
		"generation":  func(k string) error { _, err := s.ReadGeneration(k, 1); return err },
		"replace":     func(k string) error { _, err := s.Replace(k, nil, nil); return err },
		"forget":      s.Forget,
		"restore":     func(k string) error { _, err := s.Restore(k, nil); return err },
		"quarantine":  func(k string) error { _, err := s.Quarantine(k); return err },
	} {
		var invalid *filestore.InvalidKeyError
		if err := op("../x"); !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSizeLimit(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filestore.WithMaxSize(4))
	write(t, s, "k", "1234")
	wantValue(t, s, "k", "1234")
	var tooLarge *filestore.TooLargeError
	if err := s.Write("k", []byte("12345")); !errors.As(err, &tooLarge) || tooLarge.Size != 5 || tooLarge.Limit != 4 {
		t.Errorf("Write over the limit: %v", err)
	}
	if err := s.Update("k", func([]byte) ([]byte, error) { return make([]byte, 5), nil }); !errors.As(err, &tooLarge) {
		t.Errorf("Update over the limit: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "k"), bytes.Repeat([]byte("x"), 5), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read("k"); !errors.As(err, &tooLarge) {
		t.Errorf("Read over the limit: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"empty name": "", "a file": file, "below a file": file + "/x"} {
		var op *filestore.OpError
		if _, err := filestore.Open(dir); !errors.As(err, &op) || op.Op != "open" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A store outlives its directory, as the kubelet's does.
func TestDirectoryRemovedAfterOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := open(t, dir)
	if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete("k"); err != nil {
		t.Errorf("Delete: %v", err)
	}
	if err := s.Forget("k"); err != nil {
		t.Errorf("Forget: %v", err)
	}
	if _, err := s.List(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("List of a missing directory: %v", err)
	}
	write(t, s, "k", "v")
	wantValue(t, s, "k", "v")
}
