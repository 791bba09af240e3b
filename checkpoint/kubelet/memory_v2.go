package kubelet

import (
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/checksum"
)

// memoryV2 adds blocks that a pod holds for its containers to share.
type memoryV2 struct {
	PolicyName   string            `json:"policyName"`
	MachineState NUMANodes         `json:"machineState"`
	Entries      ContainerMemory   `json:"entries,omitempty"`
	PodEntries   PodsMemory        `json:"podEntries,omitempty"`
	Checksum     checksum.Checksum `json:"checksum"`
}

var memoryV2Format = &format{
	id:    FormatID{Memory, "v2"},
	title: "memory of the NUMA nodes, and blocks by container and by pod",
	shape: `{"policyName":…,"machineState":…,"entries":…,` +
		`"podEntries":{POD:{"memoryBlocks":[{"numaAffinity":[0],"type":"memory","size":B}]}},"checksum":N}`,
	source: "pkg/kubelet/cm/memorymanager/state of Kubernetes 1.36 (MemoryManagerCheckpoint), 1.37 (MemoryManagerCheckpointV2)",
	writes: []writer{{Span{"1.36", "1.36"}, GatePodLevelResourceManagers}},
	fresh: func() any {
		return &memoryV2{Entries: ContainerMemory{}, PodEntries: PodsMemory{}, MachineState: NUMANodes{}}
	},
	names: memoryNames,
	sums: []sum{sumOf("checksum", algFNV, func(d *memoryV2) *checksum.Checksum { return &d.Checksum },
		dumped[memoryV2, memoryV2]("state.MemoryManagerCheckpoint", memoryNames, (*memoryV2).unsummed),
	)},
	inMemory: memoryV2InMemory,
	build: of3(func(st *MemoryState, _ string) (any, error) {
		return &memoryV2{PolicyName: st.PolicyName, MachineState: orMade(st.MachineState), Entries: orMade(st.Entries),
			PodEntries: orMade(st.PodEntries)}, nil
	}),
	content: of2(func(d *memoryV2) (any, error) {
		return &MemoryState{PolicyName: d.PolicyName, MachineState: d.MachineState, Entries: d.Entries,
			PodEntries: d.PodEntries}, nil
	}),
}

func (d memoryV2) unsummed() any {
	d.Checksum = 0
	return &d
}

// memoryV2InMemory yields the documents in which pods without blocks hold an
// empty list instead of none: omitempty makes the two one in the file, and the
// hash tells them apart.
func memoryV2InMemory(doc any, yield func(any, string) bool) {
	d := doc.(*memoryV2)
	var without []string
	for _, pod := range slices.Sorted(maps.Keys(d.PodEntries)) {
		if d.PodEntries[pod].MemoryBlocks == nil {
			without = append(without, pod)
		}
	}
	without = without[:min(len(without), 8)] // 255 subsets
	for subset := 1; subset < 1<<len(without); subset++ {
		c := *d
		c.PodEntries = maps.Clone(d.PodEntries)
		for i, pod := range without {
			if subset&(1<<i) != 0 {
				c.PodEntries[pod] = PodMemory{[]Block{}}
			}
		}
		if !yield(&c, "a pod without memory blocks was hashed with an empty list, but the file leaves the list out") {
			return
		}
	}
}
