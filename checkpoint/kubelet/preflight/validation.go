package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

const (
	resourceCPU    = "cpu"
	resourceMemory = "memory"
	hugepages      = "hugepages-"
)

// checkValidation is the part of ValidateKubeletConfiguration
// (pkg/kubelet/apis/config/validation) that looks at our fields. All releases
// have the same rules.
func (s *start) checkValidation() {
	c := &s.q.Config
	var faults []Step
	add := func(path, value, format string, args ...any) {
		faults = append(faults, Step{Path: path, File: value, Error: "invalid configuration: " + fmt.Sprintf(format, args...)})
	}
	policies := []string{topologyNone, topologyBestEffort, topologyRestricted, topologySingleNode}
	if p := c.topologyPolicy(); !slices.Contains(policies, p) {
		add("topologyManagerPolicy", p, "topologyManagerPolicy (--topology-manager-policy) %q must be one of: %q", p, policies)
	}
	if p := c.topologyScope(); p != scopeContainer && p != scopePod {
		add("topologyManagerScope", p, "topologyManagerScope (--topology-manager-scope) %q must be one of: %q, or %q", p, scopeContainer, scopePod)
	}
	if set := c.ReservedSystemCPUs; set != "" {
		if c.SystemReservedCgroup != "" || c.KubeReservedCgroup != "" {
			add("reservedSystemCPUs", set, "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup (--system-reserved-cgroup) or kubeReservedCgroup (--kube-reserved-cgroup)")
		}
		if _, err := parseRanges(set); err != nil {
			add("reservedSystemCPUs", set, "unable to parse reservedSystemCPUs (--reserved-cpus) %v, error: %v", set, err)
		}
	}
	const prefix = "failed to validate kubelet configuration, error: "
	var lines []string
	var all []Step
	for i, order := range orders(faults, validateReservedMemory(c.ReservedMemory), maxLines) {
		if len(order) == 0 {
			s.passed(StageValidation)
			return
		}
		texts := make([]string, len(order))
		for j := range order {
			texts[j] = order[j].Error
		}
		if lines = append(lines, prefix+aggregate(texts)); i == 0 {
			all = order
		}
	}
	for i := range all {
		all[i].Error = prefix + all[i].Error
	}
	s.failAs(StageValidation, all, lines)
}

// maxLines bounds the spellings of one line that are listed.
const maxLines = 120

// orders returns the orders in which faults are printed: the fixed ones first,
// then the groups one after the other, each with its parts in any order. Of
// more orders than limit there are the first ones.
func orders(fixed []Step, groups [][][]Step, limit int) [][]Step {
	out := [][]Step{slices.Clone(fixed)}
	for _, parts := range groups {
		var longer [][]Step
		for _, head := range out {
			permute(parts, func(order [][]Step) bool {
				longer = append(longer, slices.Concat(append([][]Step{head}, order...)...))
				return len(longer) < limit
			})
			if len(longer) == limit {
				break
			}
		}
		out = longer
	}
	return out
}

// permute calls f with each order of list, which f must not keep, until it
// returns false.
func permute[T any](list []T, f func([]T) bool) bool {
	list = slices.Clone(list)
	var place func(at int) bool
	place = func(at int) bool {
		if at >= len(list)-1 {
			return f(list)
		}
		for i := at; i < len(list); i++ {
			list[at], list[i] = list[i], list[at]
			if !place(at + 1) {
				return false
			}
			list[at], list[i] = list[i], list[at]
		}
		return true
	}
	return place(0)
}

// failAs notes faults that are printed together, in one of several lines.
func (s *start) failAs(stage string, faults []Step, lines []string) {
	ended := s.ended
	s.ended = true // the faults do not stand alone
	s.failOneOf(stage, faults, false)
	if s.ended = ended; ended {
		return
	}
	for _, line := range lines {
		if !slices.Contains(s.possible, line) {
			s.possible = append(s.possible, line)
			s.stages = append(s.stages, stage)
		}
	}
	s.ended = true
}

// validateReservedMemory returns the faults by NUMA node and, within it, by
// kind of memory. A kubelet walks the kinds in random order.
func validateReservedMemory(list []MemoryReservation) (faults [][][]Step) {
	type place struct {
		node     int32
		resource string
	}
	seen := map[place]bool{}
	for i, r := range list {
		var ofNode [][]Step
		for _, name := range sortedKeys(r.Limits) {
			var ofKind []Step
			add := func(format string, args ...any) {
				ofKind = append(ofKind, Step{Path: fmt.Sprintf("reservedMemory[%d].limits.%s", i, name), File: r.Limits[name],
					Error: "invalid configuration: " + fmt.Sprintf(format, args...)})
			}
			if name != resourceMemory && !strings.HasPrefix(name, hugepages) {
				add("the limit type %q for NUMA node %d is not supported, only [memory hugepages-<HugePageSize>] is accepted", name, r.NUMANode)
			}
			if q, err := quantity.Parse(r.Limits[name]); err == nil && q.Sign() == 0 {
				add("reserved memory may not be zero for NUMA node %d and resource %q", r.NUMANode, name)
			}
			if seen[place{r.NUMANode, name}] {
				add("the reserved memory has a duplicate value for NUMA node %d and resource %q", r.NUMANode, name)
			}
			seen[place{r.NUMANode, name}] = true
			if ofKind != nil {
				ofNode = append(ofNode, ofKind)
			}
		}
		if ofNode != nil {
			faults = append(faults, ofNode)
		}
	}
	return faults
}
