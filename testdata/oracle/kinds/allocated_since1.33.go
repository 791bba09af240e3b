//go:build since1.33

package kinds

import (
	"encoding/json"

	"k8s.io/kubernetes/pkg/kubelet/allocation/state"
	"k8s.io/kubernetes/pkg/kubelet/checkpointmanager"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

type allocatedState struct {
	Entries state.PodResourceInfoMap `json:"entries"`
}

var allocated = serve.Kind{
	Name: "allocated_pods_state",
	Restore: func(f serve.File) (any, error) {
		s, err := allocatedOpen(f)
		if err != nil {
			return nil, err
		}
		return allocatedState{s.GetPodResourceInfoMap()}, nil
	},
	// Write goes through the checkpoint type and not through the state, which
	// writes at every pod, and never an empty map.
	Write: func(f serve.File, raw json.RawMessage) error {
		var st allocatedState
		if err := serve.Decode(raw, &st); err != nil {
			return err
		}
		cp, err := state.NewCheckpoint(&state.PodResourceCheckpointInfo{Entries: st.Entries})
		if err != nil {
			return err
		}
		m, err := checkpointmanager.NewCheckpointManager(f.Dir)
		if err != nil {
			return err
		}
		return m.CreateCheckpoint(f.Name, cp)
	},
	Sums: func(b []byte) []serve.Sum {
		cp := &state.Checkpoint{}
		return []serve.Sum{sumOf("data", b, cp, func() any { return cp.Checksum })}
	},
}
