package preflight

import "slices"

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
