package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

func startOne(t *testing.T, q preflight.Question) preflight.Answer {
	t.Helper()
	answers, err := preflight.Start(q)
	if err != nil || len(answers) != 1 {
		t.Fatal(err, len(answers))
	}
	return answers[0]
}

// failing are the steps that stop a start, as "stage path: file | machine".
func failing(a preflight.Answer) (out []string) {
	for _, s := range a.Steps {
		if !s.OK && s.Reached {
			out = append(out, fmt.Sprintf("%s %s: %s | %s", s.Stage, s.Path, s.File, s.Machine))
		}
	}
	return out
}

// TestEveryFailingStep: one fault does not hide another.
func TestEveryFailingStep(t *testing.T) {
	n := newNode(t)
	n.online("7,15")
	n.sizes("8589930496,8589934592", "512")
	n.machine = strings.TrimSuffix(n.machine, "}") + `,"offlineSet":"7,15"}`
	n.cpu.DefaultCPUSet = "2-8,10-15"
	n.cpu.Entries["p2"] = map[string]string{"b": "2-3"}
	n.config.SystemReserved["memory"] = "2Gi"
	n.config.KubeReserved = map[string]string{"cpu": "100"}
	n.config.ReservedSystemCPUs = "0"
	n.files[preflight.AllocatedPods] = []byte("{")
	q := n.question()
	q.Files[preflight.DeviceCheckpoint] = []byte("no")
	a := startOne(t, q)
	want := []string{
		"memory-new reservedMemory: 1Gi | 2Gi",
		"allocated allocated_pods_state:  | ",
		"cpu-start defaultCpuSet: 2-8,10-15 | 0",
		"cpu-start entries.p2.b: 2-3 | 2-8,10-15",
		"cpu-start defaultCpuSet: 1-15 | 0-6,8-14",
		"memory-start machineState.0.memoryMap.memory.total: 8589934592 | 8589930496",
		"memory-start machineState.0.memoryMap.memory.allocatable: 6442450944 | 6442446848",
	}
	if diff := cmp.Diff(want, failing(a)); diff != "" {
		t.Error(diff)
	}
	if a.Starts || a.Random || a.Stage != preflight.StageMemoryNew || !strings.Contains(a.Error, "Node Allocatable feature") {
		t.Errorf("starts %t, random %t: %s %q", a.Starts, a.Random, a.Stage, a.Error)
	}
	if last := a.Steps[len(a.Steps)-1]; last.Stage != preflight.StageDevices || last.Warning == "" {
		t.Errorf("nothing is said of the device file: %+v", last)
	}

	n.config.SystemReserved["memory"], n.config.KubeReserved = "1Gi", nil
	n.files = preflight.Files{preflight.CPUManagerState: nil}
	want = []string{"cpu-start cpu_manager_state:  | ",
		"memory-start machineState.0.memoryMap.memory.total: 8589934592 | 8589930496",
		"memory-start machineState.0.memoryMap.memory.allocatable: 6442450944 | 6442446848"}
	if diff := cmp.Diff(want, failing(startOne(t, n.question()))); diff != "" {
		t.Error(diff)
	}
}

// TestMissingIsNotEmpty: a kubelet makes a file that is not there, and refuses
// one of no bytes.
func TestMissingIsNotEmpty(t *testing.T) {
	q := newNode(t).question()
	q.Files = nil
	if a := startOne(t, q); !a.Starts || !a.CPUWritten || !a.MemoryWritten || a.CPU.DefaultCPUSet != "0-15" || len(a.Memory.MachineState) != 2 {
		t.Errorf("without files: %+v", a)
	}
	for _, name := range []string{preflight.CPUManagerState, preflight.MemoryManagerState, preflight.DRAManagerState, preflight.AllocatedPods, preflight.ActuatedPods} {
		q.Files = preflight.Files{name: {}}
		if a := startOne(t, q); a.Starts || !strings.Contains(a.Error, "unexpected end of JSON input") {
			t.Errorf("%s of no bytes: starts %t: %s", name, a.Starts, a.Error)
		}
	}
	q.Files = preflight.Files{preflight.PodStatusManager: {}}
	if a := startOne(t, q); !a.Starts {
		t.Errorf("a file of older kubelets: %s", a.Error)
	}
}

