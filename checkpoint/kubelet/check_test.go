package kubelet

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// faults returns "code path" of each finding of the checks of kind.
func faults(kind Kind, content any) (out []string) {
	tableOf(kind).check(content, func(f Finding) {
		out = append(out, strings.TrimSuffix(f.Code+" "+f.Path, " "))
	})
	return out
}

func TestCheckCPU(t *testing.T) {
	entries := func(sets ...string) map[string]map[string]string {
		out := map[string]map[string]string{}
		for i, s := range sets {
			out[fmt.Sprintf("pod%d", i)] = map[string]string{"app": s}
		}
		return out
	}
	for name, c := range map[string]struct {
		state CPUState
		want  []string
	}{
		"good":              {CPUState{PolicyName: "static", DefaultCPUSet: "0,3", Entries: entries("1", "2")}, nil},
		"no parse":          {CPUState{DefaultCPUSet: "0", Entries: entries("1-x")}, []string{"cpuset-invalid entries.pod0.app"}},
		"default no parse":  {CPUState{DefaultCPUSet: "0-"}, []string{"cpuset-invalid defaultCpuSet"}},
		"spelling":          {CPUState{DefaultCPUSet: "1,0"}, []string{"cpuset-not-canonical defaultCpuSet"}},
		"in default":        {CPUState{PolicyName: "static", DefaultCPUSet: "0-2", Entries: entries("2")}, []string{"cpu-in-default entries.pod0.app"}},
		"held twice":        {CPUState{DefaultCPUSet: "0", Entries: entries("1-2", "2-3")}, []string{"cpu-held-twice entries.pod1.app"}},
		"nothing left":      {CPUState{PolicyName: "static", Entries: entries("1")}, []string{"default-cpuset-empty defaultCpuSet"}},
		"containers share":  {CPUState{DefaultCPUSet: "0", Entries: map[string]map[string]string{"pod": {"init": "1-2", "app": "1"}}}, nil},
		"pod and container": {CPUState{DefaultCPUSet: "0", Entries: entries("1"), PodEntries: map[string]string{"pod0": "1-3"}}, nil},
		"pod and other pod": {CPUState{DefaultCPUSet: "0", Entries: entries("1"), PodEntries: map[string]string{"other": "1-3"}}, []string{"cpu-held-twice podEntries.other"}},
		"in no set":         {CPUState{PolicyName: "static", DefaultCPUSet: "0-1,8", Entries: entries("3-5")}, []string{"cpu-in-no-set defaultCpuSet"}},
		"strict, unused":    {CPUState{PolicyName: "static", DefaultCPUSet: "1-3"}, []string{"cpu-in-no-set defaultCpuSet"}},
		"a set not read":    {CPUState{PolicyName: "static", DefaultCPUSet: "0,4", Entries: entries("1-x")}, []string{"cpuset-invalid entries.pod0.app"}},
		"nothing given":     {CPUState{PolicyName: "none", DefaultCPUSet: "2-3"}, nil},
		"huge and thin":     {CPUState{PolicyName: "static", DefaultCPUSet: "0,2147483647"}, []string{"cpu-in-no-set defaultCpuSet"}},
		"containers by id":  {CPUState{DefaultCPUSet: "0", Containers: map[string]string{"a": "1", "b": "1"}}, []string{"cpu-held-twice entries.b"}},
	} {
		if got := faults(CPU, &c.state); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestCPUInNoSet: CPUs whose entry is gone are named, and no file that a kubelet
// wrote for a whole machine has any. One that keeps reserved CPUs back does.
func TestCPUInNoSet(t *testing.T) {
	find := func(blob []byte, o Options) *Finding {
		for _, f := range Judge(blob, o).Findings {
			if f.Code == codeInNoSet {
				return &f
			}
		}
		return nil
	}
	for _, g := range goldens(t) {
		if f := find(g.read(t), g.options()); f != nil {
			t.Errorf("%s: %+v", g.File, *f)
		}
	}
	half := []byte(`{"policyName":"static","defaultCpuSet":"0-1,12-15","entries":{"34d71b70-25aa-5fc4-b806-a44c2e0ddc49":{"main":"8-9"},` +
		`"922acc1f-d886-5cc8-b44f-9ca08bae216a":{"app":"2-3","sidecar":"4"}},"checksum":3121613088}`)
	if f := find(half, Options{}); f == nil || f.Severity != SeverityWarning || !strings.Contains(f.Message, "CPUs 5-7,10-11 are") {
		t.Errorf("half of a file: %+v", f)
	}
	strict := []byte(`{"policyName":"static","defaultCpuSet":"1,3-15,17,19-31","checksum":1902567528}`)
	if f := find(strict, Options{}); f == nil || f.Severity != SeverityInfo || !strings.Contains(f.Message, "CPUs 0,2,16,18 are") {
		t.Errorf("reserved CPUs: %+v", f)
	}
}

func TestCheckMemory(t *testing.T) {
	const gi = 1 << 30
	// machine has n nodes with 8 GiB and 1 GiB reserved for the system.
	machine := func(n int, change func(NUMANodes)) NUMANodes {
		nodes := NUMANodes{}
		for i := range n {
			nodes[i] = &NUMANode{Cells: []int{i}, MemoryMap: map[ResourceName]*MemoryTable{
				"memory": {TotalMemSize: 8 * gi, SystemReserved: gi, Allocatable: 7 * gi, Free: 7 * gi},
			}}
		}
		change(nodes)
		return nodes
	}
	taken := func(node *NUMANode, n uint64) {
		node.NumberOfAssignments++
		node.MemoryMap["memory"].Reserved += n
		node.MemoryMap["memory"].Free -= n
	}
	block := func(size uint64, nodes ...int) ContainerMemory {
		return ContainerMemory{"pod": {"app": {{nodes, "memory", size}}}}
	}
	for name, c := range map[string]struct {
		state MemoryState
		want  []string
	}{
		"unused": {MemoryState{MachineState: machine(2, func(NUMANodes) {})}, nil},
		"good":   {MemoryState{MachineState: machine(1, func(m NUMANodes) { taken(m[0], gi) }), Entries: block(gi, 0)}, nil},
		"group": {MemoryState{MachineState: machine(2, func(m NUMANodes) {
			taken(m[0], 3*gi) // another split than in order: only the sum counts
			taken(m[1], 7*gi)
			m[0].Cells, m[1].Cells = []int{0, 1}, []int{0, 1}
		}), Entries: block(10*gi, 0, 1)}, nil},
		"free":     {MemoryState{MachineState: machine(1, func(m NUMANodes) { m[0].MemoryMap["memory"].Free-- })}, []string{"memory-arithmetic machineState.0.memoryMap.memory"}},
		"total":    {MemoryState{MachineState: machine(1, func(m NUMANodes) { m[0].MemoryMap["memory"].TotalMemSize++ })}, []string{"memory-arithmetic machineState.0.memoryMap.memory"}},
		"count":    {MemoryState{MachineState: machine(1, func(m NUMANodes) { m[0].NumberOfAssignments = 1 })}, []string{"machine-state machineState.0.numberOfAssignments"}},
		"cells":    {MemoryState{MachineState: machine(2, func(m NUMANodes) { m[0].Cells = []int{0, 1} })}, []string{"machine-state machineState.0.cells"}},
		"reserved": {MemoryState{MachineState: machine(1, func(m NUMANodes) { taken(m[0], 2*gi) }), Entries: block(gi, 0)}, []string{"machine-state machineState.0.memoryMap.memory.reserved"}},
		"no node":  {MemoryState{MachineState: machine(1, func(NUMANodes) {}), Entries: block(gi, 5)}, []string{"numa-node-unknown entries.pod.app[0]"}},
		"no resource": {MemoryState{MachineState: machine(1, func(NUMANodes) {}),
			Entries: ContainerMemory{"pod": {"app": {{[]int{0}, "hugepages-2Mi", gi}}}}}, []string{"memory-resource-unknown entries.pod.app[0]"}},
		"no machine": {MemoryState{Entries: block(gi, 0)}, []string{"machine-state-empty machineState"}},
		"null table": {MemoryState{MachineState: machine(1, func(m NUMANodes) { m[0].MemoryMap["memory"] = nil })}, []string{"memory-table-null machineState"}},
		"null node":  {MemoryState{MachineState: machine(1, func(m NUMANodes) { m[0] = nil })}, []string{"machine-state machineState.0"}},
		"pod level": {MemoryState{MachineState: machine(1, func(m NUMANodes) { taken(m[0], 2*gi) }), Entries: block(gi, 0),
			PodEntries: PodsMemory{"pod": {[]Block{{[]int{0}, "memory", 2 * gi}}}}}, nil},
		"many nodes":      {MemoryState{MachineState: machine(1, func(NUMANodes) {}), Entries: block(gi, make([]int, 1025)...)}, []string{"numa-node-count entries.pod.app[0]"}},
		"many in machine": {MemoryState{MachineState: machine(1025, func(NUMANodes) {})}, []string{"numa-node-count machineState"}},
	} {
		if got := faults(Memory, &c.state); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCheckDevice(t *testing.T) {
	entry := func(pod string, resp string, ids ...string) DeviceEntry {
		return DeviceEntry{pod, "app", "x.com/gpu", DevicesPerNUMA{0: ids}, []byte(resp)}
	}
	registered := map[string][]string{"x.com/gpu": {"a", "b"}}
	for name, c := range map[string]struct {
		state DeviceState
		want  []string
	}{
		"good":           {DeviceState{[]DeviceEntry{entry("p1", "", "a"), entry("p2", "", "b")}, registered}, nil},
		"twice":          {DeviceState{[]DeviceEntry{entry("p1", "", "a"), entry("p2", "", "a")}, registered}, []string{"device-held-twice Data.PodDeviceEntries[1].DeviceIDs"}},
		"not registered": {DeviceState{[]DeviceEntry{entry("p1", "", "c")}, registered}, []string{"device-not-registered Data.PodDeviceEntries[0].DeviceIDs"}},
		"plugin away":    {DeviceState{[]DeviceEntry{entry("p1", "", "c")}, map[string][]string{"x.com/gpu": {}}}, nil},
		"no protobuf":    {DeviceState{[]DeviceEntry{entry("p1", "\xff", "a")}, registered}, []string{"allocresp-invalid Data.PodDeviceEntries[0].AllocResp"}},
		"no utf-8":       {DeviceState{[]DeviceEntry{entry("p1", "\x2a\x03\x0a\x01\xff", "a")}, registered}, []string{"allocresp-invalid Data.PodDeviceEntries[0].AllocResp"}},
	} {
		if got := faults(Device, &c.state); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCheckClaims(t *testing.T) {
	pods := NameSet{"p": {}}
	claims := []Claim{{ClaimUID: "1", PodUIDs: pods}, {ClaimUID: "2"}, {ClaimUID: "1", PodUIDs: pods}}
	want := []string{"claim-without-pods ClaimInfoStateList[1]", "claim-twice ClaimInfoStateList[2]"}
	if got := faults(DRA, &DRAState{ClaimInfoStateList: claims}); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestManyFindings: what a huge or hostile file can provoke stays readable.
func TestManyFindings(t *testing.T) {
	st := &DeviceState{RegisteredDevices: map[string][]string{"x": {"known"}}}
	for i := range 1000 {
		st.PodDeviceEntries = append(st.PodDeviceEntries, DeviceEntry{"p", "c", "x", DevicesPerNUMA{0: {fmt.Sprint(i)}}, nil})
	}
	blob, err := deviceV2Format.encode(st, "1.37")
	if err != nil {
		t.Fatal(err)
	}
	v := Judge(blob, Options{Kind: Device})
	if n := len(v.Findings); n > 30 || v.Findings[n-1].Code != codeMore || !strings.HasPrefix(v.Findings[n-1].Message, "980 more") {
		t.Errorf("%d findings, the last %+v", n, v.Findings[n-1])
	}
}
