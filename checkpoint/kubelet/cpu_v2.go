package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// cpuV2 keys its entries by pod UID and container name. Kubelet 1.37 writes it
// still, as the legacy half of cpu/v4.
type cpuV2 struct {
	PolicyName    string                       `json:"policyName"`
	DefaultCPUSet string                       `json:"defaultCpuSet"`
	Entries       map[string]map[string]string `json:"entries,omitempty"`
	Checksum      checksum.Checksum            `json:"checksum"`
}

var cpuV2Format = &format{
	id:     FormatID{CPU, "v2"},
	title:  "CPU assignments by pod and container",
	shape:  `{"policyName":"static","defaultCpuSet":"0,4-7","entries":{POD:{CONTAINER:"1-3"}},"checksum":N}`,
	source: "pkg/kubelet/cm/cpumanager/state of Kubernetes 1.29 (CPUManagerCheckpoint), 1.36 (CPUManagerCheckpointV2)",
	writes: []writer{{Span{"1.18", "1.36"}, ""}},
	fresh:  func() any { return &cpuV2{Entries: map[string]map[string]string{}} },
	names:  cpuNames,
	sums: []sum{sumOf("checksum", algFNV, func(d *cpuV2) *checksum.Checksum { return &d.Checksum },
		dumped[cpuV2, cpuV2]("state.CPUManagerCheckpoint", cpuNames, (*cpuV2).unsummed),
		dumped[cpuV2, cpuV2]("state.CPUManagerCheckpointV2", cpuNames, (*cpuV2).unsummed),
	)},
	build: of3(func(st *CPUState, _ string) (any, error) { return buildCPUV2(st), nil }),
	content: of2(func(d *cpuV2) (any, error) {
		return &CPUState{PolicyName: d.PolicyName, DefaultCPUSet: d.DefaultCPUSet, Entries: d.Entries}, nil
	}),
}

func (d cpuV2) unsummed() any {
	d.Checksum = 0
	return &d
}

func buildCPUV2(st *CPUState) *cpuV2 {
	return &cpuV2{PolicyName: st.PolicyName, DefaultCPUSet: st.DefaultCPUSet, Entries: orMade(st.Entries)}
}
