//go:build since1.29 && !since1.36

package kinds

import (
	memstate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

type memoryMore struct{}

func (memoryMore) get(memstate.State) {}

func (memoryMore) set(memstate.State) {}

func memorySums(b []byte) []serve.Sum {
	v1 := &memstate.MemoryManagerCheckpoint{MachineState: memstate.NUMANodeMap{}, Entries: memstate.ContainerMemoryAssignments{}}
	return []serve.Sum{sumOf("V1", b, v1, func() any { return v1.Checksum })}
}
