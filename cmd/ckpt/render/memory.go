package render

import (
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

const (
	maxNodes  = 8 // NUMA nodes that a page draws
	maxTables = 8 // resources of one node
)

// memory draws a memory_manager_state.
func (p *page) memory(s *kubelet.MemoryState) {
	p.heading("Memory", "")
	if len(s.MachineState) == 0 && len(s.Entries) == 0 && len(s.PodEntries) == 0 {
		p.para(2, plain, "The file holds no NUMA nodes and no memory: no container has memory of its own.")
		return
	}
	if len(s.MachineState) > 0 {
		p.line(say("  "), sayAs(faint, "= system   ~ set aside for hugepages   # reserved for containers   . free"))
	}
	nodes, rest := chooseNodes(s.MachineState)
	for _, id := range nodes {
		p.node(id, s.MachineState[id])
	}
	if rest > 0 {
		p.blank()
		p.more(2, rest, "NUMA node with nothing held", "NUMA nodes with nothing held")
	}
	p.blocks(s)
}

// chooseNodes returns the nodes to draw. If they are too many, those where
// something is held come first.
func chooseNodes(all kubelet.NUMANodes) (ids []int, rest int) {
	ids = sortedKeys(all)
	if len(ids) <= maxNodes {
		return ids, 0
	}
	var busy []int
	for _, id := range ids {
		if n := all[id]; n != nil && n.NumberOfAssignments > 0 {
			busy = append(busy, id)
		}
	}
	if len(busy) == 0 {
		busy = ids
	}
	busy, _ = atMost(busy, maxNodes)
	return busy, len(ids) - len(busy)
}

// node draws one NUMA node: a bar for each resource, and its numbers.
func (p *page) node(id int, n *kubelet.NUMANode) {
	p.blank()
	name := textf("NUMA node %d", id)
	if n == nil {
		p.line(say("  "), say(name), sayAs(faint, "  null in the file"))
		return
	}
	note := "  " + plural(n.NumberOfAssignments, "assignment", "assignments") + group(id, n.Cells)
	p.line(say("  "), say(name), sayAs(faint, note))
	if len(n.MemoryMap) == 0 {
		p.line(say("    "), sayAs(faint, "no memory listed"))
	}
	resources, rest := atMost(memoryFirst(n.MemoryMap), maxTables)
	for i, r := range resources {
		p.memoryTable(clean(string(r)), n.MemoryMap[r], i == 0)
	}
	p.more(4, rest, "resource", "resources")
}

// group names the nodes that give memory together with this one.
func group(id int, cells []int) text {
	var others []text
	for _, c := range cells {
		if c != id {
			others = append(others, textf("node %d", c))
		}
	}
	if len(others) == 0 {
		return ""
	}
	shown, rest := atMost(others, 16)
	if rest > 0 {
		shown = append(shown, number(rest)+" more")
	}
	return ", in a group with " + enumerate(shown)
}

// memoryFirst puts ordinary memory before hugepages.
func memoryFirst(tables map[kubelet.ResourceName]*kubelet.MemoryTable) []kubelet.ResourceName {
	names := sortedKeys(tables)
	if i := slices.Index(names, "memory"); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, "memory")
	}
	return names
}
