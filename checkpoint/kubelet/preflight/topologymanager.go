package preflight

import (
	"fmt"
	"strconv"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Options of the topology manager.
const (
	optClosest  = "prefer-closest-numa-nodes"
	optMaxNodes = "max-allowable-numa-nodes"
)

// topologyLevels are those of pkg/kubelet/cm/topologymanager/policy_options.go.
var topologyLevels = []optionLevel{
	{optClosest, kubelet.Span{To: "1.31"}, beta},
	{optClosest, kubelet.Span{From: "1.32"}, stable},
	{optMaxNodes, kubelet.Span{From: "1.31", To: "1.34"}, beta},
	{optMaxNodes, kubelet.Span{From: "1.35"}, stable},
}

// lowerCase are the releases that spell the refusal of an option in lower case.
var lowerCase = kubelet.Span{From: "1.33"}

// defaultMaxNodes is how many NUMA nodes the policies allow by default.
const defaultMaxNodes = 8

// checkTopologyManager is what NewManager in pkg/kubelet/cm/topologymanager
// looks at. The policy none looks at nothing.
func (s *start) checkTopologyManager() {
	c := &s.q.Config
	policy := c.topologyPolicy()
	if policy == topologyNone {
		s.passed(StageTopology)
		return
	}
	limit, faults := s.readTopologyOptions()
	s.failOneOf(StageTopology, faults, false)
	closest, _ := strconv.ParseBool(c.TopologyManagerPolicyOptions[optClosest])
	if faults == nil && closest {
		for _, n := range s.q.Machine.Nodes {
			if n.Distances == nil {
				s.step(StageTopology, Step{OK: true, Warning: fmt.Sprintf("NUMA node %d has no distances here; a kubelet that finds none does not start: "+
					"cannot discover NUMA topology: error getting NUMA distances from cadvisor", n.ID)})
				break
			}
		}
	}
	if n := len(s.q.Machine.Nodes); faults == nil && n > limit {
		s.fail(StageTopology, Step{Path: "topologyManagerPolicy", File: policy, Machine: strconv.Itoa(n) + " NUMA nodes",
			Error: fmt.Sprintf("unsupported on machines with more than %v NUMA Nodes", limit)})
	}
	s.passed(StageTopology)
}

func (s *start) readTopologyOptions() (maxNodes int, faults []Step) {
	given := s.q.Config.TopologyManagerPolicyOptions
	maxNodes = defaultMaxNodes
	for _, name := range sortedKeys(given) {
		add := func(format string, args ...any) {
			faults = append(faults, Step{Path: "topologyManagerPolicyOptions." + name, File: given[name], Error: fmt.Sprintf(format, args...)})
		}
		l, known := level(""), false
		for _, row := range topologyLevels {
			if row.option == name && row.span.Has(s.release) {
				l, known = row.level, true
			}
		}
		switch {
		case !known:
			add("unknown Topology Manager Policy option: %q", name)
		case l == beta && !s.on(gateTopologyBeta) && lowerCase.Has(s.release):
			add("topology manager policy beta-level options not enabled, but option %q provided", name)
		case l == beta && !s.on(gateTopologyBeta):
			add("Topology Manager Policy Beta-level Options not enabled, but option %q provided", name)
		case name == optClosest:
			if _, err := strconv.ParseBool(given[name]); err != nil {
				add("bad value for option %q: %v", name, err)
			}
		case name == optMaxNodes:
			n, err := strconv.Atoi(given[name])
			if err != nil {
				add("unable to convert policy option to integer %q: %v", name, err)
			} else if n < defaultMaxNodes {
				add("the minimum value of %q should not be less than %v", name, defaultMaxNodes)
			} else {
				maxNodes = n
			}
		}
	}
	return maxNodes, faults
}
