package preflight_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// node is a start that works: two NUMA nodes, both managers static, pods that
// hold CPUs, memory and hugepages. Tests change one thing of it.
type node struct {
	t       *testing.T
	machine string
	config  preflight.Config
	gates   map[string]bool
	cpu     *kubelet.CPUState
	memory  *kubelet.MemoryState
	files   preflight.Files // in place of the states
	release string
}

const gib = 1 << 30

func newNode(t *testing.T) *node {
	return &node{
		t:       t,
		machine: `{"sockets":2,"coresPerNuma":4,"threadsPerCore":2,"memoryPerNuma":[8589934592],"hugepages":[[{"pageSizeKiB":2048,"numPages":512}]]}`,
		config: preflight.Config{
			CPUManagerPolicy: "static", MemoryManagerPolicy: "Static", EvictionHard: map[string]string{},
			SystemReserved: map[string]string{"cpu": "2", "memory": "1Gi"},
			ReservedMemory: []preflight.MemoryReservation{{NUMANode: 0, Limits: map[string]string{"memory": "1Gi"}}},
		},
		gates: map[string]bool{"CPUManagerPolicyAlphaOptions": true},
		cpu: &kubelet.CPUState{PolicyName: "static", DefaultCPUSet: "0,2-8,10-15",
			Entries: map[string]map[string]string{"p1": {"a": "1,9"}}},
		memory: &kubelet.MemoryState{PolicyName: "Static",
			Entries: kubelet.ContainerMemory{"p1": {"a": {
				{NUMAAffinity: []int{0}, Type: "memory", Size: 2 * gib},
				{NUMAAffinity: []int{0}, Type: "hugepages-2Mi", Size: gib / 2},
			}}},
			MachineState: kubelet.NUMANodes{
				0: {NumberOfAssignments: 2, Cells: []int{0}, MemoryMap: map[kubelet.ResourceName]*kubelet.MemoryTable{
					"memory":        {TotalMemSize: 8 * gib, SystemReserved: gib, Allocatable: 6 * gib, Reserved: 2 * gib, Free: 4 * gib},
					"hugepages-2Mi": {TotalMemSize: gib, Allocatable: gib, Reserved: gib / 2, Free: gib / 2}}},
				1: {Cells: []int{1}, MemoryMap: map[kubelet.ResourceName]*kubelet.MemoryTable{
					"memory":        {TotalMemSize: 8 * gib, Allocatable: 7 * gib, Free: 7 * gib},
					"hugepages-2Mi": {TotalMemSize: gib, Allocatable: gib, Free: gib}}},
			}},
		files:   preflight.Files{},
		release: "1.37",
	}
}

func (n *node) question() preflight.Question {
	n.t.Helper()
	m, err := preflight.ParseMachine([]byte(n.machine))
	if err != nil {
		n.t.Fatal(err)
	}
	files := preflight.Files{}
	for name, content := range map[string]any{preflight.CPUManagerState: n.cpu, preflight.MemoryManagerState: n.memory} {
		if files[name], err = kubelet.Encode(content, n.release, n.gates); err != nil {
			n.t.Fatal(err)
		}
	}
	maps.Copy(files, n.files)
	return preflight.Question{Releases: []string{n.release}, Machine: m, Config: n.config, Files: files, Gates: n.gates}
}

func (n *node) option(name string) {
	n.config.CPUManagerPolicyOptions = map[string]string{name: "true"}
}

// online describes one NUMA node of eight cores with two threads each, of which
// some CPUs are off, beside a second one of none.
func (n *node) online(offline string) {
	n.machine = `{"sockets":2,"coresPerNuma":4,"threadsPerCore":2,"memoryPerNuma":[8589934592],` +
		`"hugepages":[[{"pageSizeKiB":2048,"numPages":512}]],"offlineSet":"` + offline + `"}`
}

// sizes gives both NUMA nodes their bytes, and pages of 2 MiB.
func (n *node) sizes(memory, pages string) {
	n.machine = `{"sockets":2,"coresPerNuma":4,"threadsPerCore":2,"memoryPerNuma":[` + memory + `],"hugepages":[[{"pageSizeKiB":2048,"numPages":` + pages + `}]]}`
}

func (n *node) strictly() {
	n.option("strict-cpu-reservation")
	n.cpu.DefaultCPUSet = "2-7,10-15" // without the reserved CPUs 0 and 8
}

