//go:build since1.36

package kinds

import (
	memstate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

type memoryMore struct {
	PodEntries memstate.PodMemoryAssignments `json:"podEntries,omitempty"`
}

func (m *memoryMore) get(s memstate.State) { m.PodEntries = s.GetPodMemoryAssignments() }

func (m *memoryMore) set(s memstate.State) {
	if m.PodEntries != nil {
		s.SetPodMemoryAssignments(m.PodEntries)
	}
}

func memorySums(b []byte) []serve.Sum {
	v1 := &memstate.MemoryManagerCheckpointV1{MachineState: memstate.NUMANodeMap{}, Entries: memstate.ContainerMemoryAssignments{}}
	v2 := &memstate.MemoryManagerCheckpointV2{MachineState: memstate.NUMANodeMap{}, Entries: memstate.ContainerMemoryAssignments{},
		PodEntries: memstate.PodMemoryAssignments{}}
	return append([]serve.Sum{
		sumOf("V1", b, v1, func() any { return v1.Checksum }),
		sumOf("V2", b, v2, func() any { return v2.Checksum }),
	}, memoryDataSum(b)...)
}
