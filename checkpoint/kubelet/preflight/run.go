package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// oldest is the first release whose start is known.
const oldest = "1.29"

// Start says how kubelets would start. It fails for a machine beyond what
// Linux can be built for, and for a release that is not known.
func Start(q Question) ([]Answer, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	sh := shared{q: &q, topology: newTopology(&q.Machine), restored: map[string]restored{}, booked: map[bookedKey]*booked{},
		distributed: map[distributedKey]distributedCPUs{}}
	var answers []Answer
	for _, r := range kubelet.Releases() {
		if !(kubelet.Span{From: oldest}).Has(r.Name) || len(q.Releases) > 0 && !slices.Contains(q.Releases, r.Name) {
			continue
		}
		s := start{shared: &sh, release: r.Name, answer: Answer{Release: r.Name, Steps: []Step{}}}
		answers = append(answers, s.run())
	}
	return answers, nil
}

func (q *Question) check() error {
	for _, r := range q.Releases {
		if known := (kubelet.Release{Name: r}); !slices.ContainsFunc(kubelet.Releases(), func(k kubelet.Release) bool {
			return k.Name == known.Name && (kubelet.Span{From: oldest}).Has(r)
		}) {
			return fmt.Errorf("how kubelet %q starts is not known", r)
		}
	}
	if q.Only != "" && q.Only != kubelet.CPU && q.Only != kubelet.Memory {
		return fmt.Errorf("there is no manager %q that starts alone, only \"cpu\" and \"memory\"", q.Only)
	}
	if n := len(q.Machine.Nodes); n > maxNodes {
		return fmt.Errorf("the machine has %d NUMA nodes, more than the %d that Linux can have", n, maxNodes)
	}
	cpus, pages := 0, 0
	for _, n := range q.Machine.Nodes {
		pages += len(n.Hugepages)
		for _, c := range n.Cores {
			cpus += max(1, len(c.Threads))
		}
	}
	if cpus = max(cpus, q.Machine.CPUs, q.Machine.Sockets); cpus > maxCPUs {
		return fmt.Errorf("the machine has %d CPUs, more than the %d that Linux can have", cpus, maxCPUs)
	}
	if pages > maxPageSizes {
		return fmt.Errorf("the machine lists %d sizes of hugepages over all nodes, more than %d", pages, maxPageSizes)
	}
	return nil
}

// maxPageSizes is for all nodes together. The kernel knows less than ten on
// any architecture.
const maxPageSizes = 16 * maxNodes

// shared is what the releases have in common.
type shared struct {
	q        *Question
	topology *topology
	restored map[string]restored
	booked   map[bookedKey]*booked

	distributed map[distributedKey]distributedCPUs
}

// start is one kubelet on its way.
type start struct {
	*shared
	release string
	answer  Answer

	// possible are the ends met so far, in order, and stages where each is; no
	// more are added once the start has certainly ended.
	possible []string
	stages   []string
	ended    bool

	broken         string    // why the configuration cannot be read
	resources      resources // as far as they are known
	cpuKnown       bool
	memoryKnown    bool
	reservedKnown  bool
	reserved       cpuList
	options        cpuOptions
	systemReserved map[int]map[string]uint64 // nil if not known
}

func (s *start) run() Answer {
	cpu := s.q.Only != kubelet.Memory
	memory := s.q.Only != kubelet.CPU
	all := s.q.Only == ""
	s.checkConfig()
	// Of a configuration that cannot be read, nothing follows: the defaults would
	// blame the files.
	check := func(stage string, make func()) {
		if s.broken == "" {
			make()
		} else {
			s.notReached(stage)
		}
	}
	check(StageValidation, s.checkValidation)
	check(StageReservation, s.checkReservation)
	check(StageTopology, s.checkTopologyManager)
	if all && s.on(gateDRA) {
		check(StageDRA, func() { s.checkFile(StageDRA, DRAManagerState) })
	}
	if cpu {
		check(StageCPUNew, s.newCPUManager)
	}
	disabled := memory && !s.on(gateMemoryManager)
	if memory && !disabled {
		check(StageMemoryNew, s.newMemoryManager)
	}
	if all && s.on(gateInPlaceResize) {
		check(StageAllocated, s.checkAllocated)
	}
	if cpu {
		check(StageCPUStart, s.startCPUManager)
	}
	if memory && !disabled {
		check(StageMemoryStart, s.startMemoryManager)
	}
	if all {
		check(StageNodeAllocatable, s.checkNodeAllocatable)
		check(StageDevices, s.checkDevices)
	}
	last := StageStarted
	if disabled && !all {
		last = StageDisabled
	}
	return s.finish(last)
}

// step notes a check that stops nothing.
func (s *start) step(stage string, st Step) {
	st.Stage, st.Reached = stage, true
	s.answer.Steps = append(s.answer.Steps, st)
}

// passed notes that a stage has no fault, unless it has.
func (s *start) passed(stage string) {
	for _, st := range s.answer.Steps {
		if st.Stage == stage {
			return
		}
	}
	s.step(stage, Step{OK: true})
}

// notReached notes that a stage, or what is left of it, is not judged.
func (s *start) notReached(stage string) {
	s.answer.Steps = append(s.answer.Steps, Step{Stage: stage})
}

// came reports whether a stage was judged and found good.
func (s *start) came(stage string) bool {
	return !slices.ContainsFunc(s.answer.Steps, func(st Step) bool { return st.Stage == stage && !st.OK })
}

// fail notes a fault that ends the start.
func (s *start) fail(stage string, st Step) { s.failOneOf(stage, []Step{st}, false) }

// failOneOf notes faults of which any may be the first, or, if mayPass, none.
func (s *start) failOneOf(stage string, faults []Step, mayPass bool) {
	for _, st := range faults {
		st.OK = false
		s.step(stage, st)
		if !s.ended && !slices.Contains(s.possible, st.Error) {
			s.possible = append(s.possible, st.Error)
			s.stages = append(s.stages, stage)
		}
	}
	s.ended = s.ended || !mayPass && len(faults) > 0
}

// undecided ends the start with a question that has no answer here.
func (s *start) undecided(stage, text string) {
	if !s.ended {
		s.answer.Undecided = text
		s.answer.Stage = stage
		s.ended = true
	}
	s.step(stage, Step{Warning: text})
}

// show puts a value into the answer, if the kubelet comes so far.
func (s *start) show(field *string, value string) {
	if !s.ended {
		*field = value
	}
}

func (s *start) finish(last string) Answer {
	a := &s.answer
	a.Gates = s.askedGates()
	if a.Undecided != "" && len(s.possible) > 0 {
		a.Undecided, a.Stage = "", "" // an earlier end is known to be possible
	} else if a.Undecided != "" {
		return *a
	}
	a.Starts = len(s.possible) == 0
	a.Stage = last
	if !a.Starts {
		a.Error, a.Stage = s.possible[0], s.stages[0]
		a.Panics = strings.HasPrefix(a.Error, "panic: ")
	}
	if !s.ended && len(s.possible) > 0 {
		s.possible = append(s.possible, "")
	}
	if a.Random = len(s.possible) > 1; a.Random {
		a.Possible = s.possible
	}
	return *a
}
