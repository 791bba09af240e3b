package checkpointtest

import (
	"context"

	"github.com/kubeckpt/ckpt/checkpoint"
)

// Release is an older release of the program, as far as its file goes: the types
// and steps that it had, which are still in the source as older versions.
type Release struct {
	Name string
	// Read returns what the release reads.
	Read func(dir, key string) (any, error)
	// Write has the release change its file; nil: it is not asked.
	Write func(dir, key string) error
}

// StateRelease is a release with a State. T is its newest version, and opts are
// those it opened the State with. change is something that it does to the state.
func StateRelease[T any](name string, change func(*T), opts ...checkpoint.Option) Release {
	return Release{
		Name: name,
		Read: func(dir, key string) (any, error) {
			s, err := checkpoint.Open[T](dir, key, opts...)
			if err != nil {
				return nil, err
			}
			doc, _, err := s.Load(context.Background())
			return doc, err
		},
		Write: func(dir, key string) error {
			s, err := checkpoint.Open[T](dir, key, opts...)
			if err != nil {
				return err
			}
			return s.Update(context.Background(), func(doc *T) error {
				change(doc)
				return nil
			})
		},
	}
}

// PackageRelease is a release on the kubelet's package, or on the manager of
// package checkpoint. *C is the Checkpoint that it had.
func PackageRelease[C any, P interface {
	*C
	checkpoint.Checkpoint
}](name string, change func(*C)) Release {
	get := func(dir, key string) (m checkpoint.CheckpointManager, cp *C, err error) {
		if m, err = checkpoint.NewCheckpointManager(dir); err != nil {
			return nil, nil, err
		}
		cp = new(C)
		return m, cp, m.GetCheckpoint(key, P(cp))
	}
	return Release{
		Name: name,
		Read: func(dir, key string) (any, error) {
			_, cp, err := get(dir, key)
			return cp, err
		},
		Write: func(dir, key string) error {
			m, cp, err := get(dir, key)
			if err != nil {
				return err
			}
			change(cp)
			return m.CreateCheckpoint(key, P(cp))
		},
	}
}
