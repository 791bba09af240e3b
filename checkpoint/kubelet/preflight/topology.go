package preflight

import (
	"cmp"
	"slices"
	"sort"
)

// topology is the machine as the CPU manager sees it
// (pkg/kubelet/cm/cpumanager/topology). A core's id is its lowest CPU.
type topology struct {
	cpus []cpuPlace // ascending by CPU
	all  cpuList
	err  string // why a kubelet cannot make one

	// The numbers that averages are taken of: CPUs and sockets are what the
	// machine says, the others what is listed.
	numCPUs, numSockets, numCores, numNodes, numUncores int
	// members are the CPUs by group.
	members [levels]map[int][]int
}

// level of a group of CPUs.
const (
	byNode = iota
	bySocket
	byUncore
	byCore
	levels
)

// cpuPlace is a CPU and the groups that it is in.
type cpuPlace struct {
	cpu   int
	group [levels]int
}

func newTopology(m *Machine) *topology {
	t := &topology{numCPUs: m.CPUs, numSockets: m.Sockets}
	if m.CPUs == 0 {
		t.err = "could not detect number of cpus"
	}
	places := map[int]cpuPlace{}
	for _, n := range m.Nodes {
		t.numCores += len(n.Cores)
		for _, c := range n.Cores {
			if len(c.Threads) == 0 {
				t.err = cmp.Or(t.err, "no cpus provided")
				continue
			}
			if len(newList(c.Threads)) != len(c.Threads) {
				t.err = cmp.Or(t.err, "cpus provided are not unique")
			}
			core := slices.Min(c.Threads)
			for _, cpu := range c.Threads {
				places[cpu] = cpuPlace{cpu, [levels]int{byNode: n.ID, bySocket: c.Socket, byUncore: c.Uncore, byCore: core}}
			}
		}
	}
	for _, p := range places {
		t.cpus = append(t.cpus, p)
	}
	sort.Slice(t.cpus, func(i, j int) bool { return t.cpus[i].cpu < t.cpus[j].cpu })
	for i := range t.members {
		t.members[i] = map[int][]int{}
	}
	for _, p := range t.cpus {
		t.all = append(t.all, p.cpu)
		for i, id := range p.group {
			t.members[i][id] = append(t.members[i][id], p.cpu)
		}
	}
	t.numNodes, t.numUncores = len(t.members[byNode]), len(t.members[byUncore])
	return t
}

// The averages by which a kubelet tells whole groups. Integers: with one thread
// offline, 15 CPUs on 8 cores are 1 a core.
func (t *topology) cpusPerCore() int   { return average(t.numCPUs, t.numCores) }
func (t *topology) cpusPerSocket() int { return average(t.numCPUs, t.numSockets) }
func (t *topology) cpusPerUncore() int { return average(t.numCPUs, t.numUncores) }

func average(n, groups int) int {
	if groups == 0 {
		return 0
	}
	return n / groups
}
