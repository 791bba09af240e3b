package preflight

import (
	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// onlyNew refuses to give away a CPU that need not be new. A file does not say
// how many CPUs its machine had, and a kubelet that does not know podEntries, a
// repair or a migration may have lost from it who holds some: those are missing
// just as new ones are.
//
// The kernel gives new CPUs the numbers behind those that are there, so one
// between known CPUs was there before. What is behind all of them may have been
// held as well; that is refused if another file of the node says so.
func (a *adopter) onlyNew(old *kubelet.CPUState, known, given cpuList) error {
	if len(given) == 0 {
		return nil
	}
	highest := known[len(known)-1]
	if between := given.filter(func(cpu int) bool { return cpu < highest }); len(between) > 0 {
		return a.refuse("%s not in it, though it knows CPUs up to %d: not new, but off before, or held by a pod that was lost from it", isAre(between), highest)
	}
	return a.nobodyLost(old)
}

// onlyMoved refuses to give away a CPU that need not have been reserved before.
// Of strictly reserved CPUs a file says nothing, so they are missing just as
// those are whose holder was lost from it. If all that is reserved now was
// shared, those reserved before are among the missing; if no more are missing
// than were taken from the shared pool, they are all of them.
func (a *adopter) onlyMoved(old *kubelet.CPUState, given, taken, kept cpuList) error {
	switch {
	case len(given) == 0:
		return nil
	case len(kept) > 0:
		return a.refuse("%s not in it: whether it was reserved, as %s still, or held by a pod that was lost from it, cannot be told", isAre(given), isAre(kept))
	case len(given) > len(taken):
		return a.refuse("%s not in it, more than are reserved now (%s): not all of them were reserved before", isAre(given), taken)
	}
	return a.nobodyLost(old)
}

// nobodyLost refuses if another file of the node names a pod that may hold CPUs
// of which this file knows nothing.
func (a *adopter) nobodyLost(old *kubelet.CPUState) error {
	allocated, found, err := a.allocated()
	if err != nil {
		return err
	}
	for _, pod := range sortedKeys(allocated) {
		r := allocated[pod]
		for _, name := range sortedKeys(r.ContainerResources) {
			if n := a.wholeCPUs(r.ContainerResources[name]); n > 0 && old.Entries[pod][name] == "" && old.PodEntries[pod] == "" {
				return a.refuse("by %s, container %s of pod %s may hold %d CPUs, and it does not say which", found, name, pod, n)
			}
		}
		if r.PodLevelResources == nil {
			continue
		}
		held := mustList(old.PodEntries[pod])
		for _, set := range old.Entries[pod] {
			held = newList(append(held, mustList(set)...))
		}
		if n := a.wholeCPUs(*r.PodLevelResources); n > len(held) {
			return a.refuse("by %s, pod %s may hold %d CPUs, and it says which for %d", found, pod, n, len(held))
		}
	}
	// Static memory is for the pods that may have CPUs of their own.
	held, _ := a.q.holders(MemoryManagerState)
	for _, h := range held {
		if _, told := allocated[h.Pod]; !told && len(old.Entries[h.Pod]) == 0 && old.PodEntries[h.Pod] == "" {
			return a.refuse("by %s, pod %s may hold CPUs, and it does not say which", MemoryManagerState, h.Pod)
		}
	}
	return nil
}

// allocated are the pods of the node by the file that was found, with what they
// were admitted with.
func (a *adopter) allocated() (pods map[string]kubelet.PodResources, found string, err error) {
	for _, name := range []string{AllocatedPods, PodStatusManager} {
		blob, ok := a.q.Files[name]
		if !ok || !usesFile(a.release, name) {
			continue
		}
		v := kubelet.Judge(blob, kubelet.Options{Kind: kubelet.KindOfName(name), FileName: name, Releases: a.q.Releases})
		st, ok := v.Content.(*kubelet.AllocatedState)
		if !ok {
			return nil, name, a.refuse("%s, which could tell whether a pod was lost from it, cannot be read", name)
		}
		return st.ByPod(), name, nil
	}
	return nil, "", nil
}

// listsLimits are the releases that write down the limits as well.
var listsLimits = kubelet.Span{From: "1.32"}

// wholeCPUs is how many CPUs are asked for as the static policy wants it: a
// whole number, with the same limit.
func (a *adopter) wholeCPUs(r kubelet.Requirements) int {
	request, asked := r.Requests[resourceCPU]
	limit, bounded := r.Limits[resourceCPU]
	if !asked || bounded && !request.Equal(limit) || !bounded && listsLimits.Has(a.release) {
		return 0
	}
	n, ok := request.Plain()
	if !ok || n < 1 || n > maxCPUs || !request.Equal(quantity.New(n, false, quantity.DecimalSI)) {
		return 0
	}
	return int(n)
}
