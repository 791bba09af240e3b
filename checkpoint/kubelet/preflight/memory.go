package preflight

import (
	"fmt"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// knowsBestEffort are the releases that know the policy of Windows by name.
var knowsBestEffort = kubelet.Span{From: "1.32"}

// newMemoryManager is NewManager in pkg/kubelet/cm/memorymanager.
func (s *start) newMemoryManager() {
	defer s.passed(StageMemoryNew)
	switch policy := s.q.Config.memoryPolicy(); {
	case policy == memoryNone:
	case policy == memoryStatic:
		s.checkReservedMemory()
	case policy == memoryBestEffort && knowsBestEffort.Has(s.release):
		s.fail(StageMemoryNew, Step{Path: "memoryManagerPolicy", File: policy, Error: `policy "BestEffort" is not available for platform "linux"`})
	default:
		text := fmt.Sprintf("unknown policy: %q", policy)
		if !knowsBestEffort.Has(s.release) {
			text = fmt.Sprintf("unknown policy: \"%s\"", policy) // which escapes nothing
		}
		s.fail(StageMemoryNew, Step{Path: "memoryManagerPolicy", File: policy, Error: text})
	}
}

// checkReservedMemory compares reservedMemory with the reservation. Where they
// differ, the file is judged by what reservedMemory says.
func (s *start) checkReservedMemory() {
	nodes := map[int]bool{}
	for _, n := range s.q.Machine.Nodes {
		nodes[n.ID] = true
	}
	totals := map[string]*quantity.Quantity{}
	for i, r := range s.q.Config.ReservedMemory {
		if !nodes[int(r.NUMANode)] {
			s.fail(StageMemoryNew, Step{Path: fmt.Sprintf("reservedMemory[%d].numaNode", i), File: fmt.Sprint(r.NUMANode), Machine: fmt.Sprintf("%d NUMA nodes", len(nodes)),
				Error: fmt.Sprintf("the reserved memory configuration references a NUMA node %d that does not exist on this machine", r.NUMANode)})
			return
		}
		for name, text := range r.Limits {
			q, err := quantity.Parse(text)
			if err != nil {
				s.undecided(StageMemoryNew, fmt.Sprintf("reservedMemory[%d].limits.%s: %v", i, name, err))
				return
			}
			before := totals[name]
			totals[name] = nil
			sum := totals[name]
			if !addTo(&sum, q) || before != nil && !addTo(&sum, *before) {
				s.undecided(StageMemoryNew, fmt.Sprintf("reservedMemory[%d].limits.%s: %v", i, name, quantity.ErrTooLarge))
				return
			}
			totals[name] = sum
		}
	}
	if !s.memoryKnown {
		s.notReached(StageMemoryNew)
		delete(totals, resourceMemory)
	} else if s.resources.memory != nil && totals[resourceMemory] == nil {
		totals[resourceMemory] = nil // is compared all the same
	}
	var faults []Step
	for _, name := range sortedKeys(totals) {
		var want quantity.Quantity
		if name == resourceMemory && s.resources.memory != nil {
			want = *s.resources.memory
		} else if name == resourceCPU && s.resources.cpu != nil {
			want = *s.resources.cpu
		}
		var total quantity.Quantity
		if totals[name] != nil {
			total = *totals[name]
		}
		if !total.Equal(want) {
			faults = append(faults, Step{Path: "reservedMemory", File: total.String(), Machine: want.String(),
				Error: fmt.Sprintf("the total amount %q of type %q is not equal to the value %q determined by Node Allocatable feature", total, name, want)})
		}
	}
	s.failOneOf(StageMemoryNew, faults, false)
	reserved, fault := s.convertReserved()
	if fault == nil {
		s.systemReserved = reserved
	} else if len(faults) == 0 {
		s.fail(StageMemoryNew, *fault)
	}
}

// convertReserved returns how much of each node is reserved, in bytes.
func (s *start) convertReserved() (map[int]map[string]uint64, *Step) {
	reserved := map[int]map[string]uint64{}
	var memory uint64
	for i, r := range s.q.Config.ReservedMemory {
		for _, name := range sortedKeys(r.Limits) {
			q, _ := quantity.Parse(r.Limits[name])
			n, ok := q.Plain()
			if !ok {
				return nil, &Step{Path: fmt.Sprintf("reservedMemory[%d].limits.%s", i, name), File: r.Limits[name],
					Error: "could not covert a variable of type Quantity to int64"}
			}
			node := int(r.NUMANode)
			if reserved[node] == nil {
				reserved[node] = map[string]uint64{}
			}
			reserved[node][name] = uint64(n)
		}
	}
	for _, amounts := range reserved {
		memory += amounts[resourceMemory]
	}
	if memory == 0 {
		return nil, &Step{Path: "reservedMemory", Error: "[memorymanager] you should specify the system reserved memory"}
	}
	return reserved, nil
}

// freshNodes is the machine before anything is taken from it. Sums wrap around,
// as a kubelet's do: a reservation beyond its node is not refused.
func (sh *shared) freshNodes(reserved map[int]map[string]uint64) kubelet.NUMANodes {
	nodes := kubelet.NUMANodes{}
	for _, n := range sh.q.Machine.Nodes {
		tables := map[kubelet.ResourceName]*kubelet.MemoryTable{}
		var huge uint64
		for _, h := range n.Hugepages {
			size := int64(h.PageSizeKiB) * 1024
			name := hugepages + quantity.New(size, false, quantity.BinarySI).String()
			t := table(h.NumPages*h.PageSizeKiB*1024, reserved[n.ID][name], 0)
			tables[kubelet.ResourceName(name)] = t
			huge += t.TotalMemSize
		}
		tables[resourceMemory] = table(n.Memory, reserved[n.ID][resourceMemory], huge)
		nodes[n.ID] = &kubelet.NUMANode{MemoryMap: tables, Cells: []int{n.ID}}
	}
	return nodes
}

func table(total, reserved, huge uint64) *kubelet.MemoryTable {
	left := total - reserved - huge
	return &kubelet.MemoryTable{TotalMemSize: total, SystemReserved: reserved, Allocatable: left, Free: left}
}

// startMemoryManager restores the file and makes the policy's check of it.
func (s *start) startMemoryManager() {
	defer s.passed(StageMemoryStart)
	policy := s.q.Config.memoryPolicy()
	if policy != memoryNone && policy != memoryStatic {
		s.notReached(StageMemoryStart)
		return
	}
	came := s.came(StageMemoryNew)
	fresh := &kubelet.MemoryState{PolicyName: policy, MachineState: kubelet.NUMANodes{}, Entries: kubelet.ContainerMemory{}}
	st, _ := s.restoreFile(StageMemoryStart, MemoryManagerState, policy, fresh).(*kubelet.MemoryState)
	switch {
	case st == nil:
		return
	case policy == memoryNone:
		s.answer.Memory = st
		s.answer.AllocatableMemory = []kubelet.Block{}
		return
	case s.systemReserved == nil:
		s.notReached(StageMemoryStart)
		return
	}
	if len(st.MachineState) == 0 {
		if len(st.Entries) > 0 {
			s.fail(StageMemoryStart, Step{Path: "machineState", Error: "[memorymanager] machine state can not be empty when it has memory assignments"})
			return
		}
		filled := *st
		filled.MachineState = s.freshNodes(s.systemReserved)
		st = &filled
		s.answer.MemoryWritten = came
	} else if !s.checkMemoryState(st) {
		return
	}
	if !came {
		return
	}
	s.answer.Memory = st
	s.answer.AllocatableMemory = allocatable(st.MachineState)
}

// checkMemoryState books what the file says has been taken, and compares. It
// reports whether the kubelet may accept the state.
func (s *start) checkMemoryState(st *kubelet.MemoryState) bool {
	b := s.book(st, s.on(gatePodManagers))
	if len(b.faults) > 0 {
		s.failOneOf(StageMemoryStart, b.faults, false)
		return false
	}
	verdict := b.compare(st.MachineState, sumsGroups.Has(s.release))
	if b.cut {
		s.step(StageMemoryStart, Step{OK: true, Warning: "the kubelet books containers in random order, and only some of the orders are judged here"})
	}
	s.failOneOf(StageMemoryStart, verdict.faults, verdict.equal)
	return verdict.equal
}

func allocatable(nodes kubelet.NUMANodes) []kubelet.Block {
	out := []kubelet.Block{}
	for _, id := range sortedKeys(nodes) {
		for _, name := range sortedKeys(nodes[id].MemoryMap) {
			if t := nodes[id].MemoryMap[name]; t != nil && t.Allocatable != 0 {
				out = append(out, kubelet.Block{NUMAAffinity: []int{id}, Type: name, Size: t.Allocatable})
			}
		}
	}
	return out
}
