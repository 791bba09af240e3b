package checkpoint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/filestore"
)

// Claims is a checkpoint in the usual form: the data, and beside it the sum of
// the data.
type Claims struct {
	Data     map[string][]string `json:"data"`
	Checksum checksum.Checksum   `json:"checksum"`
}

func (c *Claims) MarshalCheckpoint() ([]byte, error) {
	c.Checksum = checksum.New(c.Data)
	return json.Marshal(c)
}

func (c *Claims) UnmarshalCheckpoint(blob []byte) error { return json.Unmarshal(blob, c) }

func (c *Claims) VerifyChecksum() error { return c.Checksum.Verify(c.Data) }

func Example() {
	dir, err := os.MkdirTemp("", "checkpoints")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()

	manager, err := checkpoint.NewCheckpointManager(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = manager.CreateCheckpoint("claims", &Claims{Data: map[string][]string{"pod-1": {"gpu-0"}}})
	fmt.Println("created:", err)

	var got Claims
	err = manager.GetCheckpoint("claims", &got)
	fmt.Println("got:", got.Data, err)

	// Somebody edits the file.
	file := dir + "/claims"
	if err := os.WriteFile(file, []byte(`{"data":{"pod-1":["gpu-7"]},"checksum":1}`), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	err = manager.GetCheckpoint("claims", &got)
	var corrupt *checkpoint.CorruptCheckpointError
	fmt.Println("edited:", err, errors.As(err, &corrupt), corrupt.ExpectedCS)

	fmt.Println("removed:", manager.RemoveCheckpoint("claims"))
	fmt.Println("gone:", manager.GetCheckpoint("claims", &got))
	// Output:
	// created: <nil>
	// got: map[pod-1:[gpu-0]] <nil>
	// edited: checkpoint is corrupted true 1
	// removed: <nil>
	// gone: checkpoint is not found
}

// Memory is a back end without files.
type Memory struct{ values sync.Map }

func (m *Memory) Write(key string, data []byte) error {
	m.values.Store(key, string(data))
	return nil
}

func (m *Memory) Read(key string) ([]byte, error) {
	data, ok := m.values.Load(key)
	if !ok {
		return nil, filestore.ErrKeyNotFound
	}
	return []byte(data.(string)), nil
}

func (m *Memory) Delete(key string) error {
	m.values.Delete(key)
	return nil
}

func (m *Memory) List() ([]string, error) {
	var keys []string
	m.values.Range(func(key, _ any) bool {
		keys = append(keys, key.(string))
		return true
	})
	return keys, nil
}

func ExampleNewManager() {
	manager := checkpoint.NewManager(&Memory{})
	fmt.Println(manager.CreateCheckpoint("claims", &Claims{}))
	fmt.Println(manager.ListCheckpoints())
	fmt.Println(manager.GetCheckpoint("other", &Claims{}))
	// Output:
	// <nil>
	// [claims] <nil>
	// checkpoint is not found
}
