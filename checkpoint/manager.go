package checkpoint

import (
	"errors"
	"fmt"
	"sync"

	"github.com/kubeckpt/ckpt/filestore"
)

// A Checkpoint turns itself into bytes and back, and knows whether it is whole.
type Checkpoint interface {
	// MarshalCheckpoint returns the bytes to keep, with the checksum in them.
	MarshalCheckpoint() ([]byte, error)
	// UnmarshalCheckpoint reads what MarshalCheckpoint has returned.
	UnmarshalCheckpoint(blob []byte) error
	// VerifyChecksum returns an error, usually a *CorruptCheckpointError, unless
	// the checksum that was read fits the rest.
	VerifyChecksum() error
}

// A CheckpointManager keeps checkpoints under keys, which for files are the names
// of the files. See filestore.ValidateKey for what may be a key.
type CheckpointManager interface {
	// CreateCheckpoint writes checkpoint, replacing what key had before.
	CreateCheckpoint(checkpointKey string, checkpoint Checkpoint) error
	// GetCheckpoint reads into checkpoint and verifies it. A missing one is
	// ErrCheckpointNotFound. Errors of the checkpoint's own methods are returned
	// as they are, and it has then been read in part or in full.
	GetCheckpoint(checkpointKey string, checkpoint Checkpoint) error
	// RemoveCheckpoint removes what key has. That there is none is no error.
	RemoveCheckpoint(checkpointKey string) error
	// ListCheckpoints returns the keys.
	ListCheckpoints() ([]string, error)
}

// Store is what a manager needs of a back end. *filestore.Store is one. A manager
// calls it from one goroutine at a time.
type Store interface {
	// Write keeps data under key.
	Write(key string, data []byte) error
	// Read returns what key has. Its error matches filestore.ErrKeyNotFound if
	// that is nothing.
	Read(key string) ([]byte, error)
	// Delete removes what key has. If that is nothing, it may return nil or
	// filestore.ErrKeyNotFound.
	Delete(key string) error
	// List returns the keys.
	List() ([]string, error)
}

var _ Store = (*filestore.Store)(nil)

// NewCheckpointManager returns a manager of the files in a directory, which is
// created if need be.
func NewCheckpointManager(checkpointDir string) (CheckpointManager, error) {
	store, err := filestore.Open(checkpointDir)
	if err != nil {
		return nil, err
	}
	return NewManager(store), nil
}

// NewManager returns a manager of what is in store.
func NewManager(store Store) CheckpointManager {
	return &manager{store: store}
}

type manager struct {
	mu    sync.Mutex // one method at a time, checkpoint's methods included
	store Store
}

func (m *manager) CreateCheckpoint(key string, checkpoint Checkpoint) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	blob, err := checkpoint.MarshalCheckpoint()
	if err != nil {
		return err
	}
	return m.store.Write(key, blob)
}

func (m *manager) GetCheckpoint(key string, checkpoint Checkpoint) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	blob, err := m.store.Read(key)
	if errors.Is(err, filestore.ErrKeyNotFound) {
		return ErrCheckpointNotFound
	}
	if err != nil {
		return err
	}
	if err := checkpoint.UnmarshalCheckpoint(blob); err != nil {
		return err
	}
	return checkpoint.VerifyChecksum()
}

func (m *manager) RemoveCheckpoint(key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := m.store.Delete(key)
	if errors.Is(err, filestore.ErrKeyNotFound) {
		return nil
	}
	return err
}

func (m *manager) ListCheckpoints() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys, err := m.store.List()
	if err != nil {
		return []string{}, fmt.Errorf("failed to list checkpoint store: %w", err)
	}
	return keys, nil
}
