//go:build since1.36

package kinds

import cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"

// cpuGetPods adds the CPUs that pods hold for their containers to share.
func cpuGetPods(s cpustate.State, st *cpuState) {
	for pod, held := range s.GetPodCPUAssignments() {
		if st.PodEntries == nil {
			st.PodEntries = map[string]string{}
		}
		st.PodEntries[pod] = held.CPUSet.String()
	}
}

func cpuSetPods(s cpustate.State, st *cpuState) {
	if st.PodEntries == nil {
		return
	}
	held := cpustate.PodCPUAssignments{}
	for pod, set := range st.PodEntries {
		held[pod] = cpustate.PodEntry{CPUSet: parseSet(set)}
	}
	s.SetPodCPUAssignments(held)
}
