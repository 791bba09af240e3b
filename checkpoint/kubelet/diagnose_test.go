package kubelet

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// Edits as people and disks make them, each with what must be found first.
func TestDiagnose(t *testing.T) {
	const pod = `entries["922acc1f-d886-5cc8-b44f-9ca08bae216a"]`
	tests := []struct {
		name, golden, old, new string
		kind, path, was        string
		confidence             Confidence
	}{
		{"cpuset", "cpu/1.29/static-1pod-1ctr.json", `"app":"2-3"`, `"app":"2-4"`, KindValue, pod + `["app"]`, "2-3", Certain},
		{"policy", "cpu/1.29/static-110pods.json", `"static"`, `"none"`, KindValue, "policyName", "static", Certain},
		{"upper case", "cpu/1.29/static-1pod-1ctr.json", "922acc1f", "922ACC1F", KindKey,
			`entries["922ACC1F-d886-5cc8-b44f-9ca08bae216a"]`, "922acc1f-d886-5cc8-b44f-9ca08bae216a", Certain},
		{"null for a list", "memory/1.29/static-1numa-1pod.json", `"numaAffinity":[0]`, `"numaAffinity":null`, KindValue,
			pod + `["app"][0].numaAffinity`, "[0]", Certain},
		{"quantity", "allocated/1.29/1pod.json", `"500m"`, `"600m"`, KindValue,
			`allocationEntries["922acc1f-d886-5cc8-b44f-9ca08bae216a"]["app"]["cpu"]`, "500m", Certain},
		{"sum", "dra/1.35/2claims.json", "4136828286", "4136828287", KindValue, "Checksum", "4136828286", Certain},
		{"HTML escapes undone", "allocated/1.35/odd-names.json", `\\u003c`, "<", KindEncoding, "data", "", Certain},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			blob := bytes.Replace(goldenByFile(t, tt.golden).read(t), []byte(tt.old), []byte(tt.new), 1)
			got := Diagnose(context.Background(), blob, DiagnoseOptions{})
			if len(got) == 0 {
				t.Fatal("no explanation")
			}
			e := got[0]
			if e.Kind != tt.kind || e.Path != tt.path || e.Old != tt.was || e.Confidence != tt.confidence {
				t.Errorf("%d explanations, the first: %+v", len(got), e)
			}
		})
	}
}

// A good file needs no explanation.
func TestDiagnoseGood(t *testing.T) {
	for _, g := range goldens(t) {
		blob := g.read(t)
		v := Judge(blob, g.options())
		if v.State != StateOK {
			continue
		}
		if got := Diagnose(context.Background(), blob, DiagnoseOptions{Options: g.options()}); len(got) > 0 && !strings.Contains(g.File, "odd") {
			t.Errorf("%s: %+v", g.File, got)
		}
	}
}
