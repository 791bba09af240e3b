package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// cpuV1 keys its entries by container ID.
type cpuV1 struct {
	PolicyName    string            `json:"policyName"`
	DefaultCPUSet string            `json:"defaultCpuSet"`
	Entries       map[string]string `json:"entries,omitempty"`
	Checksum      checksum.Checksum `json:"checksum"`
}

var cpuV1Format = &format{
	id:     FormatID{CPU, "v1"},
	title:  "CPU assignments by container ID",
	shape:  `{"policyName":"static","defaultCpuSet":"0,4-7","entries":{CONTAINER-ID:"1-3"},"checksum":N}`,
	source: "pkg/kubelet/cm/cpumanager/state of Kubernetes 1.13 (CPUManagerCheckpoint), 1.36 (CPUManagerCheckpointV1)",
	writes: []writer{{Span{"1.10", "1.17"}, ""}},
	fresh:  func() any { return &cpuV1{Entries: map[string]string{}} },
	names:  cpuNames,
	sums: []sum{sumOf("checksum", algFNV, func(d *cpuV1) *checksum.Checksum { return &d.Checksum },
		dumped[cpuV1, cpuV1]("state.CPUManagerCheckpoint", cpuNames, (*cpuV1).unsummed),
	)},
	build: of3(func(st *CPUState, _ string) (any, error) {
		return &cpuV1{PolicyName: st.PolicyName, DefaultCPUSet: st.DefaultCPUSet, Entries: orMade(st.Containers)}, nil
	}),
	content: of2(func(d *cpuV1) (any, error) {
		return &CPUState{PolicyName: d.PolicyName, DefaultCPUSet: d.DefaultCPUSet, Containers: d.Entries}, nil
	}),
}

func (d cpuV1) unsummed() any {
	d.Checksum = 0
	return &d
}
