package preflight

import (
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// sumsGroups are the releases that compare what is free and reserved as sums
// over a group of nodes. Before, each node had to agree.
var sumsGroups = kubelet.Span{From: "1.32"}

const (
	textDifferent = "[memorymanager] the expected machine state is different from the real one"
	textNil       = "panic: runtime error: invalid memory address or nil pointer dereference"
)

// maxDifferences bounds the differences that are told one by one.
const maxDifferences = 64

// verdict is how the comparison may end.
type verdict struct {
	faults []Step
	equal  bool // it may find no difference
}

// compare compares the state of a file with all that the booking may lead to,
// as areMachineStatesEqual does. It stops at the first difference, and walks
// maps; so of the places where it could stop any may be the first.
func (b *booked) compare(file kubelet.NUMANodes, sums bool) verdict {
	if len(file) != len(b.ids) {
		return verdict{faults: []Step{{Error: textDifferent, Path: "machineState", File: nodeIDs(sortedKeys(file)), Machine: nodeIDs(b.ids)}}}
	}
	v := verdict{equal: true}
	for _, id := range sortedKeys(file) {
		if _, exists := b.index[id]; !exists {
			v.equal = false
			v.faults = append(v.faults, Step{Error: textDifferent, Path: nodePath(id), File: "a NUMA node", Machine: nodeIDs(b.ids)})
		}
	}
	roundEqual := make([]bool, b.rounds) // so far, if it may
	for r := range roundEqual {
		roundEqual[r] = v.equal
	}
	for i := range b.parts {
		p := &b.parts[i]
		var faults []Step
		judged := map[string]bool{} // outcome → equal
		for r, ends := range p.ends {
			mayEqual := false
			for _, end := range ends {
				key := end.key()
				equal, known := judged[key]
				if !known {
					c := comparison{booked: b, part: p, end: end, file: file, sums: sums}
					for j := range p.nodes {
						c.node(j)
					}
					equal = len(c.faults) == 0
					judged[key] = equal
					faults = merge(faults, c.faults)
				}
				mayEqual = mayEqual || equal
			}
			roundEqual[r] = roundEqual[r] && mayEqual
		}
		v.faults = append(v.faults, faults...)
	}
	v.equal = slices.Contains(roundEqual, true)
	v.faults = capped(v.faults)
	return v
}

// merge adds the differences of another outcome. Those of one are enough to
// tell, but another may end in another way.
func merge(faults, more []Step) []Step {
	if len(faults) == 0 {
		return more
	}
	for _, f := range more {
		if !slices.ContainsFunc(faults, func(g Step) bool { return g.Error == f.Error }) {
			faults = append(faults, f)
		}
	}
	return faults
}

// capped keeps the first faults, and the first of each text.
func capped(faults []Step) []Step {
	seen := map[string]bool{}
	n := 0
	return slices.DeleteFunc(faults, func(f Step) bool {
		again := seen[f.Error]
		seen[f.Error] = true
		n++
		return again && n > maxDifferences
	})
}

// comparison is of one outcome.
type comparison struct {
	*booked
	part   *part
	end    nodesState
	file   kubelet.NUMANodes
	sums   bool
	faults []Step
}

func (c *comparison) differ(path string, file, machine any) {
	c.faults = append(c.faults, Step{Error: textDifferent, Path: path, File: fmt.Sprint(file), Machine: fmt.Sprint(machine)})
}

func (c *comparison) crash(path string) {
	c.faults = append(c.faults, Step{Error: textNil, Path: path})
}

// node compares a node in the order of the kubelet's checks.
func (c *comparison) node(j int) {
	n := c.part.nodes[j]
	id := c.ids[n]
	path := nodePath(id)
	node, listed := c.file[id]
	switch group := c.group(j); {
	case !listed:
		return
	case node == nil:
		c.crash(path)
	case node.NumberOfAssignments != c.count[n]:
		c.differ(path+".numberOfAssignments", node.NumberOfAssignments, c.count[n])
	case !slices.Equal(slices.Sorted(slices.Values(node.Cells)), group):
		c.differ(path+".cells", nodeIDs(node.Cells), nodeIDs(group))
	case len(node.MemoryMap) != len(c.fresh[id].MemoryMap):
		c.differ(path+".memoryMap", joinedNames(node.MemoryMap), joinedNames(c.fresh[id].MemoryMap))
	default:
		for _, name := range sortedKeys(node.MemoryMap) {
			c.table(path, j, node, name)
		}
	}
}

// group is the set of nodes that a node is in, ascending.
func (c *comparison) group(j int) []int {
	if g := c.end.group[j]; g >= 0 {
		return c.groups[int(g)]
	}
	return []int{c.ids[c.part.nodes[j]]}
}

// table compares one kind of memory of one node.
func (c *comparison) table(path string, j int, node *kubelet.NUMANode, name kubelet.ResourceName) {
	path += ".memoryMap." + string(name)
	id := c.ids[c.part.nodes[j]]
	got, want := node.MemoryMap[name], c.fresh[id].MemoryMap[name]
	switch {
	case want == nil:
		c.differ(path, "listed", joinedNames(c.fresh[id].MemoryMap))
		return
	case got == nil:
		c.crash(path)
		return
	}
	before := len(c.faults)
	number := func(field string, got, want uint64) {
		if got != want {
			c.differ(path+"."+field, got, want)
		}
	}
	number("total", got.TotalMemSize, want.TotalMemSize)
	number("systemReserved", got.SystemReserved, want.SystemReserved)
	number("allocatable", got.Allocatable, want.Allocatable)
	if !c.sums {
		free := c.end.free[j*len(c.kinds)+c.kindOf[name]]
		number("free", got.Free, free)
		number("reserved", got.Reserved, want.Free-free)
		return
	}
	if len(c.faults) > before {
		return // a kubelet does not come to the sums
	}
	var gotFree, gotReserved, wantFree, wantReserved uint64
	for _, id := range node.Cells {
		n, exists := c.index[id]
		other := c.file[id]
		if !exists || other == nil || other.MemoryMap[name] == nil || c.fresh[id].MemoryMap[name] == nil {
			c.crash(fmt.Sprintf("%s.memoryMap.%s", nodePath(id), name))
			return
		}
		free := c.end.free[c.local[n]*len(c.kinds)+c.kindOf[name]]
		gotFree += other.MemoryMap[name].Free
		gotReserved += other.MemoryMap[name].Reserved
		wantFree += free
		wantReserved += c.fresh[id].MemoryMap[name].Free - free
	}
	number("free", gotFree, wantFree)
	number("reserved", gotReserved, wantReserved)
}

func nodePath(id int) string { return fmt.Sprintf("machineState.%d", id) }

func nodeIDs(ids []int) string { return joined(texts(ids)) }

func texts(ids []int) (out []string) {
	for _, id := range ids {
		out = append(out, fmt.Sprint(id))
	}
	return out
}

func joinedNames(tables map[kubelet.ResourceName]*kubelet.MemoryTable) string {
	var names []string
	for _, name := range sortedKeys(tables) {
		names = append(names, string(name))
	}
	return joined(names)
}
