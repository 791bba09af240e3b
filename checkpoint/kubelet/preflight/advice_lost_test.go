package preflight_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// A release that refuses a file for what pods hold in it is not offered the file
// without that: a start with it, and an adoption, would give that away.
func TestMigratingGivesNothingUp(t *testing.T) {
	for _, c := range []struct{ file, blob, words string }{
		{preflight.CPUManagerState, "cpu/1.36/static-pod-level+PLRM.json", "CPUs "},
		{preflight.CPUManagerState, "cpu/1.36/static-pod-level-only+PLRM.json", "CPUs "},
		{preflight.MemoryManagerState, "memory/1.36/static-pod-level+PLRM.json", "memory is held by "},
	} {
		n := newNode(t)
		q := n.question()
		q.Releases = []string{"1.35"}
		blob, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", c.blob))
		if err != nil {
			t.Fatal(err)
		}
		q.Files = preflight.Files{c.file: blob}
		answers, err := preflight.Start(q)
		if err != nil {
			t.Fatal(err)
		}
		seen := false
		for _, ad := range preflight.Explain(q, answers, preflight.Circumstances{}).Advice {
			if ad.Code != "state-file-refused" {
				continue
			}
			seen = true
			if !ad.Drain || ad.Tool != "" || !strings.HasPrefix(ad.Do, c.words) || !strings.Contains(ad.Do, "drain the node") || !strings.Contains(ad.Do, "922acc1f-d886-5cc8-b44f-9ca08bae216a") {
				t.Errorf("%s: %+v", c.blob, ad)
			}
		}
		if !seen {
			t.Errorf("%s: not refused", c.blob)
		}
	}
}
