package preflight

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// A kubelet that restarts books the blocks of all containers anew, pod by pod
// in the random order of a map and container by container in the same way, and
// compares the outcome with the file. A block is taken from its nodes in turn,
// as much as each has free; so where groups of nodes overlap, the outcome
// depends on the order.
//
// All outcomes are found without walking all orders:
//
//   - Pods that share no node, directly or through others, do not influence
//     each other. They fall into parts, and each part is walked alone.
//   - If all blocks on each node name the same nodes in the same order, every
//     order gives the same outcome: then all blocks of one kind of memory that
//     touch any of these nodes fill the same nodes in the same order, and what
//     they fill depends on the sum of their sizes only. One order is walked.
//   - Otherwise the pods that can still be booked and the memory that is free
//     determine all that follows. The walk goes pod by pod and keeps one of
//     those that agree in both; pods with the same blocks count as the same.
//
// The last may still be exponential for a file made to be so. Therefore the
// walk stops after maxBookings, and then 64 orders are tried: the outcomes are
// true, but may not be all.
const (
	maxBookings = 1 << 19 // nodes visited
	sampled     = 64
)

// nodesState is how a part's nodes are: free by node and kind, and the group
// that each is in, -1 for none.
type nodesState struct {
	free  []uint64
	group []int32
}

// begin is a part with nothing taken.
func (b *booked) begin(p *part) nodesState {
	st := nodesState{free: make([]uint64, len(p.nodes)*len(b.kinds)), group: make([]int32, len(p.nodes))}
	for i, n := range p.nodes {
		st.group[i] = -1
		for k, name := range b.kinds {
			if t := b.fresh[b.ids[n]].MemoryMap[name]; t != nil {
				st.free[i*len(b.kinds)+k] = t.Free
			}
		}
	}
	return st
}

// take books a unit.
func (b *booked) take(st *nodesState, u unit) {
	for _, bl := range u {
		want := bl.size
		for _, n := range bl.nodes {
			i := b.local[n]
			st.group[i] = int32(bl.group)
			free := &st.free[i*len(b.kinds)+bl.kind]
			got := min(want, *free)
			*free -= got
			want -= got
		}
		b.effort -= len(bl.nodes)
	}
}

// orderless reports whether every order gives the same.
func (p *part) orderless() bool {
	seq := map[int]int{}
	for _, pd := range p.pods {
		for _, u := range pd.units {
			for _, bl := range u {
				for _, n := range bl.nodes {
					if s, known := seq[n]; known && s != bl.seq {
						return false
					}
					seq[n] = bl.seq
				}
			}
		}
	}
	return true
}

// walk finds the ends of a part.
func (b *booked) walk(p *part) {
	st := b.begin(p)
	if p.orderless() {
		for _, pd := range p.pods {
			for _, u := range pd.units {
				b.take(&st, u)
			}
		}
		p.ends = []nodesState{st}
		return
	}
	if ends, ok := b.walkAll(p, st); ok {
		p.ends = ends
		return
	}
	b.cut = true
	p.ends = b.sample(p, st)
}

// point is a walk under way: the pods left, by kind of pod, and the nodes.
type point struct {
	left []int
	st   nodesState
}

// walkAll keeps, after each pod, one walk of those that cannot differ any more.
func (b *booked) walkAll(p *part, st nodesState) ([]nodesState, bool) {
	var kinds []pod
	var left []int
	for _, pd := range p.pods {
		i := slices.IndexFunc(kinds, func(k pod) bool { return k.same == pd.same })
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, pd)
			left = append(left, 0)
		}
		left[i]++
	}
	front := map[string]point{"": {left, st}}
	for range p.pods {
		next := map[string]point{}
		for _, at := range front {
			for i, n := range at.left {
				if n == 0 {
					continue
				}
				rest := slices.Clone(at.left)
				rest[i]--
				for _, end := range b.bookPod(at.st, kinds[i].units) {
					if b.effort < 0 {
						return nil, false
					}
					b.effort -= len(rest)
					next[end.key(rest...)] = point{rest, end}
				}
			}
		}
		front = next
	}
	var ends []nodesState
	for _, key := range sortedKeys(front) {
		ends = append(ends, front[key].st)
	}
	return ends, true
}

// bookPod returns how the nodes may be after a pod's containers are booked.
func (b *booked) bookPod(st nodesState, units []unit) map[string]nodesState {
	type step struct {
		done int
		st   nodesState
	}
	if len(units) > 20 {
		b.effort = -1 // more orders than the walk has steps
		return nil
	}
	front := map[string]step{"": {0, st}}
	for range units {
		next := map[string]step{}
		for _, at := range front {
			for i, u := range units {
				if at.done&(1<<i) != 0 {
					continue
				}
				end := at.st.clone()
				b.effort -= len(end.free) + len(end.group)
				if b.take(&end, u); b.effort < 0 {
					return map[string]nodesState{"": end}
				}
				done := at.done | 1<<i
				next[end.key(done)] = step{done, end}
			}
		}
		front = next
	}
	out := make(map[string]nodesState, len(front))
	for key, at := range front {
		out[key] = at.st
	}
	return out
}

// sample books some orders: as listed, backwards, and shuffled.
func (b *booked) sample(p *part, st nodesState) []nodesState {
	random := rand.New(rand.NewPCG(1, 2))
	ends := map[string]nodesState{}
	pods := slices.Clone(p.pods)
	for i := range pods {
		pods[i].units = slices.Clone(pods[i].units)
	}
	for i := range sampled {
		end := st.clone()
		for _, pd := range pods {
			for _, u := range pd.units {
				b.take(&end, u)
			}
		}
		ends[end.key()] = end
		if i == 0 {
			slices.Reverse(pods)
			continue
		}
		random.Shuffle(len(pods), func(i, j int) { pods[i], pods[j] = pods[j], pods[i] })
		for _, pd := range pods {
			random.Shuffle(len(pd.units), func(i, j int) { pd.units[i], pd.units[j] = pd.units[j], pd.units[i] })
		}
	}
	var out []nodesState
	for _, key := range sortedKeys(ends) {
		out = append(out, ends[key])
	}
	return out
}

func (st nodesState) clone() nodesState {
	return nodesState{slices.Clone(st.free), slices.Clone(st.group)}
}

// key tells states apart, and what is left to do in them.
func (st nodesState) key(left ...int) string {
	var out []byte
	for _, n := range left {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	for _, g := range st.group {
		out = binary.LittleEndian.AppendUint32(out, uint32(g))
	}
	for _, f := range st.free {
		out = binary.LittleEndian.AppendUint64(out, f)
	}
	return string(out)
}

// ends is how many outcomes are known.
func (b *booked) ends() int {
	n := 1
	for _, p := range b.parts {
		n *= max(1, len(p.ends))
	}
	return n
}
