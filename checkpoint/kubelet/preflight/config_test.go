package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

func TestParseConfig(t *testing.T) {
	for doc, want := range map[string]preflight.Config{
		`{}`: {},
		`{"kind":"KubeletConfiguration","port":10250,"cpuManagerPolicy":"static","cpuManagerPolicyOptions":{"full-pcpus-only":"true"}}`: {
			CPUManagerPolicy: "static", CPUManagerPolicyOptions: map[string]string{"full-pcpus-only": "true"}},
		`{"CPUManagerPolicy":"static"}`: {}, // names are case-sensitive
		`{"evictionHard":{}}`:           {EvictionHard: map[string]string{}},
		`{"evictionHard":null}`:         {},
		`{"reservedMemory":[{"numaNode":1,"limits":{"memory":"1Gi","hugepages-2Mi":5}},null,{"limits":{"memory":null}}]}`: {
			ReservedMemory: []preflight.MemoryReservation{{NUMANode: 1, Limits: map[string]string{"memory": "1Gi", "hugepages-2Mi": "5"}}, {}, {Limits: map[string]string{"memory": "0"}}}},
		`{"x-ignoreEvictionThreshold":true,"featureGates":{"A":true}}`: {IgnoreEvictionThreshold: true, FeatureGates: map[string]bool{"A": true}},
	} {
		got, err := preflight.ParseConfig([]byte(doc))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(preflight.Config{})); diff != "" {
			t.Errorf("%s: %v %s", doc, err, diff)
		}
	}
}

// TestBrokenConfigs: the texts are those of kubelet 1.35 and 1.37, if it is
// JSON at all.
func TestBrokenConfigs(t *testing.T) {
	const wrong = "json: cannot unmarshal "
	for doc, want := range map[string]string{
		``:                                   "unexpected end of JSON input",
		`null`:                               `"null" is no JSON object`,
		`{"a":`:                              "unexpected end of JSON input",
		`{"a":1`:                             "unexpected end of JSON input",
		`{} {}`:                              "invalid character '{' after top-level value",
		`[]`:                                 `"[]" is no JSON object`,
		`{"a" 1}`:                            "invalid character '1' after object key",
		`{"cpuManagerPolicy":1}`:             wrong + "number into Go struct field KubeletConfiguration.cpuManagerPolicy of type string",
		`{"systemReserved":{"cpu":1}}`:       wrong + "number into Go struct field KubeletConfiguration.systemReserved of type string",
		`{"systemReserved":[]}`:              wrong + "array into Go struct field KubeletConfiguration.systemReserved of type map[string]string",
		`{"reservedMemory":{}}`:              wrong + "object into Go struct field KubeletConfiguration.reservedMemory of type []v1beta1.MemoryReservation",
		`{"reservedMemory":[5]}`:             wrong + "number into Go struct field KubeletConfiguration.reservedMemory of type v1beta1.MemoryReservation",
		`{"reservedMemory":[{"limits":[]}]}`: wrong + "array into Go struct field MemoryReservation.reservedMemory.limits of type v1.ResourceList",
		`{"reservedMemory":[{"limits":{"memory":"x"}}]}`: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
		`{"reservedMemory":[{"numaNode":99999999999}]}`:  wrong + "number 99999999999 into Go struct field MemoryReservation.reservedMemory.numaNode of type int32",
		`{"featureGates":{"A":"x"}}`:                     wrong + "string into Go struct field KubeletConfiguration.featureGates of type bool",
	} {
		config, err := preflight.ParseConfig([]byte(doc))
		if err == nil || err.Error() != "kubelet configuration: "+want {
			t.Errorf("%s: %v, want %s", doc, err, want)
			continue
		}
		a := startOne(t, preflight.Question{Releases: []string{"1.37"}, Config: config})
		if a.Starts || a.Stage != preflight.StageConfig || a.Error != want {
			t.Errorf("%s: %s %q, want %q", doc, a.Stage, a.Error, want)
		}
	}
}
