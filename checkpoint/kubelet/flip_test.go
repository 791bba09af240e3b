package kubelet

import (
	"bytes"
	"encoding/json"
	"testing"
)

// flipped are small goldens of every format.
var flipped = []string{
	"cpu/1.13/v1-static-6ctr.json",
	"cpu/1.29/static-3pods.json",
	"cpu/1.36/static-pod-level+PLRM.json",
	"cpu/1.37/static-1pod-1ctr.json",
	"memory/1.29/static-1numa-1pod.json",
	"memory/1.36/static-pod-level+PLRM.json",
	"memory/1.37/static-1numa-1pod.json",
	"device/1.13/v1-2resources.json",
	"device/1.29/1entry.json",
	"dra/1.29/1claim.json",
	"dra/1.30/1claim.json",
	"dra/1.31/1claim.json",
	"allocated/1.29/1pod.json",
	"allocated/1.32/1pod.json",
	"allocated/1.33/1pod.json",
}

// TestFlips changes every byte of a file in three ways. Each change is
// reported, or else every kubelet restores what it restored before.
func TestFlips(t *testing.T) {
	for _, name := range flipped {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := goldenByFile(t, name)
			blob := g.read(t)
			o := g.options()
			want := Judge(blob, o)
			if want.State != StateOK {
				t.Fatalf("the golden itself is %s", want.State)
			}
			reported, harmless := 0, 0
			for i := range blob {
				for _, b := range []byte{blob[i] + 1, 0x00, 0xff} {
					if b == blob[i] {
						continue
					}
					changed := bytes.Clone(blob)
					changed[i] = b
					got := Judge(changed, o)
					if got.State != StateOK || worse(want.Findings, got.Findings) {
						reported++
						continue
					}
					if !sameMeaning(t, want, got) {
						t.Errorf("byte %d (%q) as %#02x: not reported, but the content differs", i, blob[max(i-10, 0):min(i+10, len(blob))], b)
					}
					harmless++
				}
			}
			if reported == 0 {
				t.Error("no change was reported")
			}
			t.Logf("%d reported, %d harmless", reported, harmless)
		})
	}
}

func goldenByFile(t testing.TB, name string) golden {
	t.Helper()
	for _, g := range goldens(t) {
		if g.File == name {
			return g
		}
	}
	t.Fatalf("no golden %s", name)
	return golden{}
}

// worse reports whether got has a finding above info that want has not.
func worse(want, got []Finding) bool {
	known := map[Finding]bool{}
	for _, f := range want {
		known[f] = true
	}
	for _, f := range got {
		if !known[f] && f.Severity != SeverityInfo {
			return true
		}
	}
	return false
}

// sameMeaning compares the content and what each kubelet restores.
func sameMeaning(t *testing.T, want, got Verdict) bool {
	t.Helper()
	a, errA := json.Marshal(want.Content)
	b, errB := json.Marshal(got.Content)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if !bytes.Equal(a, b) || len(want.Kubelets) != len(got.Kubelets) {
		return false
	}
	for i := range want.Kubelets {
		if want.Kubelets[i].Verdict != got.Kubelets[i].Verdict || stateText(t, want.Kubelets[i]) != stateText(t, got.Kubelets[i]) {
			return false
		}
	}
	return true
}
