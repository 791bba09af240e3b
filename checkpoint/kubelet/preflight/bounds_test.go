package preflight_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// largest is a machine of 8192 CPUs on 1024 nodes.
func largest() preflight.Machine {
	m := preflight.Machine{Sockets: 128, CPUs: 8192, MemoryCapacity: 1024 << 32}
	for n := range 1024 {
		node := preflight.Node{ID: n, Memory: 1 << 32, Hugepages: []preflight.Hugepages{{PageSizeKiB: 2048, NumPages: 512}}}
		for c := range 4 {
			first := n*8 + c*2
			node.Cores = append(node.Cores, preflight.Core{ID: c, Socket: n / 8, Threads: []int{first, first + 1}, Uncore: n})
		}
		m.Nodes = append(m.Nodes, node)
	}
	return m
}

func static(options map[string]string, reserved string) preflight.Config {
	return preflight.Config{CPUManagerPolicy: "static", CPUManagerPolicyOptions: options, SystemReserved: map[string]string{"cpu": reserved}}
}

// TestLargestMachine judges it with every way of choosing CPUs: what is slower
// than the size of the machine would not end here.
func TestLargestMachine(t *testing.T) {
	for _, c := range []struct {
		options, reserved, want string
	}{
		{"", "8", "0-7"},
		{"", "4097", "0-4096"},
		{"distribute-cpus-across-cores", "65", "0-64"},
		{"prefer-align-cpus-by-uncorecache", "13", "0-12"},
		{"distribute-cpus-across-numa", "4", "0-3"},
		{"distribute-cpus-across-numa", "4000", ""}, // nobody can weigh these
	} {
		config := static(nil, c.reserved)
		if c.options != "" {
			config.CPUManagerPolicyOptions = map[string]string{c.options: "true"}
		}
		answers, err := preflight.Start(preflight.Question{Machine: largest(), Config: config, Only: kubelet.CPU, Releases: []string{"1.37"},
			Gates: map[string]bool{"CPUManagerPolicyAlphaOptions": true}})
		if err != nil {
			t.Fatal(err)
		}
		if got := answers[0]; got.ReservedCPUs != c.want || (c.want == "") != (got.Undecided != "") {
			t.Errorf("%s of %s: %q, want %q; %q %q", c.reserved, c.options, got.ReservedCPUs, c.want, got.Undecided, got.Error)
		}
	}
}

func TestLargerMachines(t *testing.T) {
	nodes := preflight.Machine{Nodes: make([]preflight.Node, 1025)}
	cpus := preflight.Machine{Nodes: []preflight.Node{{Cores: make([]preflight.Core, 8193)}}}
	pages := preflight.Machine{Nodes: []preflight.Node{{Hugepages: make([]preflight.Hugepages, 1<<20)}}}
	for want, q := range map[string]preflight.Question{
		"1025 NUMA nodes":            {Machine: nodes},
		"8193 CPUs":                  {Machine: cpus},
		"20000 CPUs":                 {Machine: preflight.Machine{CPUs: 20000}},
		"1048576 sizes of hugepages": {Machine: pages},
		`kubelet "1.13"`:             {Releases: []string{"1.13"}},
		`no manager "device"`:        {Only: kubelet.Device},
	} {
		if _, err := preflight.Start(q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestManyOrders has more orders of booking than can be walked.
func TestManyOrders(t *testing.T) {
	m := preflight.Machine{MemoryCapacity: 8 << 30}
	for n := range 8 {
		m.Nodes = append(m.Nodes, preflight.Node{ID: n, Memory: 1 << 30})
	}
	state := kubelet.MemoryState{PolicyName: "Static", MachineState: kubelet.NUMANodes{}, Entries: kubelet.ContainerMemory{}}
	for n := range 8 {
		state.MachineState[n] = &kubelet.NUMANode{Cells: []int{n}, MemoryMap: map[kubelet.ResourceName]*kubelet.MemoryTable{"memory": {TotalMemSize: 1 << 30}}}
	}
	for p := range 64 {
		state.Entries[fmt.Sprint("p", p)] = map[string][]kubelet.Block{"c": {{NUMAAffinity: []int{p % 8, (p*3 + 1) % 8}, Type: "memory", Size: uint64(1+p) << 20}}}
	}
	config := preflight.Config{MemoryManagerPolicy: "Static", EvictionHard: map[string]string{}, SystemReserved: map[string]string{"memory": "1Mi"},
		ReservedMemory: []preflight.MemoryReservation{{Limits: map[string]string{"memory": "1Mi"}}}}
	answers, err := preflight.Start(preflight.Question{Machine: m, Config: config, Only: kubelet.Memory, Files: preflight.Files{preflight.MemoryManagerState: memoryFile(t, &state)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		warned := false
		for _, s := range a.Steps {
			warned = warned || strings.Contains(s.Warning, "random order")
		}
		if a.Starts || !warned {
			t.Errorf("%s: starts %t, warned of orders %t: %s", a.Release, a.Starts, warned, a.Error)
		}
	}
}

// memoryFile is a state as kubelet 1.37 writes it.
func memoryFile(t testing.TB, state *kubelet.MemoryState) []byte {
	t.Helper()
	blob, err := kubelet.Encode(state, "1.37", nil)
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

// TestNeverEnds: five nodes of three cores with three, two and two threads make
// kubelet 1.37 hand out the rest of 28 CPUs for ever.
func TestNeverEnds(t *testing.T) {
	m := preflight.Machine{Sockets: 1, CPUs: 35, MemoryCapacity: 1 << 30}
	for n := range 5 {
		first := n * 7
		m.Nodes = append(m.Nodes, preflight.Node{ID: n, Cores: []preflight.Core{
			{ID: 0, Threads: []int{first, first + 1, first + 2}}, {ID: 1, Threads: []int{first + 3, first + 4}}, {ID: 2, Threads: []int{first + 5, first + 6}}}})
	}
	a := startOne(t, preflight.Question{Releases: []string{"1.37"}, Machine: m, Only: kubelet.CPU,
		Config: static(map[string]string{"full-pcpus-only": "true", "distribute-cpus-across-numa": "true"}, "28")})
	if a.Starts || !strings.Contains(a.Undecided, "never ends") || a.Stage != preflight.StageCPUNew {
		t.Errorf("%s: %q %q", a.Stage, a.Undecided, a.Error)
	}
}
