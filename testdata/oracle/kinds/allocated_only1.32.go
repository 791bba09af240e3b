//go:build since1.32 && !since1.33

package kinds

import (
	"encoding/json"

	"k8s.io/kubernetes/pkg/kubelet/status/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

type allocatedState struct {
	AllocationEntries state.PodResourceAllocation `json:"allocationEntries"`
}

var allocated = serve.Kind{
	Name: "pod_status_manager_state",
	Restore: func(f serve.File) (any, error) {
		s, err := state.NewStateCheckpoint(f.Dir, f.Name)
		if err != nil {
			return nil, err
		}
		return allocatedState{s.GetPodResourceAllocation()}, nil
	},
	Write: func(f serve.File, raw json.RawMessage) error {
		var st allocatedState
		if err := serve.Decode(raw, &st); err != nil {
			return err
		}
		s, err := state.NewStateCheckpoint(f.Dir, f.Name)
		if err != nil {
			return err
		}
		return s.SetPodResourceAllocation(st.AllocationEntries)
	},
	Sums: func(b []byte) []serve.Sum {
		cp := &state.Checkpoint{}
		return []serve.Sum{sumOf("data", b, cp, func() any { return cp.Checksum })}
	},
}
