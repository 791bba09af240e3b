//go:build since1.36 && !since1.37

package kinds

import (
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func cpuGetMore(s cpustate.State, st *cpuState) { cpuGetPods(s, st) }

func cpuSetMore(s cpustate.State, st *cpuState) { cpuSetPods(s, st) }

func cpuSums(b []byte) []serve.Sum {
	v1 := &cpustate.CPUManagerCheckpointV1{Entries: map[string]string{}}
	v2 := &cpustate.CPUManagerCheckpointV2{Entries: map[string]map[string]string{}}
	v3 := &cpustate.CPUManagerCheckpointV3{Entries: map[string]map[string]string{}, PodEntries: cpustate.PodCPUAssignments{}}
	return []serve.Sum{
		sumOf("V1", b, v1, func() any { return v1.Checksum }),
		sumOf("V2", b, v2, func() any { return v2.Checksum }),
		sumOf("V3", b, v3, func() any { return v3.Checksum }),
	}
}
