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
	sums: []sum{{
		field: "checksum", algorithm: algFNV,
		stored: of(func(d *cpuV1) uint64 { return uint64(d.Checksum) }),
		set:    setter(func(d *cpuV1, v uint64) { d.Checksum = checksum.Checksum(v) }),
		spellings: []spelling{
			dumped[cpuV1, cpuV1]("state.CPUManagerCheckpoint", cpuNames, zeroedCPUV1),
		},
	}},
	build: of3(func(st *CPUState, _ string) (any, error) {
		return &cpuV1{PolicyName: st.PolicyName, DefaultCPUSet: st.DefaultCPUSet, Entries: orMade(st.Containers)}, nil
	}),
	content: of2(func(d *cpuV1) (any, error) {
		return &CPUState{PolicyName: d.PolicyName, DefaultCPUSet: d.DefaultCPUSet, Containers: d.Entries}, nil
	}),
}

func zeroedCPUV1(d *cpuV1) any {
	c := *d
	c.Checksum = 0
	return &c
}
