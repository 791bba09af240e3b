package preflight_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/internal/quantity"
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

// What no pod holds by a file may be held by what another file says; then there
// is nothing safe about deleting it.
func TestDeletingAsksTheOtherFiles(t *testing.T) {
	four := quantity.New(4, false, quantity.DecimalSI)
	l := kubelet.ResourceList{"cpu": four, "memory": quantity.New(1<<30, false, quantity.BinarySI)}
	pods := map[string]kubelet.PodResources{"c": {ContainerResources: map[string]kubelet.Requirements{"c": {Requests: l, Limits: l}}}}
	for _, told := range []bool{false, true} {
		n := newNode(t)
		n.machine = `{"coresPerNuma":20,"memoryPerNuma":[33554432000]}`
		n.config = preflight.Config{CPUManagerPolicy: "static", ReservedSystemCPUs: "0,8"}
		n.cpu = &kubelet.CPUState{PolicyName: "static", DefaultCPUSet: "0-15"}
		if told {
			n.files[preflight.AllocatedPods] = allocatedFile(t, pods)
		}
		q := n.question()
		delete(q.Files, preflight.MemoryManagerState) // it names pods as well
		answers, err := preflight.Start(q)
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		all := preflight.Explain(q, answers, preflight.Circumstances{}).Advice
		for ; i < len(all) && all[i].Code != "cpus-changed"; i++ {
		}
		if i == len(all) {
			t.Fatalf("told %v: %+v", told, all)
		}
		way := all[i].Instead[len(all[i].Instead)-1]
		if ad := all[i]; ad.Drain != told || strings.Contains(ad.Deleting, "pod c may hold 4 CPUs") != told || strings.HasPrefix(way, "drain") != told {
			t.Errorf("told %v: %+v", told, ad)
		}
	}
}

// The same of memory, by a file of the policy that was turned off.
func TestDeletingMemoryAsksTheOtherFiles(t *testing.T) {
	for _, told := range []bool{false, true} {
		n := newNode(t)
		q := n.question()
		q.Config.MemoryManagerPolicy, q.Config.ReservedMemory = "", nil
		st := *n.memory
		st.Entries = nil
		blob, err := kubelet.Encode(&st, "1.37", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Files[preflight.MemoryManagerState] = blob
		if !told {
			delete(q.Files, preflight.CPUManagerState)
		}
		answers, err := preflight.Start(q)
		if err != nil {
			t.Fatal(err)
		}
		seen := false
		for _, ad := range preflight.Explain(q, answers, preflight.Circumstances{}).Advice {
			if ad.Code == "policy-changed" && ad.File == preflight.MemoryManagerState {
				seen = true
				if ad.Drain != told || strings.Contains(ad.Deleting, "may hold memory") != told {
					t.Errorf("told %v: %+v", told, ad)
				}
			}
		}
		if !seen {
			t.Errorf("told %v: %+v", told, answers[0].Steps)
		}
	}
}
