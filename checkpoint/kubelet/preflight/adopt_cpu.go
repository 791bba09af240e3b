package preflight

import "github.com/kubeckpt/ckpt/checkpoint/kubelet"

func (a *adopter) adoptCPU(old *kubelet.CPUState) (change string, content any, err error) {
	if err := a.onlyIn(StageCPUStart); err != nil {
		return "", nil, err
	}
	c := &a.q.Config
	switch {
	case c.cpuPolicy() != policyStatic:
		return "", nil, a.refuse("the configured policy is %q, and only for the static policy a file is adopted", c.cpuPolicy())
	case old.PolicyName == policyNone:
		if len(old.Entries)+len(old.PodEntries)+len(old.Baselines)+len(old.Containers) > 0 {
			return "", nil, a.refuse("it was written by the policy none, and yet pods hold CPUs in it")
		}
		content, err = a.turnedOn()
		return AdoptPolicy, content, err
	case old.PolicyName != policyStatic:
		return "", nil, a.refuse("it was written by the policy %q", old.PolicyName)
	case len(old.Containers) > 0:
		return "", nil, a.refuse("it names containers by ids that the kubelet has to look up")
	}
	change, filled, err := a.fillCPUs(old)
	return change, filled, err
}

// fillCPUs gives all CPUs that nobody holds to the default set.
func (a *adopter) fillCPUs(old *kubelet.CPUState) (string, *kubelet.CPUState, error) {
	t := newTopology(&a.q.Machine)
	reserved, strict := mustList(a.before.ReservedCPUs), a.strict()
	defaults, held, err := a.heldCPUs(old)
	if err != nil {
		return "", nil, err
	}
	known := newList(append(append([]int(nil), defaults...), held...))
	added := t.all.minus(known)
	switch {
	case len(reserved) == 0:
		return "", nil, a.refuse("the reserved CPUs are not known")
	case len(held.minus(t.all)) > 0:
		return "", nil, a.refuse("%s no longer there, and pods hold %s", isAre(held.minus(t.all)), inNumber(held.minus(t.all), "it", "them"))
	case len(defaults.minus(t.all)) > 0:
		return "", nil, a.refuse("%s of the default set %s no longer there", cpuWords(defaults.minus(t.all)), inNumber(defaults.minus(t.all), "is", "are"))
	case len(held.and(reserved)) > 0:
		return "", nil, a.refuse("%s reserved now, and pods hold %s", isAre(held.and(reserved)), inNumber(held.and(reserved), "it", "them"))
	case len(defaults) == 0:
		return "", nil, a.refuse("its default set is empty")
	case len(added) == 0:
		return "", nil, a.refuse("no CPUs were added; perhaps strict-cpu-reservation was turned on")
	case !strict && len(reserved.and(defaults)) == 0:
		return "", nil, a.refuse("the file has none of the reserved CPUs (%s) in its default set; perhaps strict-cpu-reservation was turned off", reserved)
	}
	cores := map[int]bool{}
	for _, p := range t.cpus {
		if held.has(p.cpu) {
			cores[p.group[byCore]] = true
		}
	}
	for _, p := range t.cpus {
		if added.has(p.cpu) && cores[p.group[byCore]] {
			return "", nil, a.refuse("CPU %d was added on a core that a pod has for itself", p.cpu)
		}
	}
	content, change := *old, AdoptCPUs
	free := t.all.minus(held)
	if strict {
		free = free.minus(reserved)
		known = newList(append(known, reserved...))
		if len(reserved.and(defaults)) > 0 {
			change = AdoptReserved
		}
	}
	if len(free) == 0 {
		return "", nil, a.refuse("no CPU would be left in the default set")
	}
	if given := free.minus(defaults); change == AdoptReserved {
		err = a.onlyMoved(old, given, reserved.and(defaults), reserved.minus(defaults))
	} else {
		err = a.onlyNew(old, known, given)
	}
	if err != nil {
		return "", nil, err
	}
	content.DefaultCPUSet = free.String()
	return change, &content, nil
}

// heldCPUs returns the default set, and what pods hold. No CPU is held twice or
// is in the default set as well.
func (a *adopter) heldCPUs(old *kubelet.CPUState) (defaults, held cpuList, err error) {
	defaults = mustList(old.DefaultCPUSet)
	owner := map[int]string{}
	take := func(pod string, set cpuList) error {
		if both := set.and(defaults); len(both) > 0 {
			return a.refuse("%s held by pod %s, and in the default set as well", isAre(both), pod)
		}
		for _, cpu := range set {
			if other, taken := owner[cpu]; taken && other != pod {
				return a.refuse("CPU %d is held by the pods %s and %s", cpu, other, pod)
			}
			owner[cpu] = pod
		}
		held = append(held, set...)
		return nil
	}
	for _, pod := range sortedKeys(old.Entries) {
		for _, name := range sortedKeys(old.Entries[pod]) {
			if err := take(pod, mustList(old.Entries[pod][name])); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, pod := range sortedKeys(old.PodEntries) {
		if err := take(pod, mustList(old.PodEntries[pod])); err != nil {
			return nil, nil, err
		}
	}
	return defaults, newList(held), nil
}

// strict reports whether strict-cpu-reservation is on. The options are good, or
// the kubelet would not come to the file.
func (a *adopter) strict() bool {
	s := start{shared: &shared{q: &a.q}, release: a.release}
	options, _ := s.readOptions()
	return options[optStrict]
}
