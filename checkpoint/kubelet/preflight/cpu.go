package preflight

import (
	"fmt"
	"math"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// discoversAlways are the releases that look at the CPUs whatever the policy.
var discoversAlways = kubelet.Span{From: "1.32"}

// newCPUManager is NewManager in pkg/kubelet/cm/cpumanager: all that fails
// before the file is read.
func (s *start) newCPUManager() {
	defer s.passed(StageCPUNew)
	policy := s.q.Config.cpuPolicy()
	discovers := discoversAlways.Has(s.release) || policy == policyStatic
	if discovers && s.topology.err != "" {
		s.fail(StageCPUNew, Step{Error: s.topology.err, Path: "numCores", Machine: fmt.Sprint(s.q.Machine.CPUs)})
	}
	switch policy {
	case policyNone:
		if given := s.q.Config.CPUManagerPolicyOptions; len(given) > 0 {
			s.fail(StageCPUNew, Step{Path: "cpuManagerPolicyOptions",
				Error: fmt.Sprintf("new none policy error: None policy: received unsupported options=%v", given)})
		}
	case policyStatic:
		s.newStaticPolicy()
	default:
		s.fail(StageCPUNew, Step{Path: "cpuManagerPolicy", File: policy, Error: fmt.Sprintf("unknown policy: \"%s\"", policy)})
	}
}

func (s *start) newStaticPolicy() {
	if s.cpuKnown && s.resources.cpu == nil {
		s.fail(StageCPUNew, Step{Path: "systemReserved.cpu",
			Error: "[cpumanager] unable to determine reserved CPU resources for static policy"})
	}
	const prefix = "new static policy error: "
	options, faults := s.readOptions()
	for i := range faults {
		faults[i].Error = prefix + faults[i].Error
	}
	s.failOneOf(StageCPUNew, faults, false)
	s.options = options
	if options[optBySocket] {
		switch t := s.topology; {
		case s.q.Config.topologyPolicy() == topologySingleNode:
			s.fail(StageCPUNew, Step{Path: "topologyManagerPolicy", File: topologySingleNode,
				Error: prefix + "Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option"})
		case t.err == "" && t.numSockets > t.numNodes:
			s.fail(StageCPUNew, Step{Path: "cpuManagerPolicyOptions." + optBySocket, Machine: fmt.Sprintf("%d sockets, %d NUMA nodes", t.numSockets, t.numNodes),
				Error: prefix + "Align by socket is not compatible with hardware where number of sockets are more than number of NUMA"})
		}
	}
	if options == nil || s.topology.err != "" || !s.cpuKnown || s.resources.cpu == nil {
		if !s.cpuKnown || options == nil {
			s.notReached(StageCPUNew)
		}
		return
	}
	milli, ok := s.resources.cpu.MilliValue()
	if !ok {
		s.undecided(StageCPUNew, fmt.Sprintf("%s reserved CPUs are more than a kubelet can count", s.resources.cpu))
		return
	}
	number := int(math.Ceil(float64(milli) / 1000))
	reserved, err := s.reserved, error(nil)
	if len(reserved) == 0 {
		reserved, err = s.takeReserved(number)
	}
	switch {
	case err == errDivides:
		s.fail(StageCPUNew, Step{Error: err.Error(), Path: "systemReserved.cpu"})
		return
	case err != nil:
		s.undecided(StageCPUNew, err.Error())
		return
	case len(reserved) != number:
		s.fail(StageCPUNew, Step{Path: "systemReserved.cpu", File: s.resources.cpu.String(), Machine: fmt.Sprintf("%d CPUs", len(s.topology.all)),
			Error: fmt.Sprintf("%s[cpumanager] unable to reserve the required amount of CPUs (size of %s did not equal %d)", prefix, reserved, number)})
		return
	}
	s.reserved, s.reservedKnown = reserved, true
	s.show(&s.answer.ReservedCPUs, reserved.String())
}

// takeReserved chooses the reserved CPUs where only their number is given.
func (s *start) takeReserved(number int) (cpuList, error) {
	t := s.topology
	o := takeOptions{spread: s.options[optAcrossCores], uncore: s.options[optUncore], roundsUp: uncoreRoundsUp.Has(s.release)}
	if !s.options[optAcrossNUMA] {
		cpus, crash := t.takePacked(t.cpus, number, o)
		if crash {
			return nil, errDivides
		}
		return newList(cpus), nil
	}
	group := 1
	if s.options[optFullCores] {
		group = t.cpusPerCore()
	}
	counts := socketsCount.Has(s.release)
	key := distributedKey{number, group, distribution{sockets: counts && s.options[optBySocket], caps: counts}, o.spread}
	if known, ok := s.distributed[key]; ok {
		return known.cpus, known.err
	}
	cpus, err := t.takeDistributed(number, group, key.how, o)
	s.distributed[key] = distributedCPUs{newList(cpus), err}
	return newList(cpus), err
}

// distributedKey is all that a distribution depends on, beside the machine.
type distributedKey struct {
	number, group int
	how           distribution
	spread        bool
}

type distributedCPUs struct {
	cpus cpuList
	err  error
}

// startCPUManager restores the file and makes the policy's check of it.
func (s *start) startCPUManager() {
	defer s.passed(StageCPUStart)
	policy := s.q.Config.cpuPolicy()
	if policy != policyNone && policy != policyStatic {
		s.notReached(StageCPUStart)
		return
	}
	fresh := &kubelet.CPUState{PolicyName: policy, Entries: map[string]map[string]string{}}
	st, _ := s.restoreFile(StageCPUStart, CPUManagerState, policy, fresh).(*kubelet.CPUState)
	if st == nil {
		return
	}
	if policy == policyNone {
		s.answer.CPU = st
		return
	}
	if !s.reservedKnown || s.topology.err != "" {
		// What does not depend on which CPUs are reserved.
		if len(mustList(st.DefaultCPUSet)) == 0 && len(st.Entries) > 0 {
			s.fail(StageCPUStart, emptyDefaults(st, s.topology.all))
		}
		s.failOneOf(StageCPUStart, overlaps(st), false)
		s.notReached(StageCPUStart)
		return
	}
	before := len(s.answer.Steps)
	after := s.checkCPUState(st)
	for _, step := range s.answer.Steps[before:] {
		if !step.OK {
			return
		}
	}
	s.answer.AllocatableCPUs = s.topology.all.minus(s.reserved).String()
	s.answer.CPU = after
}

// checkCPUState is validateState of the static policy: it returns the state
// that it leaves.
func (s *start) checkCPUState(st *kubelet.CPUState) *kubelet.CPUState {
	all := s.topology.all
	if s.options[optStrict] {
		all = all.minus(s.reserved)
	}
	defaults := mustList(st.DefaultCPUSet)
	if len(defaults) == 0 {
		if len(st.Entries) > 0 {
			s.fail(StageCPUStart, emptyDefaults(st, all))
			return nil
		}
		filled := *st
		filled.DefaultCPUSet = all.String()
		s.answer.CPUWritten = true
		return &filled
	}
	both := s.reserved.and(defaults)
	switch {
	case s.options[optStrict] && len(both) > 0:
		s.fail(StageCPUStart, Step{Path: "defaultCpuSet", File: st.DefaultCPUSet, Machine: s.reserved.String(),
			Error: fmt.Sprintf("some of strictly reserved cpus: %q are present in defaultCpuSet: %q", both, defaults)})
	case !s.options[optStrict] && len(both) < len(s.reserved):
		s.fail(StageCPUStart, Step{Path: "defaultCpuSet", File: st.DefaultCPUSet, Machine: s.reserved.String(),
			Error: fmt.Sprintf("not all reserved cpus: %q are present in defaultCpuSet: %q", s.reserved, defaults)})
	}
	s.failOneOf(StageCPUStart, overlaps(st), false)
	known := slices.Clone(defaults)
	for _, containers := range st.Entries {
		for _, set := range containers {
			known = append(known, mustList(set)...)
		}
	}
	if s.on(gatePodManagers) {
		for _, set := range st.PodEntries {
			known = append(known, mustList(set)...)
		}
	}
	if total := newList(known); total.String() != all.String() {
		s.fail(StageCPUStart, Step{Path: "defaultCpuSet", File: total.String(), Machine: all.String(),
			Error: fmt.Sprintf("current set of available CPUs %q doesn't match with CPUs in state %q", all, total)})
	}
	return st
}

func emptyDefaults(st *kubelet.CPUState, all cpuList) Step {
	return Step{Path: "defaultCpuSet", File: st.DefaultCPUSet, Machine: all.String(), Error: "default cpuset cannot be empty"}
}

// overlaps are the containers that hold CPUs of the default set.
func overlaps(st *kubelet.CPUState) (faults []Step) {
	defaults := mustList(st.DefaultCPUSet)
	for _, pod := range sortedKeys(st.Entries) {
		for _, name := range sortedKeys(st.Entries[pod]) {
			if set := mustList(st.Entries[pod][name]); len(set.and(defaults)) > 0 {
				faults = append(faults, Step{Path: "entries." + pod + "." + name, File: st.Entries[pod][name], Machine: st.DefaultCPUSet,
					Error: fmt.Sprintf("pod: %s, container: %s cpuset: %q overlaps with default cpuset %q", pod, name, set, defaults)})
			}
		}
	}
	return faults
}

// mustList reads a set that a kubelet has read before.
func mustList(text string) cpuList {
	set, _ := parseList(text, math.MaxInt)
	return set
}
