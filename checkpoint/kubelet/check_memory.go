package kubelet

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const (
	codeNullTable    = "memory-table-null"
	codeArithmetic   = "memory-arithmetic"
	codeNoNode       = "numa-node-unknown"
	codeNoResource   = "memory-resource-unknown"
	codeMachineState = "machine-state"
	codeNoMachine    = "machine-state-empty"
	codeManyNodes    = "numa-node-count"
)

// maxNodes is the number of NUMA nodes that Linux can be built for. The
// comparison of groups is not linear in it.
const maxNodes = 1024

// notRestored is what a kubelet with a memory policy says of such a file.
const notRestored = "a kubelet with a memory manager policy does not start on this; drain the node, keep a copy of the file and delete it: what pods hold by it is forgotten"

// checkMemory looks at the sums of each table, and compares the machine state
// with the one that the assignments lead to.
func checkMemory(content any, add func(Finding)) {
	st := content.(*MemoryState)
	if len(st.MachineState) == 0 {
		if len(st.Entries) > 0 {
			add(Finding{codeNoMachine, SeverityError, "machineState", "memory is assigned, but there are no NUMA nodes", notRestored})
		}
		return
	}
	if st.MachineState.hasNullTable() {
		add(Finding{codeNullTable, SeverityError, "machineState", "a memory table is null", "every kubelet crashes when it restores this; " + notRestored})
		return
	}
	for _, id := range slices.Sorted(maps.Keys(st.MachineState)) {
		if node := st.MachineState[id]; node != nil {
			checkNode(fmt.Sprintf("machineState.%d", id), node, add)
		}
	}
	if len(st.MachineState) > maxNodes {
		add(Finding{codeManyNodes, SeverityError, "machineState",
			fmt.Sprintf("there are %d NUMA nodes, but Linux has %d at most", len(st.MachineState), maxNodes), "no kubelet wrote this"})
		return
	}
	checkAssignments(st, add)
}

// checkNode checks the sums within a node's tables. They are taken modulo
// 2^64, as the kubelet takes them.
func checkNode(path string, node *NUMANode, add func(Finding)) {
	var huge uint64
	for name, t := range node.MemoryMap {
		if strings.HasPrefix(string(name), "hugepages-") {
			huge += t.TotalMemSize
		}
	}
	for _, name := range slices.Sorted(maps.Keys(node.MemoryMap)) {
		t := node.MemoryMap[name]
		at := path + ".memoryMap." + string(name)
		if t.Free+t.Reserved != t.Allocatable {
			add(Finding{codeArithmetic, SeverityError, at,
				fmt.Sprintf("free %d + reserved %d is not allocatable %d", t.Free, t.Reserved, t.Allocatable), notRestored})
		}
		parts, words := t.Allocatable+t.SystemReserved, ""
		if name == "memory" {
			parts, words = parts+huge, fmt.Sprintf(" + huge pages %d", huge)
		}
		if parts != t.TotalMemSize {
			add(Finding{codeArithmetic, SeverityError, at,
				fmt.Sprintf("allocatable %d + systemReserved %d%s is not total %d", t.Allocatable, t.SystemReserved, words, t.TotalMemSize), notRestored})
		}
	}
}

