package checkpoint_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
)

// memStore keeps values in memory. What is in fail is returned by the method of
// that name.
type memStore struct {
	values map[string][]byte
	fail   map[string]error
}

func newMemStore() *memStore {
	return &memStore{values: map[string][]byte{}, fail: map[string]error{}}
}

func (s *memStore) Write(key string, data []byte) error {
	if s.fail["Write"] == nil {
		s.values[key] = bytes.Clone(data)
	}
	return s.fail["Write"]
}

func (s *memStore) Read(key string) ([]byte, error) {
	if s.fail["Read"] != nil {
		return nil, s.fail["Read"]
	}
	data, ok := s.values[key]
	if !ok {
		return nil, fmt.Errorf("memory: %w", filestore.ErrKeyNotFound)
	}
	return data, nil
}

func (s *memStore) Delete(key string) error {
	if _, ok := s.values[key]; !ok && s.fail["Delete"] == nil {
		return filestore.ErrKeyNotFound
	}
	delete(s.values, key)
	return s.fail["Delete"]
}

func (s *memStore) List() ([]string, error) {
	var keys []string
	for key := range s.values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys, s.fail["List"]
}

// stub is a checkpoint whose methods return what they are told.
type stub struct{ marshal, unmarshal, verify error }

func (s stub) MarshalCheckpoint() ([]byte, error) { return []byte("{}"), s.marshal }
func (s stub) UnmarshalCheckpoint([]byte) error   { return s.unmarshal }
func (s stub) VerifyChecksum() error              { return s.verify }

// TestKubeletFiles reads files that kubelets wrote, and writes them again to the
// byte, under the same name.
func TestKubeletFiles(t *testing.T) {
	for _, c := range []struct {
		key  string
		read checkpoint.Checkpoint
	}{
		{"cpu_manager_state", newCPUState()},
		{"kubelet_internal_checkpoint", &deviceState{}},
	} {
		t.Run(c.key, func(t *testing.T) {
			golden, err := os.ReadFile(filepath.Join("testdata", c.key))
			if err != nil {
				t.Fatal(err)
			}
			from, to := t.TempDir(), filepath.Join(t.TempDir(), "new", "dir")
			if err := os.WriteFile(filepath.Join(from, c.key), golden, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := open(t, from).GetCheckpoint(c.key, c.read); err != nil {
				t.Fatal(err)
			}
			m := open(t, to)
			if err := m.CreateCheckpoint(c.key, c.read); err != nil {
				t.Fatal(err)
			}
			written, err := os.ReadFile(filepath.Join(to, c.key))
			if err != nil || !bytes.Equal(written, golden) {
				t.Errorf("%v, wrote\n%s\nthe kubelet\n%s", err, written, golden)
			}
			info, err := os.Stat(filepath.Join(to, c.key))
			if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
				t.Errorf("%v, mode %v", err, info.Mode())
			}
			if keys, err := m.ListCheckpoints(); err != nil || !slices.Equal(keys, []string{c.key}) {
				t.Errorf("keys %q, %v", keys, err)
			}
		})
	}
}

// TestDamage has every single-byte change of a file. None may pass as the
// checkpoint that was written, unless it reads as the same document.
func TestDamage(t *testing.T) {
	golden, err := os.ReadFile("testdata/cpu_manager_state")
	if err != nil {
		t.Fatal(err)
	}
	store := newMemStore()
	m := checkpoint.NewManager(store)
	want, harmless, corrupt := newCPUState(), 0, 0
	store.values["x"] = golden
	if err := m.GetCheckpoint("x", want); err != nil {
		t.Fatal(err)
	}
	for i := range golden {
		for _, b := range []byte{golden[i] + 1, 0, 0xff} {
			store.values["x"] = bytes.Clone(golden)
			store.values["x"][i] = b
			got := newCPUState()
			err := m.GetCheckpoint("x", got)
			switch {
			case err == nil && fmt.Sprint(got) != fmt.Sprint(want):
				t.Errorf("byte %d = %#x passes as %v", i, b, got)
			case err == nil:
				harmless++
			case errors.Is(err, checkpoint.CorruptCheckpointError{}):
				corrupt++
			}
		}
	}
	if corrupt == 0 {
		t.Error("no damage was found by its sum")
	}
	t.Logf("%d changes: %d found by the sum, %d harmless", 3*len(golden), corrupt, harmless)
}

