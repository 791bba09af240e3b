package preflight

import (
	"errors"
	"math"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// What keeps a distribution from having an answer.
var (
	errDivides  = errors.New("panic: runtime error: integer divide by zero")
	errNeverEnd = errors.New("this kubelet never ends choosing CPUs across these NUMA nodes")
	errTooMany  = errors.New("there are too many combinations of NUMA nodes to choose the reserved CPUs from")
)

// maxChoices bounds the combinations of NUMA nodes that are weighed, each
// counted once for every node of the machine: a tenth of a second. A kubelet
// weighs all, and with 40 nodes might not start in a lifetime. With eight, or
// where two nodes have what is needed, there are a few thousand.
const maxChoices = 1 << 25

// distributor spreads CPUs evenly over NUMA nodes, as
// takeByTopologyNUMADistributed does.
type distributor struct {
	*topology
	ids   []int // of the nodes, ascending; elsewhere nodes are indices of these
	free  []int // CPUs by node
	nodes []int // in the order of visits
	twice bool  // which comes to a node twice
	need  int
	group int // CPUs are given in groups of so many
	distribution
	inSocket []map[int]bool // the sockets of a node
	effort   int            // left

	left, after []int // what weighing puts down
}

// distribution is what changes it.
type distribution struct {
	sockets bool // combinations within one socket are preferred
	caps    bool // no node gives more than the poorest has
}

// socketsCount are the releases in which align-by-socket weighs on the
// distribution, and which cap it.
var socketsCount = kubelet.Span{From: "1.37"}

// choice is a combination of nodes, and those of them that give what is left
// over when each has given the same.
type choice struct {
	nodes, rest []int
	balance     float64
	oneSocket   bool
}

// takeDistributed takes need of all CPUs.
func (t *topology) takeDistributed(need, group int, how distribution, o takeOptions) ([]int, error) {
	if group == 0 {
		return nil, errDivides
	}
	o.uncore = false
	if need%group != 0 {
		cpus, _ := t.takePacked(t.cpus, need, o)
		return cpus, nil
	}
	if need < 1 || need > len(t.cpus) {
		return nil, nil
	}
	a := t.newTaker(t.cpus, need, o.spread)
	d := t.newDistributor(a, group, how)
	fewest, most := d.bounds()
	for k := fewest; k <= most; k++ {
		best, err := d.best(k)
		if err != nil {
			return nil, err
		}
		if best.nodes != nil {
			return d.take(a, best, o)
		}
	}
	cpus, _ := t.takePacked(t.cpus, need, o)
	return cpus, nil
}

func (t *topology) newDistributor(a *taker, group int, how distribution) distributor {
	d := distributor{topology: t, ids: sortedKeys(a.counts[byNode]), need: a.need, group: group, distribution: how, effort: maxChoices}
	index := map[int]int{}
	for i, id := range d.ids {
		index[id] = i
		d.free = append(d.free, a.counts[byNode][id])
		d.inSocket = append(d.inSocket, map[int]bool{})
	}
	for _, id := range a.order(byNode) {
		d.nodes = append(d.nodes, index[id])
	}
	d.twice = len(d.nodes) > len(d.ids)
	for _, p := range t.cpus {
		d.inSocket[index[p.group[byNode]]][p.group[bySocket]] = true
	}
	d.left, d.after = make([]int, len(d.ids)), make([]int, len(d.ids))
	return d
}

// bounds is how many nodes at least and at most can give what is needed.
func (d *distributor) bounds() (fewest, most int) {
	up := func(n, by int) int { return (n-1)/by + 1 }
	perNode := up(up(len(d.cpus), d.group), d.numNodes)
	groups := up(d.need, d.group)
	return up(groups, perNode), min(groups, len(d.free))
}

// best weighs all combinations of k nodes.
func (d *distributor) best(k int) (choice, error) {
	best := choice{balance: math.MaxFloat64}
	var failed error
	combinations(d.nodes, k, func(nodes []int) bool {
		if best.balance == 0 && (!d.sockets || best.oneSocket) {
			return false
		}
		c, ok, err := d.weigh(nodes)
		if err != nil {
			failed = err
			return false
		}
		if !ok {
			return true
		}
		better := c.balance < best.balance
		if d.sockets && c.oneSocket != best.oneSocket {
			better = c.oneSocket
		}
		if better {
			best = c
		}
		return true
	})
	return best, failed
}

// weigh says how even the machine would be if nodes gave the CPUs, and which of
// them should give the rest.
func (d *distributor) weigh(nodes []int) (choice, bool, error) {
	if d.effort -= len(d.ids); d.effort < 0 {
		return choice{}, false, errTooMany
	}
	cpus, groups := 0, 0
	for i, n := range nodes {
		if !d.twice || !slices.Contains(nodes[:i], n) {
			cpus += d.free[n]
		}
		groups += d.free[n] / d.group
	}
	if cpus < d.need || groups*d.group < d.need {
		return choice{}, false, nil
	}
	each := d.each(nodes, d.sockets)
	left := d.left
	copy(left, d.free)
	for _, n := range nodes {
		if d.free[n] < each {
			return choice{}, false, nil
		}
		left[n] -= each
	}
	var able []int // to give of the rest
	for _, n := range nodes {
		if left[n] >= d.group {
			able = append(able, n)
		}
	}
	c := choice{nodes: nodes, balance: math.MaxFloat64, oneSocket: d.sockets && d.inOneSocket(nodes)}
	rest := d.need - each*len(nodes)
	if rest == 0 {
		c.balance = d.deviation(left)
		return c, true, nil
	}
	var failed error
	for k := len(able); rest > 0 && k >= 1; k-- {
		combinations(able, k, func(subset []int) bool {
			if d.effort -= len(d.ids); d.effort < 0 {
				failed = errTooMany
				return false
			}
			ok, err := d.giveRest(subset, rest)
			if err != nil {
				failed = err
				return false
			}
			if ok {
				if b := d.deviation(d.after); b < c.balance {
					c.balance, c.rest = b, subset
				}
			}
			return true
		})
		if failed != nil {
			return choice{}, false, failed
		}
	}
	return c, true, nil
}

// each is how many CPUs every node gives. If capped, none gives more than the
// poorest has.
func (d *distributor) each(nodes []int, capped bool) int {
	each := d.need / len(nodes) / d.group * d.group
	if capped {
		for _, n := range nodes {
			each = min(each, d.free[n]/d.group*d.group)
		}
	}
	return each
}

// giveRest takes the rest from a subset, a group at a time.
func (d *distributor) giveRest(subset []int, rest int) (bool, error) {
	sum := 0
	for _, n := range subset {
		sum += d.left[n]
	}
	if sum < rest {
		return false, nil
	}
	after := d.after
	copy(after, d.left)
	for rest > 0 {
		before := rest
		for _, n := range subset {
			if rest != 0 && after[n] >= d.group {
				after[n] -= d.group
				rest -= d.group
			}
		}
		if rest == before {
			return false, errNeverEnd
		}
	}
	return true, nil
}

// deviation is the standard deviation of the free CPUs of all nodes, rounded
// where the kubelet rounds.
func (d *distributor) deviation(left []int) float64 {
	round := func(x float64) float64 { return math.Round(x*1000) / 1000 }
	n, sum := float64(len(left)), 0.0
	for _, free := range left {
		sum += float64(free)
	}
	mean := round(sum / n)
	squares := 0.0
	for _, free := range left {
		squares += (float64(free) - mean) * (float64(free) - mean)
	}
	return round(math.Sqrt(squares / n))
}

func (d *distributor) inOneSocket(nodes []int) bool {
	sockets := map[int]bool{}
	for _, n := range nodes {
		for socket := range d.inSocket[n] {
			sockets[socket] = true
		}
	}
	return len(sockets) <= 1
}

// take takes what the best choice says.
func (d *distributor) take(a *taker, best choice, o takeOptions) ([]int, error) {
	each := d.each(best.nodes, d.caps)
	from := func(node, n int) {
		var free []cpuPlace
		for _, p := range a.free {
			if p.group[byNode] == d.ids[node] {
				free = append(free, p)
			}
		}
		if cpus, _ := d.takePacked(free, n, o); cpus != nil {
			a.take(newList(cpus)) // here nothing counts twice
		}
	}
	for _, n := range best.nodes {
		from(n, each)
	}
	for rest := d.need - each*len(best.nodes); rest > 0; {
		before := rest
		for _, n := range best.rest {
			if rest != 0 && a.counts[byNode][d.ids[n]] >= d.group {
				from(n, d.group)
				rest -= d.group
			}
		}
		if rest == before {
			return nil, errNeverEnd
		}
	}
	if a.need != 0 {
		return nil, nil
	}
	return a.taken, nil
}

// combinations calls f with each combination of k of list, until it returns
// false. As in the kubelet, combinations of four and more may share their
// memory: one that is kept changes when the next one is made, and then the
// kubelet takes CPUs of other nodes than it has found best.
func combinations(list []int, k int, f func([]int) bool) {
	if k < 1 {
		return
	}
	var extend func(chosen []int, from, more int) bool
	extend = func(chosen []int, from, more int) bool {
		if more == 0 {
			return f(chosen)
		}
		for i := from; i <= len(list)-more; i++ {
			if !extend(append(chosen, list[i]), i+1, more-1) {
				return false
			}
		}
		return true
	}
	extend([]int{}, 0, k)
}
