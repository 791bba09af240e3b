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
//   - A Go map of up to eight entries is walked in turn, from a random one on.
//     It is filled in the order of the file, and copied in the order of a walk;
//     so if a kubelet wrote the file, sorted, only the beginning is random. That
//     makes eight rounds, in each of which all parts end together, and at most
//     eight ways for the containers of a pod.
//   - Otherwise the pods that can still be booked and the memory that is free
//     determine all that follows. The walk goes pod by pod and keeps one of
//     those that agree in both; pods with the same blocks count as the same.
//
// Both may still be exponential for a file made to be so. Therefore the walk
// stops after maxBookings, and then some orders are tried: the outcomes are
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
	p.ends = make([][]nodesState, b.rounds)
	if p.orderless() {
		b.takeAll(&st, p.pods)
		for r := range p.ends {
			p.ends[r] = []nodesState{st}
		}
		return
	}
	for r := range p.ends {
		ends, ok := b.walkRound(p, st, r)
		if !ok {
			b.cut = true
			ends = b.sample(p, st, r)
		}
		p.ends[r] = ends
	}
}

func (b *booked) takeAll(st *nodesState, pods []pod) {
	for _, pd := range pods {
		for _, u := range pd.units {
			b.take(st, u)
		}
	}
}

// single returns the only way in which a part can end, if there is one.
func (p *part) single() (nodesState, bool) {
	first := p.ends[0][0]
	for _, ends := range p.ends {
		for _, end := range ends {
			if end.key() != first.key() {
				return nodesState{}, false
			}
		}
	}
	return first, true
}

// walkRound returns the ends of a round, if it is not too long.
func (b *booked) walkRound(p *part, st nodesState, round int) ([]nodesState, bool) {
	if !b.turns {
		return b.walkAll(p, st)
	}
	front := map[string]nodesState{"": st}
	for _, pd := range inTurn(p.pods, round) {
		next := map[string]nodesState{}
		for _, at := range front {
			for key, end := range b.bookPod(at, pd) {
				next[key] = end
			}
			if b.effort < 0 {
				return nil, false
			}
		}
		front = next
	}
	return states(front), true
}

// inTurn returns the pods of a part in the order of a round, which begins with
// the pod at that place.
func inTurn(pods []pod, round int) []pod {
	from := slices.IndexFunc(pods, func(p pod) bool { return p.at >= round })
	if from < 0 {
		return pods
	}
	return slices.Concat(pods[from:], pods[:from])
}

func states(front map[string]nodesState) (out []nodesState) {
	for _, key := range sortedKeys(front) {
		out = append(out, front[key])
	}
	return out
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
				for _, end := range b.bookPod(at.st, kinds[i]) {
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
	ends := map[string]nodesState{}
	for _, at := range front {
		ends[at.st.key()] = at.st
	}
	return states(ends), true
}

// bookPod returns how the nodes may be after a pod's containers are booked.
func (b *booked) bookPod(st nodesState, pd pod) map[string]nodesState {
	if !pd.turns {
		return b.bookAnyhow(st, pd.units)
	}
	out := map[string]nodesState{}
	for from := range pd.units {
		end := st.clone()
		b.effort -= len(end.free) + len(end.group)
		for i := range pd.units {
			b.take(&end, pd.units[(from+i)%len(pd.units)])
		}
		out[end.key()] = end
	}
	return out
}

// bookAnyhow is bookPod for containers in any order.
func (b *booked) bookAnyhow(st nodesState, units []unit) map[string]nodesState {
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
	for _, at := range front {
		out[at.st.key()] = at.st
	}
	return out
}

// sample books some orders: in turn, or as listed, backwards and shuffled.
func (b *booked) sample(p *part, st nodesState, round int) []nodesState {
	ends := map[string]nodesState{}
	try := func(pods []pod) {
		end := st.clone()
		b.takeAll(&end, pods)
		ends[end.key()] = end
	}
	pods := inTurn(p.pods, round)
	if try(pods); b.turns {
		return states(ends)
	}
	pods = slices.Clone(pods)
	slices.Reverse(pods)
	try(pods)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range pods {
		pods[i].units = slices.Clone(pods[i].units)
	}
	for range sampled {
		random.Shuffle(len(pods), func(i, j int) { pods[i], pods[j] = pods[j], pods[i] })
		for _, pd := range pods {
			if !pd.turns {
				random.Shuffle(len(pd.units), func(i, j int) { pd.units[i], pd.units[j] = pd.units[j], pd.units[i] })
			}
		}
		try(pods)
	}
	return states(ends)
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