var adoptions = []struct {
	name, file, change string
	prepare            func(n *node)
	want               string // default CPU set, or the memory of node 0
	strict             bool
}{
	{"cpu policy", preflight.CPUManagerState, preflight.AdoptPolicy, func(n *node) {
		n.cpu = &kubelet.CPUState{PolicyName: "none"}
	}, "0-15", false},
	{"cpu policy, strict", preflight.CPUManagerState, preflight.AdoptPolicy, func(n *node) {
		n.cpu = &kubelet.CPUState{PolicyName: "none"}
		n.option("strict-cpu-reservation")
	}, "1-7,9-15", true},
	{"CPUs added", preflight.CPUManagerState, preflight.AdoptCPUs, func(n *node) {
		n.cpu.DefaultCPUSet = "0,2-8,10-14"
	}, "0,2-8,10-15", false},
	{"CPUs added, strict", preflight.CPUManagerState, preflight.AdoptCPUs, func(n *node) {
		n.strictly()
		n.cpu.DefaultCPUSet = "2-7,10-14"
	}, "2-7,10-15", true},
	{"reserved moved", preflight.CPUManagerState, preflight.AdoptReserved, func(n *node) {
		n.strictly()
		n.config.ReservedSystemCPUs = "2,10"
	}, "0,3-8,11-15", true},
	{"reserved grown", preflight.CPUManagerState, preflight.AdoptReserved, func(n *node) {
		n.strictly()
		n.config.ReservedSystemCPUs = "0,2,8,10"
	}, "3-7,11-15", true},
	{"memory policy", preflight.MemoryManagerState, preflight.AdoptPolicy, func(n *node) {
		n.memory = &kubelet.MemoryState{PolicyName: "None"}
	}, "8589934592", false},
	{"memory less by a page", preflight.MemoryManagerState, preflight.AdoptMemory, func(n *node) {
		n.sizes("8589930496,8589934592", "512")
	}, "8589930496", false},
	{"memory more", preflight.MemoryManagerState, preflight.AdoptMemory, func(n *node) {
		n.sizes("8589934592,9589934592", "512")
	}, "8589934592", false},
	{"hugepages of nobody", preflight.MemoryManagerState, preflight.AdoptMemory, func(n *node) {
		n.sizes("8589934592", "256")
		n.memory.Entries["p1"]["a"] = n.memory.Entries["p1"]["a"][:1]
		n.memory.MachineState[0].NumberOfAssignments = 1
		n.memory.MachineState[0].MemoryMap["hugepages-2Mi"].Free = gib
		n.memory.MachineState[0].MemoryMap["hugepages-2Mi"].Reserved = 0
	}, "8589934592", false},
}

func TestAdopt(t *testing.T) {
	for _, c := range adoptions {
		for _, release := range []string{"1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37"} {
			if c.strict && release < "1.32" {
				continue // has no such option
			}
			t.Run(c.name+"/"+release, func(t *testing.T) {
				n := newNode(t)
				n.release = release
				c.prepare(n)
				q := n.question()
				a, err := preflight.Adopt(q, c.file)
				if err != nil {
					t.Fatal(err)
				}
				if a.Change != c.change || a.Before.Starts || !a.After.Starts || a.After.Random || len(a.Changes) == 0 {
					t.Errorf("%s: before %q, after %q, changes %+v", a.Change, a.Before.Error, a.After.Error, a.Changes)
				}
				// Another start reads the new file, and nothing that is held moved.
				q.Files = preflight.Files{c.file: a.Bytes}
				q.Only = kubelet.KindOfName(c.file)
				answers, err := preflight.Start(q)
				if err != nil || !answers[0].Starts {
					t.Fatalf("%v %+v", err, answers)
				}
				if c.file == preflight.CPUManagerState {
					if got := answers[0].CPU; got.DefaultCPUSet != c.want || len(n.cpu.Entries) > 0 && !reflect.DeepEqual(got.Entries, n.cpu.Entries) {
						t.Errorf("holds %+v, want the default set %s", got, c.want)
					}
					return
				}
				got := answers[0].Memory
				if total := fmt.Sprint(got.MachineState[0].MemoryMap["memory"].TotalMemSize); total != c.want || len(n.memory.Entries) > 0 && !reflect.DeepEqual(got.Entries, n.memory.Entries) {
					t.Errorf("holds %+v, want %s bytes", got, c.want)
				}
			})
		}
	}
}

