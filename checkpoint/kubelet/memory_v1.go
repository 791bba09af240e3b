package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// memoryV1 holds the machine and what each container took from it. Kubelet
// 1.37 writes it still, as the legacy half of memory/v3.
type memoryV1 struct {
	PolicyName   string            `json:"policyName"`
	MachineState NUMANodes         `json:"machineState"`
	Entries      ContainerMemory   `json:"entries,omitempty"`
	Checksum     checksum.Checksum `json:"checksum"`
}

var memoryV1Format = &format{
	id:    FormatID{Memory, "v1"},
	title: "memory of the NUMA nodes, and blocks by pod and container",
	shape: `{"policyName":"Static","machineState":{"0":{"numberOfAssignments":1,"memoryMap":{"memory":{"total":B,` +
		`"systemReserved":B,"allocatable":B,"reserved":B,"free":B}},"cells":[0]}},` +
		`"entries":{POD:{CONTAINER:[{"numaAffinity":[0],"type":"memory","size":B}]}},"checksum":N}`,
	source: "pkg/kubelet/cm/memorymanager/state of Kubernetes 1.29 (MemoryManagerCheckpoint), 1.36 (MemoryManagerCheckpointV1)",
	writes: []writer{{Span{"1.21", "1.36"}, ""}},
	fresh: func() any {
		return &memoryV1{Entries: ContainerMemory{}, MachineState: NUMANodes{}}
	},
	names: memoryNames,
	sums: []sum{sumOf("checksum", algFNV, func(d *memoryV1) *checksum.Checksum { return &d.Checksum },
		dumped[memoryV1, memoryV1]("state.MemoryManagerCheckpoint", memoryNames, (*memoryV1).unsummed),
		dumped[memoryV1, memoryV1]("state.MemoryManagerCheckpointV1", memoryNames, (*memoryV1).unsummed),
	)},
	build: of3(func(st *MemoryState, _ string) (any, error) { return buildMemoryV1(st), nil }),
	content: of2(func(d *memoryV1) (any, error) {
		return &MemoryState{PolicyName: d.PolicyName, MachineState: d.MachineState, Entries: d.Entries}, nil
	}),
}

func (d memoryV1) unsummed() any {
	d.Checksum = 0
	return &d
}

func buildMemoryV1(st *MemoryState) *memoryV1 {
	return &memoryV1{PolicyName: st.PolicyName, MachineState: orMade(st.MachineState), Entries: orMade(st.Entries)}
}
