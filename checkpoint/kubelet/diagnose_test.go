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
		name, golden, old, new string // new "": cut off at old
		kind, path, was        string
		confidence             Confidence
	}{
		{"cpuset", "cpu/1.29/static-1pod-1ctr.json", `"app":"2-3"`, `"app":"2-4"`, KindValue, pod + `["app"]`, "2-3", Certain},
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
