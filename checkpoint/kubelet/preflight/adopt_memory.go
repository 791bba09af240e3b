package preflight

import (
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

func (a *adopter) adoptMemory(old *kubelet.MemoryState) (change string, content any, err error) {
	if err := a.onlyIn(StageMemoryStart); err != nil {
		return "", nil, err
	}
	c := &a.q.Config
	switch {
	case c.memoryPolicy() != memoryStatic:
		return "", nil, a.refuse("the configured policy is %q, and only for the policy Static a file is adopted", c.memoryPolicy())
	case old.PolicyName == memoryNone:
		if len(old.Entries)+len(old.PodEntries) > 0 {
			return "", nil, a.refuse("it was written by the policy None, and yet pods hold memory in it")
		}
		content, err = a.turnedOn()
		return AdoptPolicy, content, err
	case old.PolicyName != memoryStatic:
		return "", nil, a.refuse("it was written by the policy %q", old.PolicyName)
	case len(old.MachineState) == 0:
		return "", nil, a.refuse("it says nothing of the machine that it was written on")
	}
	if err := a.onlyTotals(old); err != nil {
		return "", nil, err
	}
	booked, err := a.bookAgain(old)
	return AdoptMemory, booked, err
}

// onlyTotals proves that nothing but totals has changed: on a machine with the
// totals of the file, this kubelet starts with it.
func (a *adopter) onlyTotals(old *kubelet.MemoryState) error {
	q := a.q
	q.Machine.Nodes = nil
	for _, n := range a.q.Machine.Nodes {
		was := old.MachineState[n.ID]
		if was == nil {
			return a.refuse("NUMA node %d is not in it", n.ID)
		}
		before := Node{ID: n.ID, Cores: n.Cores, Distances: n.Distances}
		for _, name := range sortedKeys(was.MemoryMap) {
			t := was.MemoryMap[name]
			if t == nil {
				return a.refuse("NUMA node %d has no numbers for %s in it", n.ID, name)
			}
			if name == resourceMemory {
				before.Memory = t.TotalMemSize
				continue
			}
			size, ok := pageSize(string(name))
			if !ok || t.TotalMemSize%size != 0 {
				return a.refuse("%s of NUMA node %d are no whole pages in it", name, n.ID)
			}
			before.Hugepages = append(before.Hugepages, Hugepages{PageSizeKiB: size / 1024, NumPages: t.TotalMemSize / size})
			if now := a.pages(n, size/1024); now*size != t.TotalMemSize && heldOf(old, n.ID, name) {
				return a.refuse("pods hold %s of NUMA node %d, whose number changed", name, n.ID)
			}
		}
		q.Machine.Nodes = append(q.Machine.Nodes, before)
	}
	answer, err := a.start(q)
	if err != nil {
		return err
	}
	if fault := a.fault(answer); fault != "" {
		return a.refuse("more has changed than the amounts of memory: with those of the file kubelet %s says: %s", a.release, fault)
	}
	return nil
}

func (a *adopter) pages(n Node, sizeKiB uint64) uint64 {
	for _, h := range n.Hugepages {
		if h.PageSizeKiB == sizeKiB {
			return h.NumPages
		}
	}
	return 0
}

// pageSize is the size in hugepages-2Mi, in bytes.
func pageSize(name string) (uint64, bool) {
	text, huge := strings.CutPrefix(name, hugepages)
	q, err := quantity.Parse(text)
	if !huge || err != nil {
		return 0, false
	}
	n, ok := q.Int64()
	return uint64(n), ok && n >= 1024 && n%1024 == 0
}

// heldOf reports whether any block may lie on a kind of memory of a node.
func heldOf(st *kubelet.MemoryState, node int, name kubelet.ResourceName) bool {
	on := func(blocks []kubelet.Block) bool {
		for _, b := range blocks {
			for _, id := range b.NUMAAffinity {
				if id == node && b.Type == name && b.Size > 0 {
					return true
				}
			}
		}
		return false
	}
	for _, containers := range st.Entries {
		for _, blocks := range containers {
			if on(blocks) {
				return true
			}
		}
	}
	for _, pod := range st.PodEntries {
		if on(pod.MemoryBlocks) {
			return true
		}
	}
	return false
}

// bookAgain takes what pods hold from the machine as it is now.
func (a *adopter) bookAgain(old *kubelet.MemoryState) (*kubelet.MemoryState, error) {
	q := a.q
	s := start{shared: &shared{q: &q, topology: newTopology(&q.Machine), booked: map[bookedKey]*booked{}}, release: a.release}
	s.checkReservation()
	if s.newMemoryManager(); s.systemReserved == nil {
		return nil, a.refuse("what is reserved is not known")
	}
	b := s.book(old, a.gates[gatePodManagers])
	if len(b.faults) > 0 {
		return nil, a.refuse("%s", b.faults[0].Error)
	}
	content := *old
	content.MachineState = b.fresh
	for _, p := range b.parts {
		end, single := p.single()
		if !single {
			return nil, a.refuse("what pods hold can be counted in several ways, because their groups of NUMA nodes overlap")
		}
		c := comparison{booked: b, part: &p, end: end}
		for j, n := range p.nodes {
			node := b.fresh[b.ids[n]]
			node.NumberOfAssignments = b.count[n]
			node.Cells = c.group(j)
			for k, name := range b.kinds {
				if t := node.MemoryMap[name]; t != nil {
					if t.Allocatable > t.TotalMemSize {
						return nil, a.refuse("NUMA node %d has less %s than is reserved of it", b.ids[n], name)
					}
					free := end.free[j*len(b.kinds)+k]
					t.Reserved, t.Free = t.Free-free, free
				}
			}
		}
	}
	if name, short := b.short(); short {
		return nil, a.refuse("the machine has less %s than pods hold", name)
	}
	return &content, nil
}

// short reports whether a block was not booked in full.
func (b *booked) short() (kubelet.ResourceName, bool) {
	want := make([]uint64, len(b.kinds))
	for _, p := range b.parts {
		for _, pd := range p.pods {
			for _, u := range pd.units {
				for _, bl := range u {
					want[bl.kind] += bl.size
				}
			}
		}
	}
	for k, name := range b.kinds {
		var got uint64
		for _, node := range b.fresh {
			if t := node.MemoryMap[name]; t != nil {
				got += t.Reserved
			}
		}
		if got != want[k] {
			return name, true
		}
	}
	return "", false
}
