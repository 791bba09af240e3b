//go:build since1.29

package kinds

import (
	"encoding/json"

	memstate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

// memoryState is what a kubelet holds, under the names of its own JSON.
type memoryState struct {
	PolicyName   string                              `json:"policyName"`
	MachineState memstate.NUMANodeMap                `json:"machineState"`
	Entries      memstate.ContainerMemoryAssignments `json:"entries"`
	memoryMore
}

var memory = serve.Kind{
	Name: "memory_manager_state",
	Restore: func(f serve.File) (any, error) {
		s, err := memoryOpen(f)
		if err != nil {
			return nil, err
		}
		st := &memoryState{PolicyName: f.Policy, MachineState: s.GetMachineState(), Entries: s.GetMemoryAssignments()}
		st.get(s)
		return st, nil
	},
	Write: func(f serve.File, raw json.RawMessage) error {
		var st memoryState
		if err := serve.Decode(raw, &st); err != nil {
			return err
		}
		s, err := memoryOpen(f)
		if err != nil {
			return err
		}
		s.SetMemoryAssignments(st.Entries)
		st.set(s)
		s.SetMachineState(st.MachineState)
		return nil
	},
	Sums: memorySums,
}