// checkAssignments takes all blocks from a machine on which nothing is taken,
// as the static policy does at its start, and compares.
func checkAssignments(st *MemoryState, add func(Finding)) {
	fresh := make(NUMANodes, len(st.MachineState))
	for id, node := range st.MachineState {
		if node == nil {
			add(Finding{codeMachineState, SeverityError, fmt.Sprintf("machineState.%d", id), "the NUMA node is null", notRestored})
			return
		}
		empty := &NUMANode{MemoryMap: make(map[ResourceName]*MemoryTable, len(node.MemoryMap)), Cells: []int{id}}
		for name, t := range node.MemoryMap {
			c := *t
			c.Free, c.Reserved = c.Allocatable, 0
			empty.MemoryMap[name] = &c
		}
		fresh[id] = empty
	}
	whole := true
	for _, pod := range slices.Sorted(maps.Keys(st.Entries)) {
		if held := st.PodEntries[pod].MemoryBlocks; len(held) > 0 {
			whole = take(fresh, held, join("podEntries", pod), add) && whole
			continue // the containers' blocks are parts of the pod's
		}
		for _, name := range slices.Sorted(maps.Keys(st.Entries[pod])) {
			whole = take(fresh, st.Entries[pod][name], join(join("entries", pod), name), add) && whole
		}
	}
	if whole {
		compareNodes(st.MachineState, fresh, add)
	}
}

// take assigns blocks, each from the nodes of its affinity in turn.
func take(nodes NUMANodes, blocks []Block, path string, add func(Finding)) bool {
	for i, b := range blocks {
		at := fmt.Sprintf("%s[%d]", path, i)
		if len(b.NUMAAffinity) > maxNodes {
			add(Finding{codeManyNodes, SeverityError, at,
				fmt.Sprintf("the block lies on %d NUMA nodes, but Linux has %d at most", len(b.NUMAAffinity), maxNodes), "no kubelet wrote this"})
			return false
		}
		want := b.Size
		for _, id := range b.NUMAAffinity {
			node := nodes[id]
			if node == nil {
				add(Finding{codeNoNode, SeverityError, at, fmt.Sprintf("the block lies on NUMA node %d, which does not exist", id), notRestored})
				return false
			}
			node.NumberOfAssignments++
			node.Cells = b.NUMAAffinity
			t := node.MemoryMap[b.Type]
			if t == nil {
				add(Finding{codeNoResource, SeverityError, at, fmt.Sprintf("NUMA node %d has no %q", id, b.Type), notRestored})
				return false
			}
			n := min(want, t.Free)
			t.Reserved += n
			t.Free -= n
			want -= n
		}
	}
	return true
}

// compareNodes compares what the file says with what the blocks lead to. Within
// a group of nodes the kubelet itself compares only sums since 1.32, because
// which node of the group gave how much depends on the order of the pods.
func compareNodes(got, want NUMANodes, add func(Finding)) {
	differs := func(path, what string, got, want any) {
		add(Finding{codeMachineState, SeverityError, path,
			fmt.Sprintf("%s is %v, but the blocks of all pods give %v", what, got, want), notRestored})
	}
	seen := map[int]bool{}
	for _, id := range slices.Sorted(maps.Keys(got)) {
		g, w := got[id], want[id]
		path := fmt.Sprintf("machineState.%d", id)
		if g.NumberOfAssignments != w.NumberOfAssignments {
			differs(path+".numberOfAssignments", "the number of assignments", g.NumberOfAssignments, w.NumberOfAssignments)
		}
		group := slices.Sorted(slices.Values(w.Cells))
		if !slices.Equal(slices.Sorted(slices.Values(g.Cells)), group) {
			differs(path+".cells", "the group of NUMA nodes", g.Cells, w.Cells)
			continue
		}
		if seen[id] {
			continue
		}
		for _, member := range group {
			seen[member] = true
		}
		for _, name := range slices.Sorted(maps.Keys(g.MemoryMap)) {
			gotReserved, wantReserved := groupReserved(got, group, name), groupReserved(want, group, name)
			if gotReserved != wantReserved {
				differs(path+".memoryMap."+string(name)+".reserved", fmt.Sprintf("reserved %s of NUMA nodes %v", name, group), gotReserved, wantReserved)
			}
		}
	}
}

func groupReserved(nodes NUMANodes, group []int, name ResourceName) (sum uint64) {
	for _, id := range group {
		if node := nodes[id]; node != nil && node.MemoryMap[name] != nil {
			sum += node.MemoryMap[name].Reserved
		}
	}
	return sum
}
