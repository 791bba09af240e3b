package preflight

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// resources are amounts by resource; absent where nothing is kept.
type resources struct {
	cpu, memory *quantity.Quantity
}

// roundsCPU are the releases that round reserved CPUs to whole milli-CPUs.
// Before, any fraction counts upwards.
var roundsCPU = kubelet.Span{From: "1.37"}

// checkReservation is what cmd/kubelet/app/server.go makes of the reservations,
// and the sum of them that the managers get.
func (s *start) checkReservation() {
	c := &s.q.Config
	kube, system := c.KubeReserved, c.SystemReserved
	cpuKnown := true
	if c.ReservedSystemCPUs != "" {
		set, ok := s.reservedSystemCPUs()
		if cpuKnown = ok; ok && len(set) > 0 {
			s.reserved = set
			kube = without(kube, resourceCPU)
			system = without(system, resourceCPU)
			system[resourceCPU] = strconv.Itoa(len(set))
		}
	}
	var sum resources
	memoryKnown := true
	add := func(amounts map[string]quantity.Quantity, bad map[string]bool) {
		cpuKnown = cpuKnown && !bad[resourceCPU]
		memoryKnown = memoryKnown && !bad[resourceMemory]
		for name, of := range map[string]struct {
			sum   **quantity.Quantity
			known *bool
		}{resourceCPU: {&sum.cpu, &cpuKnown}, resourceMemory: {&sum.memory, &memoryKnown}} {
			if !addTo(of.sum, amounts[name]) && *of.known {
				*of.known = false
				s.undecided(StageReservation, fmt.Sprintf("the reservations of %s add up to more than is counted here", name))
			}
		}
	}
	kubeAmounts, kubeBad := s.amounts("kube", kube)
	systemAmounts, systemBad := s.amounts("system", system)
	eviction, evictionOK := s.checkEviction()
	add(systemAmounts, systemBad) // the sum keeps the format of its first part
	add(kubeAmounts, kubeBad)
	add(map[string]quantity.Quantity{resourceMemory: eviction}, map[string]bool{resourceMemory: !evictionOK})
	s.checkOptionGates()
	s.passed(StageReservation)
	s.resources, s.cpuKnown, s.memoryKnown = sum, cpuKnown, memoryKnown
	if s.ended || !cpuKnown || !memoryKnown {
		return
	}
	s.answer.Reservation = map[string]string{}
	for name, q := range map[string]*quantity.Quantity{resourceCPU: sum.cpu, resourceMemory: sum.memory} {
		if q != nil {
			s.answer.Reservation[name] = q.String()
		}
	}
}

// maxListed bounds a range of reserved CPUs of which it is sure that a kubelet
// can hold it in memory.
const maxListed = 1 << 24

// reservedSystemCPUs returns the configured set if it lies within the CPUs that
// are online.
func (s *start) reservedSystemCPUs() (cpuList, bool) {
	text := s.q.Config.ReservedSystemCPUs
	if s.topology.err != "" {
		s.fail(StageReservation, Step{Error: "unable to discover CPU topology info: " + s.topology.err, Path: "reservedSystemCPUs", File: text})
		return nil, false
	}
	ranges, err := parseRanges(text)
	if err != nil {
		return nil, false // refused by the validation
	}
	for _, r := range ranges {
		// A kubelet lists them before it compares.
		if uint64(r.to)-uint64(r.from) >= maxListed {
			s.undecided(StageReservation, fmt.Sprintf("reservedSystemCPUs %s has more CPUs than the %d that are judged here; a kubelet lists them one by one, and no machine has them", text, maxListed))
			return nil, false
		}
	}
	online := s.topology.all
	set, ok := parseList(text, maxCPUs)
	if !ok || len(set.minus(online)) > 0 {
		s.fail(StageReservation, Step{Path: "reservedSystemCPUs", File: text, Machine: online.String(),
			Error: fmt.Sprintf("reserved-cpus: %s is not a subset of online-cpus: %s", text, online)})
		return nil, false
	}
	return set, true
}