func TestNotFound(t *testing.T) {
	for name, m := range map[string]checkpoint.CheckpointManager{
		"files": open(t, t.TempDir()), "memory": checkpoint.NewManager(newMemStore()),
	} {
		if err := m.GetCheckpoint("absent", stub{}); err != checkpoint.ErrCheckpointNotFound || err.Error() != "checkpoint is not found" {
			t.Errorf("%s: get: %v", name, err)
		}
		if err := m.RemoveCheckpoint("absent"); err != nil {
			t.Errorf("%s: remove: %v", name, err)
		}
		if keys, err := m.ListCheckpoints(); err != nil || len(keys) != 0 {
			t.Errorf("%s: list: %q, %v", name, keys, err)
		}
	}
}

// TestErrors has each error of a store or a checkpoint arrive as it is.
func TestErrors(t *testing.T) {
	boom := errors.New("boom")
	store := newMemStore()
	m := checkpoint.NewManager(store)
	if err := m.CreateCheckpoint("there", stub{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ method, call string }{
		{"Write", "create"}, {"Read", "get"}, {"Delete", "remove"}, {"List", "list"},
	} {
		store.fail = map[string]error{c.method: boom}
		listed, listErr := m.ListCheckpoints()
		errs := map[string]error{
			"create": m.CreateCheckpoint("there", stub{}), "get": m.GetCheckpoint("there", stub{}),
			"list": listErr, "remove": m.RemoveCheckpoint("there"),
		}
		for call, err := range errs {
			if failed := errors.Is(err, boom); failed != (call == c.call) {
				t.Errorf("%s fails: %s returns %v", c.method, call, err)
			} else if call != "list" && failed && err != boom {
				t.Errorf("%s fails: %s returns %v", c.method, call, err)
			}
		}
		if c.method == "List" && (listed == nil || len(listed) != 0 || listErr.Error() != "failed to list checkpoint store: boom") {
			t.Errorf("list: %q, %v", listed, listErr)
		}
		store.values["there"] = []byte("{}")
	}

	store.fail = nil
	if err := m.CreateCheckpoint("there", stub{marshal: boom}); err != boom {
		t.Errorf("marshal: %v", err)
	}
	if err := m.GetCheckpoint("there", stub{unmarshal: boom, verify: errors.New("too late")}); err != boom {
		t.Errorf("unmarshal: %v", err)
	}
	if err := m.GetCheckpoint("there", stub{verify: boom}); err != boom {
		t.Errorf("verify: %v", err)
	}
}

func TestMarshalErrorWritesNothing(t *testing.T) {
	store := newMemStore()
	if err := checkpoint.NewManager(store).CreateCheckpoint("k", stub{marshal: errors.New("boom")}); err == nil || len(store.values) != 0 {
		t.Errorf("%v, %d values", err, len(store.values))
	}
}

func TestInvalidKey(t *testing.T) {
	m := open(t, t.TempDir())
	for _, key := range []string{"", ".x", "../x", "a/b", "x.", strings.Repeat("a", 251)} {
		want := fmt.Sprintf("invalid key: %q", key)
		for call, err := range map[string]error{
			"create": m.CreateCheckpoint(key, stub{}), "get": m.GetCheckpoint(key, stub{}), "remove": m.RemoveCheckpoint(key),
		} {
			if err == nil || err.Error() != want {
				t.Errorf("%s %q: %v", call, key, err)
			}
		}
	}
}

func TestDirectoryIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := checkpoint.NewCheckpointManager(path); err == nil || m != nil {
		t.Errorf("%v, %v", m, err)
	}
}

// TestConcurrentUse lets writers, readers and removers of one key meet. memStore
// is not safe for that, so that the race detector sees a manager without its lock.
func TestConcurrentUse(t *testing.T) {
	for name, m := range map[string]checkpoint.CheckpointManager{
		"files": open(t, t.TempDir()), "memory": checkpoint.NewManager(newMemStore()),
	} {
		t.Run(name, func(t *testing.T) {
			var all sync.WaitGroup
			for worker := range 4 {
				all.Go(func() {
					for i := range 25 {
						doc := newCPUState()
						doc.PolicyName = fmt.Sprint(worker, i)
						if err := m.CreateCheckpoint("k", doc); err != nil {
							t.Error(err)
						}
						if err := m.GetCheckpoint("k", newCPUState()); err != nil && err != checkpoint.ErrCheckpointNotFound {
							t.Error(err)
						}
						if keys, err := m.ListCheckpoints(); err != nil || len(keys) > 1 {
							t.Errorf("%q, %v", keys, err)
						}
						if err := m.RemoveCheckpoint("k"); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

func open(t *testing.T, dir string) checkpoint.CheckpointManager {
	t.Helper()
	m, err := checkpoint.NewCheckpointManager(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
