package kubelet

import (
	"path/filepath"
	"testing"
)

// reportStates are the files from public reports that are not good, with the
// finding that must say why.
var reportStates = map[string]struct {
	state State
	code  string
}{
	"22-k8s-79823-1core.json":                     {StateCorrupt, codeMismatch},
	"25-k8s-117589-static-pod.json":               {StateCorrupt, codeOwnBug},
	"28-k8s-71622-prechecksum-offline.json":       {StateUnsigned, codeMissing},
	"32-talos-7557-2containers.json":              {StateCorrupt, codeMismatch},
	"35-multus-fixture-sriov.json":                {StateCorrupt, codeMismatch},
	"42-kep5554-default-0-15.json":                {StateCorrupt, codeMismatch},
	"44-talos-test-memory-1numa-checksum1.json":   {StateCorrupt, codeMismatch},
	"46-k8s-docs-memory-2numa-nodes-key.json":     {StateCorrupt, codeUnknownField},
	"47-nokia-cpupooler-fixture.json":             {StateCorrupt, codeDeviceTwice},
	"52-aitra-mixed-map-and-list.json":            {StateDamaged, codeType},
	"53-ub-rfc-invalid-json.json":                 {StateDamaged, codeSyntax},
	"56-k8stest-cpu-v4-first-reverted-shape.json": {StateOther, codePreRelease},
	"77-rdma-fixture-no-entries-no-checksum.json": {StateCorrupt, codeMissing},
	"79-k8s-123816-with-comments.json":            {StateDamaged, codeSyntax},
}

func TestReportStates(t *testing.T) {
	reports := readJudged(t, filepath.Join(testdata, "reports", "verdicts.jsonl.gz"))
	for _, j := range reports {
		v := Judge(j.blob(), Options{FileName: j.FileName})
		want, bad := reportStates[j.Name]
		if !bad {
			want.state = StateOK
		}
		if v.State != want.state || v.Kind != j.Kind {
			t.Errorf("%s: %s %s, want %s %s", j.Name, v.Kind, v.State, j.Kind, want.state)
		}
		found := !bad
		for _, f := range v.Findings {
			found = found || f.Code == want.code
		}
		if !found {
			t.Errorf("%s: no finding %s in %+v", j.Name, want.code, v.Findings)
		}
		if v := Judge(j.blob(), Options{}); v.Kind != j.Kind && v.State != StateDamaged && bad == (v.State == StateOK) {
			t.Errorf("%s: kind %s from the content alone, want %s", j.Name, v.Kind, j.Kind)
		}
	}
	if len(reports) != 52 {
		t.Errorf("%d reports", len(reports))
	}
}
