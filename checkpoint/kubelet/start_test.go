package kubelet

import (
	"encoding/json"
	"path/filepath"
	"testing"
)

// startCase is a start of the managers on some machine, with their answers.
type startCase struct {
	ID       string `json:"id"`
	Kind     Kind   `json:"kind"`
	Kubelets []struct {
		Version  string          `json:"version"`
		Accepted bool            `json:"accepted"`
		Error    string          `json:"error"`
		Stage    string          `json:"stage"`
		State    json.RawMessage `json:"state"`
	} `json:"kubelets"`
}

// TestChecksAgainstStarts: what a real kubelet holds after a start has no fault
// by our checks.
func TestChecksAgainstStarts(t *testing.T) {
	states := 0
	for _, c := range readLines[startCase](t, filepath.Join(testdata, "start", "cases.jsonl.gz")) {
		k := tableOf(c.Kind)
		for _, kub := range c.Kubelets {
			if !kub.Accepted || kub.Stage != "started" || len(kub.State) < 3 {
				continue
			}
			var content any = &CPUState{}
			if c.Kind == Memory {
				content = &MemoryState{}
			}
			if err := json.Unmarshal(kub.State, content); err != nil {
				t.Fatal(err)
			}
			states++
			k.check(content, func(f Finding) {
				if f.Severity == SeverityError {
					t.Errorf("%s: state after start of %s: %s %s: %s", c.ID, kub.Version, f.Code, f.Path, f.Message)
				}
			})
		}
	}
	if states < 2000 {
		t.Errorf("only %d states checked", states)
	}
}
