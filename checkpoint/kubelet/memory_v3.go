package kubelet

import (
	"encoding/json"
	"reflect"

	"github.com/kubeckpt/ckpt/checksum"
)

// memoryV3 has two halves: the fields of memory/v1 for older kubelets to read,
// and the whole state as JSON in Data. Data decides.
type memoryV3 struct {
	memoryV1
	Data         string            `json:"data"`
	DataChecksum checksum.Checksum `json:"dataChecksum"`

	inner memoryV3Data
}

type memoryV3Data struct {
	PolicyName   string          `json:"policyName"`
	MachineState NUMANodes       `json:"machineState"`
	Entries      ContainerMemory `json:"entries,omitempty"`
	PodEntries   PodsMemory      `json:"podEntries,omitempty"`
}

func (d *memoryV3) legacyHalf() any { return &d.memoryV1 }

var memoryV3Format = &format{
	id:    FormatID{Memory, "v3"},
	title: "memory/v1, and beside it the whole state as a JSON string",
	shape: `{"policyName":…,"machineState":…,"entries":…,"checksum":N,` +
		`"data":"{\"policyName\":…,\"machineState\":…,\"entries\":…,\"podEntries\":…}","dataChecksum":N}`,
	source: "pkg/kubelet/cm/memorymanager/state of Kubernetes 1.37 (MemoryManagerCheckpoint)",
	writes: []writer{{Span{From: "1.37"}, ""}},
	fresh: func() any {
		return &memoryV3{
			memoryV1: memoryV1{Entries: ContainerMemory{}, MachineState: NUMANodes{}},
			inner:    memoryV3Data{Entries: ContainerMemory{}, PodEntries: PodsMemory{}, MachineState: NUMANodes{}},
		}
	},
	decode: unmarshalInto(func(blob []byte, d *memoryV3) error {
		if err := json.Unmarshal(blob, d); err != nil {
			return &stage{"failed to deserialize memory manager checkpoint: ", err, false}
		}
		if err := json.Unmarshal([]byte(d.Data), &d.inner); err != nil {
			return &stage{"failed to deserialize memory manager checkpoint data: ", err, true}
		}
		return nil
	}),
	claims: of(func(d *memoryV3) bool { return d.Data != "" || d.DataChecksum != 0 }),
	inner:  &innerDoc{"data", reflect.TypeFor[memoryV3Data](), nil, of(func(d *memoryV3) string { return d.Data })},
	legacy: memoryV1Format,
	names:  memoryNames,
	sums: []sum{
		sumOf("dataChecksum", algFNV, func(d *memoryV3) *checksum.Checksum { return &d.DataChecksum },
			dumpedString(func(d *memoryV3) string { return d.Data })),
		sumOf("checksum", algFNV, func(d *memoryV3) *checksum.Checksum { return &d.Checksum },
			dumped[memoryV3, memoryV1]("state.MemoryManagerCheckpoint", memoryNames, (*memoryV3).unsummed),
		),
	},
	build: of3(func(st *MemoryState, _ string) (any, error) {
		d := &memoryV3{memoryV1: *buildMemoryV1(st)}
		d.inner = memoryV3Data{st.PolicyName, d.MachineState, d.Entries, orMade(st.PodEntries)}
		var err error
		d.Data, err = marshalInner(d.inner)
		return d, err
	}),
	content: of2(func(d *memoryV3) (any, error) {
		in := d.inner
		return &MemoryState{PolicyName: in.PolicyName, MachineState: in.MachineState, Entries: in.Entries,
			PodEntries: in.PodEntries}, nil
	}),
}
