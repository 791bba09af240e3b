package kubelet

import (
	"encoding/json"
	"reflect"

	"github.com/kubeckpt/ckpt/checksum"
)

// allocatedV2 keeps its document as a string; the document is decoded only
// after the sum.
type allocatedV2 struct {
	Data     string            `json:"data"`
	Checksum checksum.Checksum `json:"checksum"`
}

type allocatedV2Data struct {
	AllocationEntries map[string]map[string]Requirements `json:"allocationEntries,omitempty"`
}

var allocatedV2Format = &format{
	id:     FormatID{Allocated, "v2"},
	title:  "limits and requests of each container as a JSON string",
	shape:  `{"data":"{\"allocationEntries\":{POD:{CONTAINER:{\"limits\":{…},\"requests\":{…}}}}}","checksum":N}`,
	source: "pkg/kubelet/status/state of Kubernetes 1.32 (Checkpoint)",
	writes: []writer{{Span{"1.32", "1.32"}, ""}},
	fresh: func() any {
		return &allocatedV2{Data: "null", Checksum: checksum.OfString("null")}
	},
	prefilled: true,
	inner:     &innerDoc{"data", reflect.TypeFor[allocatedV2Data](), nil, of(func(d *allocatedV2) string { return d.Data })},
	names:     allocatedV2Names,
	sums: []sum{sumOf("checksum", algFNV, func(d *allocatedV2) *checksum.Checksum { return &d.Checksum },
		dumpedString(func(d *allocatedV2) string { return d.Data }))},
	build: of3(func(st *AllocatedState, _ string) (any, error) {
		text, err := marshalInner(allocatedV2Data{st.Containers})
		return &allocatedV2{Data: text}, err
	}),
	content: of2(func(d *allocatedV2) (any, error) {
		var data allocatedV2Data
		if err := json.Unmarshal([]byte(d.Data), &data); err != nil {
			return nil, &stage{"failed to get pod resource allocation info: ", err, true}
		}
		return &AllocatedState{Containers: data.AllocationEntries}, nil
	}),
}
