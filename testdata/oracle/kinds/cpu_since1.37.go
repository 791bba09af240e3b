//go:build since1.37

package kinds

import (
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func cpuGetMore(s cpustate.State, st *cpuState) {
	cpuGetPods(s, st)
	for pod, containers := range s.GetCPUBaselines() {
		if st.Baselines == nil {
			st.Baselines = map[string]map[string]string{}
		}
		st.Baselines[pod] = map[string]string{}
		for name, b := range containers {
			st.Baselines[pod][name] = b.Baseline.String()
		}
	}
}

func cpuSetMore(s cpustate.State, st *cpuState) {
	if st.Baselines != nil {
		held := cpustate.ContainerCPUBaselines{}
		for pod, containers := range st.Baselines {
			held[pod] = map[string]cpustate.ContainerCPUBaseline{}
			for name, set := range containers {
				held[pod][name] = cpustate.ContainerCPUBaseline{Baseline: parseSet(set)}
			}
		}
		s.SetCPUBaselines(held)
	}
	cpuSetPods(s, st)
}

func cpuSums(b []byte) []serve.Sum {
	v2 := &cpustate.CPUManagerCheckpointV2{Entries: map[string]map[string]string{}}
	v3 := &cpustate.CPUManagerCheckpointV3{Entries: map[string]map[string]string{}, PodEntries: cpustate.PodCPUAssignments{}}
	v4 := &cpustate.CPUManagerCheckpointV4{}
	v4.Entries = map[string]map[string]string{}
	v4.CheckpointData.Entries = map[string]map[string]string{}
	v4.CheckpointData.PodEntries = cpustate.PodCPUAssignments{}
	v4.CheckpointData.Baselines = map[string]map[string]cpustate.ContainerCPUs{}
	return []serve.Sum{
		sumOf("V2", b, v2, func() any { return v2.Checksum }),
		sumOf("V3", b, v3, func() any { return v3.Checksum }),
		sumOf("V4", b, v4, func() any {
			return map[string]any{"checksum": v4.Checksum, "dataChecksum": v4.DataChecksum}
		}),
	}
}