// TestStrangeFields: a release stops at fields that it does not have, or drops
// them.
func TestStrangeFields(t *testing.T) {
	config, err := preflight.ParseConfig([]byte(`{"kind":"KubeletConfiguration","foo":1,"port":1,"port":2,"mergeDefaultEvictionSettings":true,"evictionHard":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	q := preflight.Question{Config: config, Machine: preflight.Machine{CPUs: 1, MemoryCapacity: 1 << 30}}
	for _, c := range []struct{ release, want, memory string }{
		{"1.32", `strict decoding error: duplicate field "port", unknown field "foo", unknown field "mergeDefaultEvictionSettings"`, ""},
		{"1.33", `strict decoding error: duplicate field "port", unknown field "foo"`, "100Mi"},
	} {
		q.Releases, q.Lenient = []string{c.release}, false
		if a := startOne(t, q); a.Error != c.want || a.Stage != preflight.StageConfig {
			t.Errorf("%s: %s %q, want %q", c.release, a.Stage, a.Error, c.want)
		}
		q.Lenient = true
		if a := startOne(t, q); !a.Starts || a.Steps[0].Warning == "" || a.Reservation["memory"] != c.memory {
			t.Errorf("%s, lenient: %q, reserves %v, want %q", c.release, a.Error, a.Reservation, c.memory)
		}
	}
}

// TestGates: locked gates cannot be changed, and those that differ are told.
func TestGates(t *testing.T) {
	q := preflight.Question{Releases: []string{"1.36"}, Machine: preflight.Machine{CPUs: 1, MemoryCapacity: 1 << 30}, Gates: map[string]bool{
		"PodLevelResourceManagers": true, "MemoryManager": false, "DynamicResourceAllocation": false, "CPUManagerPolicyBetaOptions": true}}
	if diff := cmp.Diff(map[string]bool{"PodLevelResourceManagers": true}, startOne(t, q).Gates); diff != "" {
		t.Error(diff)
	}
}

// TestRandomRestore: several sets that are none, and any may be named.
func TestRandomRestore(t *testing.T) {
	n := newNode(t)
	n.release = "1.36"
	n.files[preflight.CPUManagerState] = badSets(t)
	a := startOne(t, n.question())
	if !a.Random || len(a.Possible) != 2 {
		t.Errorf("random %t: %q", a.Random, a.Possible)
	}
	for i, set := range []string{`"x"`, `"y"`} {
		if i < len(a.Possible) && !strings.Contains(a.Possible[i], set) {
			t.Errorf("%q does not name %s", a.Possible[i], set)
		}
	}
}

// badSets is a file with two sets that are none, and its checksum.
func badSets(t *testing.T) []byte {
	const text = `{"policyName":"static","defaultCpuSet":"0","entries":{"p":{"a":"x","b":"y"}},"checksum":%s}`
	v := kubelet.Judge(fmt.Appendf(nil, text, "1"), kubelet.Options{Kind: kubelet.CPU})
	for _, sum := range v.Checksums {
		if sum.Field == "checksum" {
			return fmt.Appendf(nil, text, fmt.Sprint(sum.Computed))
		}
	}
	t.Fatal("no sum")
	return nil
}

// TestTopologyManager: its options, and machines that it does not take.
func TestTopologyManager(t *testing.T) {
	nine := preflight.Machine{CPUs: 9, Sockets: 1, MemoryCapacity: 1 << 30}
	for n := range 9 {
		nine.Nodes = append(nine.Nodes, preflight.Node{ID: n, Cores: []preflight.Core{{Threads: []int{n}}}})
	}
	for _, c := range []struct {
		release, policy string
		options         map[string]string
		want            string
	}{
		{"1.30", "none", map[string]string{"bogus": "1"}, ""},
		{"1.30", "best-effort", nil, "unsupported on machines with more than 8 NUMA Nodes"},
		{"1.30", "best-effort", map[string]string{"max-allowable-numa-nodes": "16"}, `unknown Topology Manager Policy option: "max-allowable-numa-nodes"`},
		{"1.31", "best-effort", map[string]string{"max-allowable-numa-nodes": "16"}, ""},
		{"1.37", "restricted", map[string]string{"max-allowable-numa-nodes": "9", "prefer-closest-numa-nodes": "true"}, ""},
		{"1.37", "restricted", map[string]string{"max-allowable-numa-nodes": "2"}, `the minimum value of "max-allowable-numa-nodes" should not be less than 8`},
		{"1.37", "restricted", map[string]string{"max-allowable-numa-nodes": "x"}, `unable to convert policy option to integer "max-allowable-numa-nodes": strconv.Atoi: parsing "x": invalid syntax`},
		{"1.37", "restricted", map[string]string{"prefer-closest-numa-nodes": "x"}, `bad value for option "prefer-closest-numa-nodes": strconv.ParseBool: parsing "x": invalid syntax`},
	} {
		a := startOne(t, preflight.Question{Releases: []string{c.release}, Machine: nine,
			Config: preflight.Config{TopologyManagerPolicy: c.policy, TopologyManagerPolicyOptions: c.options}})
		sound(t, a)
		if a.Error != c.want || (c.want != "") != (a.Stage == preflight.StageTopology) {
			t.Errorf("%s %s %v: %s %q, want %q", c.release, c.policy, c.options, a.Stage, a.Error, c.want)
		}
	}
	for release, want := range map[string]string{"1.32": "Topology Manager Policy Beta-level Options not enabled", "1.33": "topology manager policy beta-level options not enabled"} {
		a := startOne(t, preflight.Question{Releases: []string{release}, Machine: nine, Gates: map[string]bool{"TopologyManagerPolicyBetaOptions": false},
			Config: preflight.Config{TopologyManagerPolicy: "restricted", TopologyManagerPolicyOptions: map[string]string{"max-allowable-numa-nodes": "16"}}})
		if !strings.HasPrefix(a.Error, want) {
			t.Errorf("%s: %q, want %q", release, a.Error, want)
		}
	}
}

// TestManyReserved: how a kubelet copes with a set that does not fit into memory
// is not known, and no text of it is made up.
func TestManyReserved(t *testing.T) {
	n := newNode(t)
	n.config.ReservedSystemCPUs = "0-99999999999"
	a := startOne(t, n.question())
	if a.Starts || a.Error != "" || !strings.Contains(a.Undecided, "are judged here") || a.Stage != preflight.StageReservation {
		t.Errorf("%q, undecided %q at %s", a.Error, a.Undecided, a.Stage)
	}
}
