package preflight

import (
	"errors"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// lostFrom says what tells that somebody may hold something of which a file knows
// nothing, as adopting it asks; "" if nothing does.
func (a *adviser) lostFrom(name string) string {
	ad := newAdopter(*a.q, name)
	content, err := ad.told(name)
	switch st := content.(type) {
	case *kubelet.CPUState:
		if st.PolicyName == policyStatic {
			held, _ := a.q.holders(name)
			known := newList(slices.Concat(mustList(st.DefaultCPUSet), heldCPUs(held)))
			if err = ad.notHeldBefore(a.q.Machine.cpus().minus(known)); err == nil {
				err = ad.nobodyLost(st)
			}
		}
	case *kubelet.MemoryState:
		if st.PolicyName == memoryStatic {
			err = ad.noMemoryLost(st)
		}
	}
	var no *NotAdoptedError
	if errors.As(err, &no) {
		return no.Reason
	}
	return ""
}

// noMemoryLost refuses if another file of the node names a pod that may hold
// memory, and old does not: one of CPUs of its own, or of the class Guaranteed.
func (a *adopter) noMemoryLost(old *kubelet.MemoryState) error {
	knows := func(pod string) bool { return len(old.Entries[pod]) > 0 || len(old.PodEntries[pod].MemoryBlocks) > 0 }
	for _, name := range []string{CPUManagerState, AllocatedPods, ActuatedPods, PodStatusManager} {
		content, err := a.told(name)
		if err != nil {
			return err
		}
		var pods []string
		switch st := content.(type) {
		case *kubelet.CPUState:
			held, _ := a.q.holders(name)
			for _, h := range held {
				pods = append(pods, h.Pod)
			}
		case *kubelet.AllocatedState:
			all := st.ByPod()
			pods = slices.DeleteFunc(sortedKeys(all), func(pod string) bool { return !guaranteed(all[pod], st.Lists == nil) })
		}
		if i := slices.IndexFunc(pods, func(pod string) bool { return !knows(pod) }); i >= 0 {
			return a.refuse("by %s, pod %s may hold memory", name, pods[i])
		}
	}
	return nil
}

// guaranteed reports whether all of a pod is bounded by what it asks for.
// Kubelets up to 1.31 list requests only.
func guaranteed(pod kubelet.PodResources, listsLimits bool) bool {
	bounded := func(r kubelet.Requirements) bool {
		for _, name := range []kubelet.ResourceName{resourceCPU, resourceMemory} {
			request, asked := r.Requests[name]
			limit, has := r.Limits[name]
			if !asked || request.Sign() == 0 || has && !request.Equal(limit) || !has && listsLimits {
				return false
			}
		}
		return true
	}
	if pod.PodLevelResources != nil {
		return bounded(*pod.PodLevelResources)
	}
	for _, r := range pod.ContainerResources {
		if !bounded(r) {
			return false
		}
	}
	return len(pod.ContainerResources) > 0
}

// givenUp says what pods hold by a file, and would not by a new one: the kubelet
// that reads the new one takes it for free.
func (a *adviser) givenUp(name string, blob []byte) (what string, pods []Holder) {
	before := a.holders(name)
	after, _ := (&Question{Files: Files{name: blob}}).holders(name)
	if name == CPUManagerState {
		gone := heldCPUs(before).minus(heldCPUs(after)) // files of before 1.18 call pods differently
		return heldWords(gone), holding(before, gone)
	}
	for _, h := range before {
		i := slices.IndexFunc(after, func(n Holder) bool { return n.Pod == h.Pod })
		if i < 0 || h.holdsMore(after[i]) {
			pods = append(pods, h)
		}
	}
	return map[string]string{MemoryManagerState: "memory is held", DeviceCheckpoint: "devices are held", DRAManagerState: "claims are held"}[name], pods
}

func heldCPUs(held []Holder) (all cpuList) {
	for _, h := range held {
		all = append(all, mustList(h.CPUs)...)
	}
	return newList(all)
}

// holdsMore reports whether h has memory or devices that n has not.
func (h Holder) holdsMore(n Holder) bool {
	for name, amount := range h.Memory {
		if amount > n.Memory[name] {
			return true
		}
	}
	for name, count := range h.Devices {
		if count > n.Devices[name] {
			return true
		}
	}
	return false
}