// unsafe are starts in which a file must stay as it is, with a word of why.
var unsafe = []struct {
	name, file, why string
	prepare         func(n *node)
}{
	{"cpu: starts as it is", preflight.CPUManagerState, "starts with it as it is", func(*node) {}},
	{"cpu: no file", preflight.CPUManagerState, "no such file", nil},
	{"cpu: reserved moved within the default set is accepted", preflight.CPUManagerState, "starts with it as it is", func(n *node) { n.config.ReservedSystemCPUs = "2-3" }},
	{"cpu: none with pods", preflight.CPUManagerState, "yet pods hold", func(n *node) { n.cpu.PolicyName = "none" }},
	{"cpu: policy turned off", preflight.CPUManagerState, `policy is "none"`, func(n *node) { n.config.CPUManagerPolicy = "none" }},
	{"cpu: unknown policy", preflight.CPUManagerState, "does not come to read it", func(n *node) { n.config.CPUManagerPolicy = "dynamic" }},
	{"cpu: policy of the file unknown", preflight.CPUManagerState, `by the policy "Static"`, func(n *node) { n.cpu.PolicyName = "Static" }},
	{"cpu: held CPU gone", preflight.CPUManagerState, "no longer there", func(n *node) { n.online("9") }},
	{"cpu: default CPU gone", preflight.CPUManagerState, "no longer there", func(n *node) { n.online("15") }},
	{"cpu: added and gone", preflight.CPUManagerState, "no longer there", func(n *node) { n.online("15"); n.cpu.DefaultCPUSet = "0,2-6,8,10-15" }},
	{"cpu: reserved grown over a pod", preflight.CPUManagerState, "reserved now, and pods hold", func(n *node) { n.config.SystemReserved["cpu"] = "4"; n.cpu.DefaultCPUSet = "0,2-6,8,10-14" }},
	{"cpu: reserved moved onto a pod", preflight.CPUManagerState, "reserved now, and pods hold", func(n *node) { n.config.ReservedSystemCPUs = "1" }},
	{"cpu: sibling of a held CPU added", preflight.CPUManagerState, "on a core that a pod has", func(n *node) {
		n.cpu.Entries["p1"]["a"] = "1"
	}},
	{"cpu: strict turned on", preflight.CPUManagerState, "perhaps strict-cpu-reservation was turned on", func(n *node) { n.option("strict-cpu-reservation") }},
	{"cpu: strict turned off", preflight.CPUManagerState, "perhaps strict-cpu-reservation was turned off", func(n *node) { n.strictly(); n.config.CPUManagerPolicyOptions = nil }},
	{"cpu: strict, default set used up", preflight.CPUManagerState, "no CPU is left", func(n *node) {
		n.option("strict-cpu-reservation")
		n.cpu.DefaultCPUSet, n.cpu.Entries["p1"]["a"] = "", "1-7,9-15"
	}},
	{"cpu: held twice", preflight.CPUManagerState, "", func(n *node) {
		n.cpu.Entries["p2"] = map[string]string{"b": "9"}
		n.cpu.DefaultCPUSet = "0,2-6,8,10-14"
	}},
	{"cpu: held and in the default set", preflight.CPUManagerState, "", func(n *node) { n.cpu.DefaultCPUSet = "0-8,10-14" }},
	{"cpu: checksum", preflight.CPUManagerState, "not good", func(n *node) {
		n.files[preflight.CPUManagerState] = []byte(`{"policyName":"none","defaultCpuSet":"","checksum":1}`)
	}},
	{"cpu: no checksum", preflight.CPUManagerState, "not good", func(n *node) {
		n.release = "1.34"
		n.files[preflight.CPUManagerState] = []byte(`{"policyName":"none","defaultCpuSet":"","checksum":0}`)
	}},
	{"cpu: empty file", preflight.CPUManagerState, "not good", func(n *node) { n.files[preflight.CPUManagerState] = []byte{} }},
	{"cpu: container ids", preflight.CPUManagerState, "does not read", func(n *node) {
		n.release = "1.36"
		var err error
		n.files[preflight.CPUManagerState], err = os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", "cpu", "1.13", "v1-static-6ctr.json"))
		if err != nil {
			n.t.Fatal(err)
		}
	}},
	{"cpu: pods are forgotten", preflight.CPUManagerState, "forgets", func(n *node) {
		n.gates["PodLevelResourceManagers"] = true
		n.cpu.PodEntries = map[string]string{"p1": "1,9"}
		n.cpu.DefaultCPUSet = "0,2-6,8,10-14"
		q := n.question()
		n.files[preflight.CPUManagerState] = q.Files[preflight.CPUManagerState]
		n.gates = map[string]bool{}
		n.cpu.PodEntries = nil
	}},
	{"cpu: the configuration fails first", preflight.CPUManagerState, "does not come to read it", func(n *node) { n.config.SystemReserved["cpu"] = "x" }},

	{"memory: starts as it is", preflight.MemoryManagerState, "starts with it as it is", func(*node) {}},
	{"memory: None with pods", preflight.MemoryManagerState, "yet pods hold", func(n *node) { n.memory.PolicyName = "None" }},
	{"memory: policy turned off", preflight.MemoryManagerState, `policy is "None"`, func(n *node) { n.config.MemoryManagerPolicy = "" }},
	{"memory: does not fit", preflight.MemoryManagerState, "less memory than pods hold", func(n *node) { n.sizes("3221225472,8589934592", "512") }},
	{"memory: less than is reserved", preflight.MemoryManagerState, "less memory than", func(n *node) { n.sizes("1073741824,8589934592", "512") }},
	{"memory: held hugepages fewer", preflight.MemoryManagerState, "whose number changed", func(n *node) { n.sizes("8589934592", "256") }},
	{"memory: held hugepages more", preflight.MemoryManagerState, "whose number changed", func(n *node) { n.sizes("8589934592", "1024") }},
	{"memory: node gone", preflight.MemoryManagerState, "more has changed", func(n *node) {
		n.machine = `{"sockets":1,"coresPerNuma":4,"memoryPerNuma":[8589934592],"hugepages":[[{"pageSizeKiB":2048,"numPages":512}]]}`
	}},
	{"memory: node added", preflight.MemoryManagerState, "NUMA node 2 is not in it", func(n *node) {
		n.machine = `{"sockets":3,"coresPerNuma":4,"memoryPerNuma":[8589934592],"hugepages":[[{"pageSizeKiB":2048,"numPages":512}]]}`
	}},
	{"memory: reserved memory moved", preflight.MemoryManagerState, "more has changed", func(n *node) { n.config.ReservedMemory[0].NUMANode = 1 }},
	{"memory: reserved sum changed", preflight.MemoryManagerState, "does not come to read it", func(n *node) { n.config.SystemReserved["memory"] = "2Gi" }},
	{"memory: accounts wrong", preflight.MemoryManagerState, "", func(n *node) { n.memory.MachineState[0].NumberOfAssignments = 1 }},
	{"memory: no machine", preflight.MemoryManagerState, "", func(n *node) { n.memory.MachineState = kubelet.NUMANodes{} }},
	{"memory: unknown node held", preflight.MemoryManagerState, "", func(n *node) { n.memory.Entries["p1"]["a"][0].NUMAAffinity = []int{5} }},
	{"memory: overlapping groups", preflight.MemoryManagerState, "", func(n *node) {
		n.sizes("8589930496,8589934592", "512")
		n.memory.Entries["p2"] = map[string][]kubelet.Block{"b": {{NUMAAffinity: []int{0, 1}, Type: "memory", Size: gib}}}
		n.memory.MachineState[0].NumberOfAssignments, n.memory.MachineState[1].NumberOfAssignments = 3, 1
		n.memory.MachineState[0].Cells, n.memory.MachineState[1].Cells = []int{0, 1}, []int{0, 1}
		m := n.memory.MachineState[0].MemoryMap["memory"]
		m.Reserved, m.Free = 3*gib, 3*gib
	}},
}

func TestAdoptRefuses(t *testing.T) {
	for _, c := range unsafe {
		t.Run(c.name, func(t *testing.T) {
			n := newNode(t)
			var q preflight.Question
			if c.prepare == nil {
				q = n.question()
				q.Files = nil
			} else {
				c.prepare(n)
				q = n.question()
			}
			a, err := preflight.Adopt(q, c.file)
			var no *preflight.NotAdoptedError
			if !errors.As(err, &no) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v, want %q; changes %+v", err, c.why, a.Changes)
			}
		})
	}
	if len(unsafe) < 20 {
		t.Errorf("only %d unsafe starts", len(unsafe))
	}
	q := newNode(t).question()
	if _, err := preflight.Adopt(q, preflight.DRAManagerState); err == nil {
		t.Error("adopts a file that has no place in a machine")
	}
	q.Releases = nil
	if _, err := preflight.Adopt(q, preflight.CPUManagerState); err == nil {
		t.Error("adopts for all releases at once")
	}
}
