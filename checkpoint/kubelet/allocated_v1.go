package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// allocatedV1 is a plain struct, so that the hash covers how a Quantity is
// held in memory. A quantity that was not in canonical form when it was hashed
// comes back as another struct: kubelets refuse such a file that they wrote
// themselves.
type allocatedV1 struct {
	AllocationEntries   map[string]map[string]ResourceList `json:"allocationEntries,omitempty"`
	ResizeStatusEntries map[string]resizeStatus            `json:"resizeStatusEntries,omitempty"`
	Checksum            checksum.Checksum                  `json:"checksum"`
}

type resizeStatus string

var allocatedV1Format = &format{
	id:    FormatID{Allocated, "v1"},
	title: "allocated resources of each container, and resize status",
	shape: `{"allocationEntries":{POD:{CONTAINER:{"cpu":"500m","memory":"1Gi"}}},` +
		`"resizeStatusEntries":{POD:"InProgress"},"checksum":N}`,
	source: "pkg/kubelet/status/state of Kubernetes 1.29 (PodResourceAllocationCheckpoint)",
	writes: []writer{{Span{"1.27", "1.31"}, ""}},
	fresh: func() any {
		return &allocatedV1{AllocationEntries: map[string]map[string]ResourceList{}, ResizeStatusEntries: map[string]resizeStatus{}}
	},
	names: allocatedNames,
	sums: []sum{sumOf("checksum", algFNV, func(d *allocatedV1) *checksum.Checksum { return &d.Checksum },
		dumped[allocatedV1, allocatedV1]("state.PodResourceAllocationCheckpoint", allocatedNames, (*allocatedV1).unsummed),
	)},
	inMemory: allocatedV1InMemory,
	build: of3(func(st *AllocatedState, _ string) (any, error) {
		d := &allocatedV1{AllocationEntries: orMade(st.Lists), ResizeStatusEntries: map[string]resizeStatus{}}
		for pod, status := range st.ResizeStatus {
			d.ResizeStatusEntries[pod] = resizeStatus(status)
		}
		return d, nil
	}),
	content: of2(func(d *allocatedV1) (any, error) {
		st := &AllocatedState{Lists: d.AllocationEntries}
		for pod, status := range d.ResizeStatusEntries {
			if st.ResizeStatus == nil {
				st.ResizeStatus = map[string]string{}
			}
			st.ResizeStatus[pod] = string(status)
		}
		return st, nil
	}),
}

func (d allocatedV1) unsummed() any {
	d.Checksum = 0
	return &d
}
