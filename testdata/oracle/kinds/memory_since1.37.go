//go:build since1.37

package kinds

import (
	memstate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func memoryDataSum(b []byte) []serve.Sum {
	v3 := &memstate.MemoryManagerCheckpointV3{}
	v3.MachineState = memstate.NUMANodeMap{}
	v3.Entries = memstate.ContainerMemoryAssignments{}
	v3.CheckpointData.MachineState = memstate.NUMANodeMap{}
	v3.CheckpointData.Entries = memstate.ContainerMemoryAssignments{}
	v3.CheckpointData.PodEntries = memstate.PodMemoryAssignments{}
	return []serve.Sum{sumOf("V3", b, v3, func() any {
		return map[string]any{"checksum": v3.Checksum, "dataChecksum": v3.DataChecksum}
	})}
}
