package preflight_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// FuzzExplain: whatever the node, each start that fails is explained, on one
// line, and nothing of it keeps JSON from being written.
func FuzzExplain(f *testing.F) {
	for i, r := range readRecorded(f, filepath.Join(recordings, "cases.jsonl.gz")) {
		if i%25 == 0 && len(r.Machine) < 1000 {
			f.Add(string(r.Machine), string(r.Config), r.Content["*"], r.Kind == kubelet.CPU)
		}
	}
	f.Fuzz(func(t *testing.T, machine, config, file string, cpu bool) {
		m, err := preflight.ParseMachine([]byte(machine))
		if err != nil {
			return
		}
		name := preflight.MemoryManagerState
		if cpu {
			name = preflight.CPUManagerState
		}
		q := preflight.Question{Releases: []string{"1.31", "1.37"}, Machine: m, Files: preflight.Files{name: []byte(file)}, Lenient: true}
		q.Config, _ = preflight.ParseConfig([]byte(config))
		answers, err := preflight.Start(q)
		if err != nil {
			return
		}
		report := preflight.Explain(q, answers, preflight.Circumstances{})
		for _, a := range answers {
			if a.Starts || a.Undecided != "" {
				continue
			}
			if len(report.Findings) == 0 {
				t.Errorf("kubelet %s does not start (%s), and nothing is said", a.Release, a.Error)
			}
		}
		for _, f := range report.Findings {
			if f.Code == "" || f.Message == "" || strings.TrimSpace(f.Message) == "" {
				t.Errorf("empty finding %+v", f)
			}
		}
		if _, err := json.Marshal(report); err != nil {
			t.Error(err)
		}
	})
}
