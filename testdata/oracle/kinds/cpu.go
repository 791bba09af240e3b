//go:build since1.29

package kinds

import (
	"encoding/json"
	"fmt"

	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	"k8s.io/utils/cpuset"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

// cpuState is what a kubelet holds: pod UID → container → CPU set.
type cpuState struct {
	PolicyName    string                       `json:"policyName"`
	DefaultCPUSet string                       `json:"defaultCpuSet"`
	Entries       map[string]map[string]string `json:"entries"`
	PodEntries    map[string]string            `json:"podEntries,omitempty"` // since 1.36
	Baselines     map[string]map[string]string `json:"baselines,omitempty"`  // since 1.37
}

var cpu = serve.Kind{
	Name: "cpu_manager_state",
	Restore: func(f serve.File) (any, error) {
		s, err := cpuOpen(f, running(f))
		if err != nil {
			return nil, err
		}
		st := &cpuState{PolicyName: f.Policy, DefaultCPUSet: s.GetDefaultCPUSet().String(), Entries: map[string]map[string]string{}}
		for pod, containers := range s.GetCPUAssignments() {
			st.Entries[pod] = map[string]string{}
			for name, set := range containers {
				st.Entries[pod][name] = set.String()
			}
		}
		cpuGetMore(s, st)
		return st, nil
	},
	Write: func(f serve.File, raw json.RawMessage) error {
		var st cpuState
		if err := serve.Decode(raw, &st); err != nil {
			return err
		}
		s, err := cpuOpen(f, running(f))
		if err != nil {
			return err
		}
		held := cpustate.ContainerCPUAssignments{}
		for pod, containers := range st.Entries {
			held[pod] = map[string]cpuset.CPUSet{}
			for name, set := range containers {
				held[pod][name] = parseSet(set)
			}
		}
		s.SetCPUAssignments(held)
		cpuSetMore(s, &st)
		s.SetDefaultCPUSet(parseSet(st.DefaultCPUSet))
		return nil
	},
	Sums: cpuSums,
}

func running(f serve.File) containermap.ContainerMap {
	m := containermap.NewContainerMap()
	for id, ref := range f.Containers {
		m.Add(ref[0], ref[1], id)
	}
	return m
}

func parseSet(s string) cpuset.CPUSet {
	set, err := cpuset.Parse(s)
	if err != nil {
		panic(fmt.Sprintf("state: cpuset %q: %v", s, err))
	}
	return set
}
