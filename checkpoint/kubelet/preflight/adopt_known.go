package preflight

import (
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
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
	if err := a.notHeldBefore(given); err != nil {
		return err
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
	if err := a.notHeldBefore(given); err != nil {
		return err
	}
	return a.nobodyLost(old)
}

// nobodyLost refuses if any other file of the node names a pod that may hold CPUs
// of which this file knows nothing, whether or not this release reads that file:
// the kubelet that wrote it gave them away.
func (a *adopter) nobodyLost(old *kubelet.CPUState) error {
	told := map[string]bool{} // pods of which it is known what they were admitted with
	for _, name := range []string{AllocatedPods, ActuatedPods, PodStatusManager} {
		content, err := a.told(name)
		if err != nil {
			return err
		}
		st, ok := content.(*kubelet.AllocatedState)
		if !ok {
			continue // there is no such file
		}
		pods := st.ByPod()
		for _, pod := range sortedKeys(pods) {
			told[pod] = true
			if err := a.podLost(old, name, pod, pods[pod], st.Lists == nil); err != nil {
				return err
			}
		}
	}
	// Static memory is for the pods that may have CPUs of their own; devices and
	// claims may be a pod's of which nothing else is written down.
	for _, name := range []string{MemoryManagerState, DeviceCheckpoint, DRAManagerState} {
		if _, err := a.told(name); err != nil {
			return err
		}
		held, _ := a.q.holders(name)
		for _, h := range held {
			if !told[h.Pod] && len(old.Entries[h.Pod]) == 0 && old.PodEntries[h.Pod] == "" {
				return a.refuse("by %s, pod %s may hold CPUs, and it does not say which", name, h.Pod)
			}
		}
	}
	return nil
}

// told returns what a file of the node says, nil if there is none. One that is not
// as it was written may have named anybody.
func (a *adopter) told(name string) (any, error) {
	blob, found := a.q.Files[name]
	if !found {
		return nil, nil
	}
	v := kubelet.Judge(blob, kubelet.Options{Kind: kubelet.KindOfName(name), FileName: name})
	if v.State != kubelet.StateOK || v.Content == nil {
		return nil, a.refuse("%s, which could tell whether a pod was lost from it, cannot be read (%s)", name, v.State)
	}
	return v.Content, nil
}

// podLost refuses if a pod may hold more CPUs by the file found than old says.
func (a *adopter) podLost(old *kubelet.CPUState, found, pod string, r kubelet.PodResources, listsLimits bool) error {
	for _, name := range sortedKeys(r.ContainerResources) {
		n, has := wholeCPUs(r.ContainerResources[name], listsLimits), len(mustList(old.Entries[pod][name]))
		switch {
		case has >= n || old.PodEntries[pod] != "":
		case has == 0:
			return a.refuse("by %s, container %s of pod %s may hold %s, and it does not say which", found, name, pod, countCPUs(n))
		default:
			return a.refuse("by %s, container %s of pod %s may hold %s, and it says which for %d", found, name, pod, countCPUs(n), has)
		}
	}
	if r.PodLevelResources == nil {
		return nil
	}
	held := mustList(old.PodEntries[pod])
	for _, set := range old.Entries[pod] {
		held = newList(append(held, mustList(set)...))
	}
	if n := wholeCPUs(*r.PodLevelResources, listsLimits); n > len(held) {
		return a.refuse("by %s, pod %s may hold %s, and it says which for %d", found, pod, countCPUs(n), len(held))
	}
	return nil
}

func countCPUs(n int) string {
	if n == 1 {
		return "1 CPU"
	}
	return strconv.Itoa(n) + " CPUs"
}

// wholeCPUs is how many CPUs are asked for as the static policy wants it: a
// whole number, with the same limit. Kubelets up to 1.31 list requests only.
func wholeCPUs(r kubelet.Requirements, listsLimits bool) int {
	request, asked := r.Requests[resourceCPU]
	limit, bounded := r.Limits[resourceCPU]
	if !asked || bounded && !request.Equal(limit) || !bounded && listsLimits {
		return 0
	}
	n, ok := request.Int64() // of 2000m too: a kubelet may count it either way
	if !ok || n < 1 || n > maxCPUs {
		return 0
	}
	return int(n)
}

// notHeldBefore refuses CPUs in no set of the file that a pod held by a backup of it.
func (a *adopter) notHeldBefore(cpus cpuList) error {
	for _, name := range sortedKeys(a.q.Backups) {
		if !strings.HasPrefix(name, CPUManagerState+".") {
			continue
		}
		was, _ := (&Question{Files: Files{CPUManagerState: a.q.Backups[name]}}).holders(CPUManagerState)
		if by := holding(was, cpus); len(by) > 0 {
			return a.refuse("by %s, %s held by %s", name, wasWere(heldCPUs(by).and(cpus)), podList(by))
		}
	}
	return nil
}

func wasWere(l cpuList) string { return cpuWords(l) + inNumber(l, " was", " were") }
