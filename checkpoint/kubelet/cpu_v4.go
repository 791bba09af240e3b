package kubelet

import (
	"encoding/json"
	"reflect"

	"github.com/kubeckpt/ckpt/checksum"
)

// cpuV4 has two halves: the fields of cpu/v2 for older kubelets to read, and
// the whole state as JSON in Data. Data decides.
type cpuV4 struct {
	cpuV2
	Data         string            `json:"data"`
	DataChecksum checksum.Checksum `json:"dataChecksum"`

	inner cpuV4Data
}

type cpuV4Data struct {
	PolicyName    string                            `json:"policyName"`
	DefaultCPUSet string                            `json:"defaultCpuSet"`
	Entries       map[string]map[string]string      `json:"entries,omitempty"`
	PodEntries    cpuPods                           `json:"podEntries,omitempty"`
	Baselines     map[string]map[string]cpuBaseline `json:"baselines,omitempty"`
}

type cpuBaseline struct {
	Baseline string `json:"baseline"`
}

func (d *cpuV4) legacyHalf() any { return &d.cpuV2 }

var cpuV4Format = &format{
	id:    FormatID{CPU, "v4"},
	title: "cpu/v2, and beside it the whole state as a JSON string",
	shape: `{"policyName":…,"defaultCpuSet":…,"entries":…,"checksum":N,"data":"{\"policyName\":…,\"defaultCpuSet\":…,` +
		`\"entries\":…,\"podEntries\":…,\"baselines\":{POD:{CONTAINER:{\"baseline\":\"1-3\"}}}}","dataChecksum":N}`,
	source: "pkg/kubelet/cm/cpumanager/state of Kubernetes 1.37 (CPUManagerCheckpoint)",
	writes: []writer{{Span{From: "1.37"}, ""}},
	fresh: func() any {
		return &cpuV4{
			cpuV2: cpuV2{Entries: map[string]map[string]string{}},
			inner: cpuV4Data{
				Entries:    map[string]map[string]string{},
				PodEntries: cpuPods{},
				Baselines:  map[string]map[string]cpuBaseline{},
			},
		}
	},
	decode: unmarshalInto(func(blob []byte, d *cpuV4) error {
		if err := json.Unmarshal(blob, d); err != nil {
			return &stage{"failed to deserialize cpu manager checkpoint: ", err, false}
		}
		if err := json.Unmarshal([]byte(d.Data), &d.inner); err != nil {
			return &stage{"failed to deserialize cpu manager checkpoint data: ", err, true}
		}
		return nil
	}),
	claims: of(func(d *cpuV4) bool { return d.Data != "" || d.DataChecksum != 0 }),
	inner:  &innerDoc{"data", reflect.TypeFor[cpuV4Data](), nil, of(func(d *cpuV4) string { return d.Data })},
	legacy: cpuV2Format,
	names:  cpuNames,
	sums: []sum{
		sumOf("dataChecksum", algFNV, func(d *cpuV4) *checksum.Checksum { return &d.DataChecksum },
			dumpedString(func(d *cpuV4) string { return d.Data })),
		sumOf("checksum", algFNV, func(d *cpuV4) *checksum.Checksum { return &d.Checksum },
			dumped[cpuV4, cpuV2]("state.CPUManagerCheckpoint", cpuNames, (*cpuV4).unsummed),
		),
	},
	build: of3(func(st *CPUState, _ string) (any, error) {
		pods, err := cpuPodsOf(st.PodEntries)
		if err != nil {
			return nil, err
		}
		d := &cpuV4{cpuV2: *buildCPUV2(st)}
		d.inner = cpuV4Data{st.PolicyName, st.DefaultCPUSet, d.Entries, pods, baselinesOf(st.Baselines)}
		d.Data, err = marshalInner(d.inner)
		return d, err
	}),
	content: of2(func(d *cpuV4) (any, error) {
		in := d.inner
		return &CPUState{PolicyName: in.PolicyName, DefaultCPUSet: in.DefaultCPUSet, Entries: in.Entries,
			PodEntries: in.PodEntries.strings(), Baselines: baselineSets(in.Baselines)}, nil
	}),
}

func baselineSets(pods map[string]map[string]cpuBaseline) map[string]map[string]string {
	if pods == nil {
		return nil
	}
	out := make(map[string]map[string]string, len(pods))
	for pod, containers := range pods {
		out[pod] = make(map[string]string, len(containers))
		for name, b := range containers {
			out[pod][name] = b.Baseline
		}
	}
	return out
}

func baselinesOf(sets map[string]map[string]string) map[string]map[string]cpuBaseline {
	out := make(map[string]map[string]cpuBaseline, len(sets))
	for pod, containers := range sets {
		out[pod] = make(map[string]cpuBaseline, len(containers))
		for name, set := range containers {
			out[pod][name] = cpuBaseline{set}
		}
	}
	return out
}
