package preflight

import (
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// Holder is what a pod holds by what a state file says.
type Holder struct {
	Pod     string            `json:"pod"` // UID; a container's id in files of before 1.18
	CPUs    string            `json:"cpus,omitempty"`
	Memory  map[string]uint64 `json:"memory,omitempty"`  // by type, in bytes
	Devices map[string]int    `json:"devices,omitempty"` // by resource
	// Allocated is what the pod's containers were admitted with, or the pod as a
	// whole, by resource.
	Allocated map[string]string `json:"allocated,omitempty"`
}

// holders reads who holds what from a file. readable is false for a file that
// does not tell, or may not have told all: one that is broken.
func (q *Question) holders(name string) (held []Holder, readable bool) {
	blob, found := q.Files[name]
	if !found {
		return nil, true
	}
	known := Releases()
	v := kubelet.Judge(blob, kubelet.Options{Kind: kubelet.KindOfName(name), FileName: name, Releases: []string{oldest, known[len(known)-1]}})
	of := map[string]*Holder{}
	pod := func(uid string) *Holder {
		if of[uid] == nil {
			of[uid] = &Holder{Pod: uid}
		}
		return of[uid]
	}
	switch st := v.Content.(type) {
	case *kubelet.CPUState:
		cpuHolders(st, pod)
	case *kubelet.MemoryState:
		memoryHolders(st, pod)
	case *kubelet.DeviceState:
		for _, e := range st.PodDeviceEntries {
			h := pod(e.PodUID)
			if h.Devices == nil {
				h.Devices = map[string]int{}
			}
			for _, ids := range e.DeviceIDs {
				h.Devices[e.ResourceName] += len(ids)
			}
		}
	case *kubelet.DRAState:
		for _, c := range st.ClaimInfoStateList {
			for uid := range c.PodUIDs {
				pod(uid)
			}
		}
		for _, c := range st.Claims {
			for uid := range c.PodUIDs {
				pod(uid)
			}
		}
	case *kubelet.AllocatedState:
		for uid, r := range st.ByPod() {
			pod(uid).Allocated = amounts(r)
		}
	case nil:
		return nil, false
	}
	for _, uid := range slices.Sorted(maps.Keys(of)) {
		held = append(held, *of[uid])
	}
	return held, v.State != kubelet.StateCorrupt && v.State != kubelet.StateDamaged
}

func cpuHolders(st *kubelet.CPUState, pod func(string) *Holder) {
	add := func(uid, set string) {
		cpus := newList(slices.Concat(mustList(pod(uid).CPUs), mustList(set)))
		pod(uid).CPUs = cpus.String()
	}
	for uid, containers := range st.Entries {
		for _, set := range containers {
			add(uid, set)
		}
	}
	for uid, set := range st.PodEntries {
		add(uid, set)
	}
	for id, set := range st.Containers {
		add(id, set)
	}
}

func memoryHolders(st *kubelet.MemoryState, pod func(string) *Holder) {
	add := func(uid string, blocks []kubelet.Block) {
		h := pod(uid)
		if h.Memory == nil {
			h.Memory = map[string]uint64{}
		}
		for _, b := range blocks {
			h.Memory[string(b.Type)] += b.Size
		}
	}
	for uid, containers := range st.Entries {
		if len(st.PodEntries[uid].MemoryBlocks) > 0 {
			continue // the containers share what the pod holds
		}
		for _, blocks := range containers {
			add(uid, blocks)
		}
	}
	for uid, held := range st.PodEntries {
		add(uid, held.MemoryBlocks)
	}
}

// holding returns those that hold any of the CPUs.
func holding(held []Holder, cpus cpuList) (some []Holder) {
	for _, h := range held {
		if len(mustList(h.CPUs).and(cpus)) > 0 {
			some = append(some, h)
		}
	}
	return some
}

// amounts adds up what is asked for, in the notation of the first container.
func amounts(pod kubelet.PodResources) map[string]string {
	sums := map[kubelet.ResourceName]quantity.Quantity{}
	for _, container := range sortedKeys(pod.ContainerResources) {
		for name, q := range pod.ContainerResources[container].Requests {
			if sum, ok := sums[name].Add(q); ok {
				sums[name] = sum
			}
		}
	}
	if pod.PodLevelResources != nil {
		maps.Copy(sums, pod.PodLevelResources.Requests)
	}
	texts := map[string]string{}
	for name, q := range sums {
		texts[string(name)] = q.String()
	}
	return texts
}
