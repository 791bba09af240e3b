package preflight

import (
	"cmp"
	"slices"
	"sort"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// taker takes CPUs out of those that are free, as cpuAccumulator in
// pkg/kubelet/cm/cpumanager/cpu_assignment.go does.
type taker struct {
	*topology
	free   []cpuPlace
	counts [levels]map[int]int // free CPUs by group
	need   int
	taken  []int
	spread bool // single CPUs across cores, and no whole cores
	crash  bool // the kubelet divides by zero
}

// takeOptions are what the options of the policy change in how CPUs are taken.
type takeOptions struct {
	spread bool
	uncore bool
	// roundsUp: a part of an uncore group is counted in cores that are begun.
	roundsUp bool
}

// uncoreRoundsUp are the releases that take an odd number of CPUs from an
// uncore group; before, a half core never fitted.
var uncoreRoundsUp = kubelet.Span{From: "1.34"}

func (t *topology) newTaker(free []cpuPlace, need int, spread bool) *taker {
	a := &taker{topology: t, free: free, need: need, spread: spread}
	a.count()
	return a
}

func (a *taker) count() {
	for i := range a.counts {
		a.counts[i] = make(map[int]int, len(a.counts[i]))
	}
	for _, p := range a.free {
		for i, id := range p.group {
			a.counts[i][id]++
		}
	}
}

// take takes CPUs. What is taken twice counts twice: the kubelet's order names a
// core twice if its socket is in two NUMA nodes that are visited, and then it
// believes to have more than it has.
func (a *taker) take(cpus []int) {
	a.taken = append(a.taken, cpus...)
	a.need -= len(cpus)
	gone := newList(cpus)
	a.free = slices.DeleteFunc(slices.Clone(a.free), func(p cpuPlace) bool { return gone.has(p.cpu) })
	a.count()
}

// groupsIn returns the groups of a level by the group that they are in: the
// fullest last, and of equal ones in ascending order.
func (a *taker) groupsIn(outer, inner int) map[int][]int {
	out := map[int][]int{}
	type pair struct{ outer, inner int }
	seen := make(map[pair]bool, len(a.counts[inner]))
	for _, p := range a.free {
		at := pair{p.group[outer], p.group[inner]}
		if !seen[at] {
			seen[at] = true
			out[at.outer] = append(out[at.outer], at.inner)
		}
	}
	for _, ids := range out {
		a.sort(inner, ids)
	}
	return out
}

func (a *taker) sort(level int, ids []int) {
	sort.Slice(ids, func(i, j int) bool {
		x, y := ids[i], ids[j]
		return cmp.Or(cmp.Compare(a.counts[level][x], a.counts[level][y]), cmp.Compare(x, y)) < 0
	})
}

// outermost are the levels of nodes and sockets, the one that holds the other
// first.
func (a *taker) outermost() (first, second int) {
	if a.numSockets >= a.numNodes {
		return byNode, bySocket
	}
	return bySocket, byNode
}

// order returns the free groups of a level in the order of visits.
func (a *taker) order(level int) []int {
	first, second := a.outermost()
	switch level {
	case first:
		ids := sortedKeys(a.counts[first])
		a.sort(first, ids)
		return ids
	case second:
		return a.orderWithin(first, second)
	case byUncore:
		return a.orderWithin(byNode, byUncore)
	}
	return a.orderWithin(second, byCore)
}

func (a *taker) orderWithin(outer, inner int) (ids []int) {
	groups := a.groupsIn(outer, inner)
	for _, id := range a.order(outer) {
		ids = append(ids, groups[id]...)
	}
	return ids
}

// takeWhole takes groups of which all is free, as long as as much is needed.
// whole is the size of a group of which all is free.
func (a *taker) takeWhole(level int, whole func(id int) int) {
	var cpus []int
	for _, id := range a.order(level) {
		group := a.members[level][id]
		if a.counts[level][id] == whole(id) && a.need-len(cpus) >= len(group) {
			cpus = append(cpus, group...)
		}
	}
	if cpus != nil {
		a.take(cpus)
	}
}

func (a *taker) takeOuter(level int) {
	if level == byNode {
		a.takeWhole(byNode, func(id int) int { return len(a.members[byNode][id]) })
		return
	}
	a.takeWhole(bySocket, func(int) int { return a.cpusPerSocket() })
}

// takeUncore takes uncore groups, and then a part of one.
func (a *taker) takeUncore(roundsUp bool) {
	for _, id := range a.order(byUncore) {
		if a.need >= a.cpusPerUncore() {
			a.takeWhole(byUncore, func(id int) int { return len(a.members[byUncore][id]) })
		}
		if a.need < 1 {
			return
		}
		a.takePart(id, roundsUp)
		if a.need < 1 {
			return
		}
	}
}

// takePart takes the lowest cores of an uncore group, if they have just the
// CPUs that are needed.
func (a *taker) takePart(uncore int, roundsUp bool) {
	perCore := a.cpusPerCore()
	if perCore == 0 {
		a.crash, a.need = true, 0
		return
	}
	cores := a.need / perCore
	if roundsUp {
		cores = (a.need + perCore - 1) / perCore
	}
	var ids []int
	for _, p := range a.free {
		if p.group[byUncore] == uncore {
			ids = append(ids, p.group[byCore])
		}
	}
	chosen := newList(ids)
	chosen = chosen[:min(cores, len(chosen))]
	var cpus []int
	for _, p := range a.free {
		if chosen.has(p.group[byCore]) {
			cpus = append(cpus, p.cpu)
		}
	}
	if roundsUp && a.need%2 != 0 && perCore > 1 && len(cpus) > a.need {
		cpus = cpus[:len(cpus)-1]
	}
	if len(cpus) == a.need {
		a.take(cpus)
	}
}

// takeSingle takes CPU by CPU.
func (a *taker) takeSingle() {
	level := byCore
	if a.spread {
		level = bySocket
	}
	groups := map[int][]int{}
	for _, p := range a.free {
		groups[p.group[level]] = append(groups[p.group[level]], p.cpu)
	}
	var order []int
	for _, id := range a.order(level) {
		order = append(order, groups[id]...)
	}
	if n := max(0, min(a.need, len(order))); n > 0 {
		a.take(order[:n])
	}
}

// takePacked takes need CPUs close together, or none if it fails.
func (t *topology) takePacked(free []cpuPlace, need int, o takeOptions) (cpus []int, crash bool) {
	a := t.newTaker(free, need, o.spread)
	if need > len(free) {
		return nil, false
	}
	first, second := a.outermost()
	for _, step := range []func(){
		func() { a.takeOuter(first) },
		func() { a.takeOuter(second) },
		func() {
			if o.uncore {
				a.takeUncore(o.roundsUp)
			}
		},
		func() {
			if !o.spread {
				a.takeWhole(byCore, func(int) int { return a.cpusPerCore() })
			}
		},
		a.takeSingle,
	} {
		if a.need >= 1 {
			step()
		}
	}
	if a.need >= 1 {
		return nil, false
	}
	return a.taken, a.crash
}