// amounts reads kubeReserved or systemReserved, and says which of them it could
// not. Any of several faults may be the one that is printed.
func (s *start) amounts(flag string, texts map[string]string) (out map[string]quantity.Quantity, bad map[string]bool) {
	out, bad = map[string]quantity.Quantity{}, map[string]bool{}
	var faults []Step
	for _, name := range sortedKeys(texts) {
		add := func(format string, args ...any) {
			bad[name] = true
			faults = append(faults, Step{Path: flag + "Reserved." + name, File: texts[name],
				Error: "--" + flag + "-reserved value failed to parse: " + fmt.Sprintf(format, args...)})
		}
		switch name {
		case resourceCPU, resourceMemory, "ephemeral-storage", "pid":
		default:
			add("cannot reserve %q resource", name)
			continue
		}
		q, err := quantity.Parse(texts[name])
		switch {
		case err != nil:
			add("failed to parse quantity %q for %q resource: %v", texts[name], name, err)
		case q.Sign() < 0:
			add("resource quantity for %q cannot be negative: %v", name, texts[name])
		case name == resourceCPU && roundsCPU.Has(s.release):
			micro, ok := q.MicroValue()
			if !ok || micro > math.MaxInt64-500 {
				s.undecided(StageReservation, fmt.Sprintf("%s CPUs are more than a kubelet can count", texts[name]))
				bad[name] = true
				continue
			}
			q = quantity.New((micro+500)/1000, true, q.Format)
		}
		out[name] = q
	}
	s.failOneOf(StageReservation, faults, false)
	return out, bad
}

// checkOptionGates: options whose gate is off.
func (s *start) checkOptionGates() {
	c := &s.q.Config
	if c.CPUManagerPolicyOptions != nil && !s.on(gateCPUOptions) {
		s.fail(StageReservation, Step{Path: "cpuManagerPolicyOptions",
			Error: fmt.Sprintf("CPU Manager policy options %v require feature gates %q, %q enabled", c.CPUManagerPolicyOptions, "CPUManager", gateCPUOptions)})
	}
	if c.TopologyManagerPolicyOptions != nil && !s.on(gateTopologyOptions) {
		s.fail(StageReservation, Step{Path: "topologyManagerPolicyOptions",
			Error: fmt.Sprintf("topology manager policy options %v require feature gates %q enabled", c.TopologyManagerPolicyOptions, gateTopologyOptions)})
	}
}

// checkNodeAllocatable compares the reservation with what the machine has.
func (s *start) checkNodeAllocatable() {
	m := &s.q.Machine
	var texts []string
	var faults []Step
	for _, r := range []struct {
		name      string
		known     bool
		kept, has *quantity.Quantity
	}{
		{resourceCPU, s.cpuKnown, s.resources.cpu, new(quantity.New(int64(m.CPUs), false, quantity.DecimalSI))},
		{resourceMemory, s.memoryKnown, s.resources.memory, new(quantity.New(int64(m.MemoryCapacity), false, quantity.BinarySI))},
	} {
		if !r.known || r.kept == nil || r.kept.Cmp(*r.has) <= 0 {
			continue
		}
		text := fmt.Sprintf("Resource %q has a reservation of %v but capacity of %v. Expected capacity >= reservation.", r.name, r.kept, r.has)
		texts = append(texts, text)
		faults = append(faults, Step{Error: notAllocatable + text, Path: r.name, File: r.kept.String(), Machine: r.has.String()})
	}
	var lines []string
	permute(texts, func(order []string) bool {
		lines = append(lines, notAllocatable+strings.Join(order, " "))
		return true
	})
	if len(faults) > 0 {
		s.failAs(StageNodeAllocatable, faults, lines)
	}
	if !s.cpuKnown || !s.memoryKnown {
		s.notReached(StageNodeAllocatable)
	}
	s.passed(StageNodeAllocatable)
}

// notAllocatable begins a line in which a kubelet spells the amounts as Go
// structs; here they are quantities.
const notAllocatable = "invalid Node Allocatable configuration. "

// addTo adds q to *sum, which stays nil while it is 0.
func addTo(sum **quantity.Quantity, q quantity.Quantity) bool {
	if q.Sign() == 0 {
		return true
	}
	var before quantity.Quantity
	if *sum != nil {
		before = **sum
	}
	after, ok := before.Add(q)
	*sum = &after
	return ok
}

func without(m map[string]string, key string) map[string]string {
	out := make(map[string]string, len(m)+1)
	for k, v := range m {
		if k != key {
			out[k] = v
		}
	}
	return out
}
