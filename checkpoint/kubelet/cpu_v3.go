package kubelet

import (
	"encoding/json"
	"fmt"

	"github.com/kubeckpt/ckpt/checksum"
	"k8s.io/utils/cpuset"
)

// cpuV3 adds CPUs that a pod holds for its containers to share.
type cpuV3 struct {
	PolicyName    string                       `json:"policyName"`
	DefaultCPUSet string                       `json:"defaultCpuSet"`
	Entries       map[string]map[string]string `json:"entries,omitempty"`
	PodEntries    cpuPods                      `json:"podEntries,omitempty"`
	Checksum      checksum.Checksum            `json:"checksum"`
}

type cpuPods map[string]cpuPod

// cpuPod is hashed as a set, but stored as a list string.
type cpuPod struct {
	CPUSet cpuset.CPUSet `json:"cpuSet,omitempty"`
}

type cpuPodJSON struct {
	CPUSet string `json:"cpuSet,omitempty"`
}

func (p cpuPod) MarshalJSON() ([]byte, error) {
	return json.Marshal(cpuPodJSON{p.CPUSet.String()})
}

func (p *cpuPod) UnmarshalJSON(b []byte) error {
	var stored cpuPodJSON
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	set, err := cpuset.Parse(stored.CPUSet)
	if err != nil {
		return fmt.Errorf("failed to parse cpuset: %w", err)
	}
	p.CPUSet = set
	return nil
}

var cpuV3Format = &format{
	id:    FormatID{CPU, "v3"},
	title: "CPU assignments by pod and container, and of whole pods",
	shape: `{"policyName":"static","defaultCpuSet":"0,4-7","entries":{POD:{CONTAINER:"1-3"}},` +
		`"podEntries":{POD:{"cpuSet":"1-3"}},"checksum":N}`,
	source: "pkg/kubelet/cm/cpumanager/state of Kubernetes 1.36 (CPUManagerCheckpoint), 1.37 (CPUManagerCheckpointV3)",
	writes: []writer{{Span{"1.36", "1.36"}, GatePodLevelResourceManagers}},
	fresh: func() any {
		return &cpuV3{Entries: map[string]map[string]string{}, PodEntries: cpuPods{}}
	},
	names: cpuNames,
	sums: []sum{sumOf("checksum", algFNV, func(d *cpuV3) *checksum.Checksum { return &d.Checksum },
		dumped[cpuV3, cpuV3]("state.CPUManagerCheckpoint", cpuNames, (*cpuV3).unsummed),
		dumped[cpuV3, cpuV3]("state.CPUManagerCheckpointV3", cpuNames, (*cpuV3).unsummed),
	)},
	build: of3(func(st *CPUState, _ string) (any, error) {
		pods, err := cpuPodsOf(st.PodEntries)
		return &cpuV3{PolicyName: st.PolicyName, DefaultCPUSet: st.DefaultCPUSet, Entries: orMade(st.Entries), PodEntries: pods}, err
	}),
	content: of2(func(d *cpuV3) (any, error) {
		return &CPUState{PolicyName: d.PolicyName, DefaultCPUSet: d.DefaultCPUSet, Entries: d.Entries,
			PodEntries: d.PodEntries.strings()}, nil
	}),
}

func (d cpuV3) unsummed() any {
	d.Checksum = 0
	return &d
}

func (pods cpuPods) strings() map[string]string {
	if pods == nil {
		return nil
	}
	out := make(map[string]string, len(pods))
	for pod, held := range pods {
		out[pod] = held.CPUSet.String()
	}
	return out
}

func cpuPodsOf(sets map[string]string) (cpuPods, error) {
	pods := make(cpuPods, len(sets))
	for pod, text := range sets {
		set, err := cpuset.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("CPU set %q of pod %q: %w", text, pod, err)
		}
		pods[pod] = cpuPod{set}
	}
	return pods, nil
}
