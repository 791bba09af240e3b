//go:build since1.29 && !since1.36

package kinds

import (
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func cpuGetMore(cpustate.State, *cpuState) {}

func cpuSetMore(cpustate.State, *cpuState) {}

func cpuSums(b []byte) []serve.Sum {
	v1 := &cpustate.CPUManagerCheckpointV1{Entries: map[string]string{}}
	v2 := &cpustate.CPUManagerCheckpointV2{Entries: map[string]map[string]string{}}
	return []serve.Sum{
		sumOf("V1", b, v1, func() any { return v1.Checksum }),
		sumOf("V2", b, v2, func() any { return v2.Checksum }),
	}
}
