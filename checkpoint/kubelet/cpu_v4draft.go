package kubelet

import (
	"encoding/json"
	"reflect"

	"github.com/kubeckpt/ckpt/checksum"
)

// cpuV4Draft is the first shape of cpu/v4, with the data half alone. It was
// merged for 1.37 and reverted before the release.
type cpuV4Draft struct {
	Data     string            `json:"data"`
	Checksum checksum.Checksum `json:"checksum"`

	inner cpuV4DraftData
}

type cpuV4DraftData struct {
	PolicyName    string                            `json:"policyName"`
	DefaultCPUSet string                            `json:"defaultCPUSet"`
	Entries       map[string]map[string]string      `json:"entries,omitempty"`
	PodEntries    cpuPods                           `json:"podEntries,omitempty"`
	Baselines     map[string]map[string]cpuBaseline `json:"baselines,omitempty"`
}

var cpuV4DraftFormat = &format{
	id:     FormatID{CPU, "v4draft"},
	title:  "the state as a JSON string alone; written by no release",
	shape:  `{"data":"{\"policyName\":…,\"defaultCPUSet\":…,\"entries\":…}","checksum":N}`,
	source: "kubernetes/kubernetes pull request 137820, reverted by 139077 before 1.37",
	fresh:  func() any { return &cpuV4Draft{} },
	decode: unmarshalInto(func(blob []byte, d *cpuV4Draft) error {
		if err := json.Unmarshal(blob, d); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(d.Data), &d.inner); err != nil {
			return &stage{"", err, true}
		}
		return nil
	}),
	inner: &innerDoc{"data", reflect.TypeFor[cpuV4DraftData](), nil, of(func(d *cpuV4Draft) string { return d.Data })},
	names: cpuNames,
	sums: []sum{sumOf("checksum", algFNV, func(d *cpuV4Draft) *checksum.Checksum { return &d.Checksum },
		dumpedString(func(d *cpuV4Draft) string { return d.Data }))},
	content: of2(func(d *cpuV4Draft) (any, error) {
		in := d.inner
		return &CPUState{PolicyName: in.PolicyName, DefaultCPUSet: in.DefaultCPUSet, Entries: in.Entries,
			PodEntries: in.PodEntries.strings(), Baselines: baselineSets(in.Baselines)}, nil
	}),
}
