package preflight

import (
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// block is a block in terms of the parts that matter.
type block struct {
	nodes []int // indices
	kind  int
	size  uint64
	group int // interned nodes, as a set
	seq   int // interned nodes, in order
}

// unit is what one container holds, or a pod that is counted as a whole.
type unit []block

// pod is booked without another in between.
type pod struct {
	at    int // its place among the pods that hold something
	units []unit
	turns bool // the units come in turn, beginning anywhere
	same  int  // equal for pods with the same blocks
}

type bookedKey struct {
	state *kubelet.MemoryState
	pods  bool // pods are counted as a whole
}

// booked is the outcome of booking a state.
type booked struct {
	faults []Step // blocks that cannot be booked; any may be the first
	cut    bool   // there may be more outcomes
	fresh  kubelet.NUMANodes
	ids    []int                  // nodes, ascending
	kinds  []kubelet.ResourceName // ascending
	groups map[int][]int          // node ids, by number of the set
	count  []int                  // assignments by node
	parts  []part
	local  []int // index of a node in its part
	turns  bool  // the pods come in turn, beginning anywhere
	rounds int   // where they may begin, or 1

	// While it is found out:
	parent []int
	index  map[int]int
	kindOf map[kubelet.ResourceName]int
	intern map[string]int
	effort int
}

// part is nodes that are booked together, and how that may end, by round.
type part struct {
	nodes []int
	pods  []pod
	ends  [][]nodesState
}

// book returns how the machine may be once the state is booked on it.
func (s *start) book(st *kubelet.MemoryState, podLevel bool) *booked {
	key := bookedKey{st, podLevel}
	if b := s.booked[key]; b != nil {
		return b
	}
	b := &booked{fresh: s.freshNodes(s.systemReserved), groups: map[int][]int{}, index: map[int]int{},
		kindOf: map[kubelet.ResourceName]int{}, intern: map[string]int{}, effort: maxBookings}
	s.booked[key] = b
	kinds := map[kubelet.ResourceName]bool{}
	for i, id := range sortedKeys(b.fresh) {
		b.ids = append(b.ids, id)
		b.index[id] = i
		b.parent = append(b.parent, i)
		for name := range b.fresh[id].MemoryMap {
			kinds[name] = true
		}
	}
	for i, name := range sortedKeys(kinds) {
		b.kinds = append(b.kinds, name)
		b.kindOf[name] = i
	}
	b.count = make([]int, len(b.ids))
	var v kubelet.Verifier
	_, sorted := v.Verify(kubelet.Memory, s.q.Files[MemoryManagerState])
	pods := b.readPods(st, podLevel, sorted)
	if b.rounds = 1; b.turns {
		b.rounds = max(1, len(pods))
	}
	if len(b.faults) == 0 {
		b.split(pods)
		for i := range b.parts {
			b.walk(&b.parts[i])
		}
	}
	return b
}

// smallMap is how many entries a Go map walks in turn.
const smallMap = 8

// readPods translates the blocks, and counts the assignments. What is sorted in
// the file is so in the kubelet's maps, as far as these are small.
func (b *booked) readPods(st *kubelet.MemoryState, podLevel, sorted bool) (pods []pod) {
	b.turns = sorted && len(st.Entries) <= smallMap
	for _, uid := range sortedKeys(st.Entries) {
		p := pod{at: len(pods), turns: sorted && len(st.Entries[uid]) <= smallMap}
		if held := st.PodEntries[uid].MemoryBlocks; podLevel && len(held) > 0 {
			p.units = []unit{b.readUnit(uid, "", held)}
		} else {
			for _, name := range sortedKeys(st.Entries[uid]) {
				p.units = append(p.units, b.readUnit(uid, name, st.Entries[uid][name]))
			}
		}
		p.units = slices.DeleteFunc(p.units, func(u unit) bool { return len(u) == 0 })
		if len(p.units) > 0 {
			p.same = b.number(p.key())
			pods = append(pods, p)
		}
	}
	return pods
}

func (b *booked) readUnit(uid, name string, blocks []kubelet.Block) unit {
	var u unit
	for i, from := range blocks {
		at := fmt.Sprintf("entries.%s.%s[%d]", uid, name, i)
		if name == "" {
			at = fmt.Sprintf("podEntries.%s[%d]", uid, i)
		}
		to := block{size: from.Size, kind: -1}
		for _, id := range from.NUMAAffinity {
			n, exists := b.index[id]
			if !exists {
				b.faults = append(b.faults, Step{Path: at, File: fmt.Sprint(id), Machine: fmt.Sprint(b.ids),
					Error: fmt.Sprintf("[memorymanager] (pod: %s, container: %s) the memory assignment uses the NUMA that does not exist", uid, name)})
				return nil
			}
			if b.fresh[id].MemoryMap[from.Type] == nil {
				b.faults = append(b.faults, Step{Path: at, File: string(from.Type), Machine: fmt.Sprint(b.kinds),
					Error: fmt.Sprintf("[memorymanager] (pod: %s, container: %s) the memory assignment uses memory resource that does not exist", uid, name)})
				return nil
			}
			to.kind = b.kindOf[from.Type]
			to.nodes = append(to.nodes, n)
		}
		if len(to.nodes) == 0 {
			continue // nothing is booked
		}
		for _, n := range to.nodes {
			b.count[n]++
			b.join(n, to.nodes[0])
		}
		to.seq = b.number(fmt.Sprint("sequence", to.nodes))
		sorted := slices.Sorted(slices.Values(from.NUMAAffinity))
		to.group = b.number(fmt.Sprint("group", sorted))
		b.groups[to.group] = sorted
		u = append(u, to)
	}
	return u
}

// number returns the same number for the same text.
func (b *booked) number(text string) int {
	n, known := b.intern[text]
	if !known {
		n = len(b.intern)
		b.intern[text] = n
	}
	return n
}

func (u unit) key() string { return fmt.Sprint([]block(u)) }

func (p pod) key() string {
	keys := make([]string, len(p.units))
	for i, u := range p.units {
		keys[i] = u.key()
	}
	slices.Sort(keys)
	return fmt.Sprintf("pod%q", keys)
}

func (b *booked) root(n int) int {
	for b.parent[n] != n {
		b.parent[n] = b.parent[b.parent[n]]
		n = b.parent[n]
	}
	return n
}

func (b *booked) join(n, m int) { b.parent[b.root(n)] = b.root(m) }

// split finds the parts. A pod belongs to one, as its containers are booked
// together.
func (b *booked) split(pods []pod) {
	for _, p := range pods {
		for _, u := range p.units {
			b.join(u[0].nodes[0], p.units[0][0].nodes[0])
			for _, bl := range u {
				b.join(bl.nodes[0], u[0].nodes[0])
			}
		}
	}
	at := map[int]int{}
	b.local = make([]int, len(b.ids))
	for n := range b.ids {
		r := b.root(n)
		i, known := at[r]
		if !known {
			i = len(b.parts)
			at[r] = i
			b.parts = append(b.parts, part{})
		}
		b.local[n] = len(b.parts[i].nodes)
		b.parts[i].nodes = append(b.parts[i].nodes, n)
	}
	for _, p := range pods {
		i := at[b.root(p.units[0][0].nodes[0])]
		b.parts[i].pods = append(b.parts[i].pods, p)
	}
}
