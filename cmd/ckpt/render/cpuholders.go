package render

import (
	"math"
	"sort"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// holder is a pod, or a container of cpu/v1, that has CPUs of its own.
type holder struct {
	name  string
	code  text // in the map
	rows  []holding
	owned cpuList // all its CPUs
	lent  cpuList // those of the pod that no container has to itself
}

// holding is one set of a holder.
type holding struct {
	who      text
	cpus     cpuList
	written  string // as the file has it
	ok       bool   // it parses
	baseline string // before a resize; "" if there is none
}

// holders returns who holds CPUs, in order of the lowest one.
func holders(s *kubelet.CPUState) []holder {
	var list []holder
	pods := map[string]bool{}
	for pod := range s.Entries {
		pods[pod] = true
	}
	for pod := range s.PodEntries {
		pods[pod] = true
	}
	for pod := range s.Baselines {
		pods[pod] = true
	}
	for _, pod := range sortedKeys(pods) {
		list = append(list, podHolder(s, pod))
	}
	for _, id := range sortedKeys(s.Containers) {
		h := holder{name: id}
		h.add("", s.Containers[id])
		list = append(list, h)
	}
	sort.SliceStable(list, func(i, j int) bool { return lowest(list[i].owned) < lowest(list[j].owned) })
	for i := range list {
		list[i].code = code(i, len(list))
	}
	return list
}

func podHolder(s *kubelet.CPUState, pod string) holder {
	h := holder{name: pod}
	var exclusive cpuList
	for _, container := range sortedKeys(s.Entries[pod]) {
		cpus := h.add(name(container), s.Entries[pod][container])
		h.rows[len(h.rows)-1].baseline = s.Baselines[pod][container]
		exclusive = exclusive.union(cpus)
	}
	for _, container := range sortedKeys(s.Baselines[pod]) {
		if _, ok := s.Entries[pod][container]; !ok {
			h.rows = append(h.rows, holding{who: name(container), ok: true, baseline: s.Baselines[pod][container]})
		}
	}
	if set, ok := s.PodEntries[pod]; ok {
		cpus := h.add("(pod)", set)
		h.lent = cpus.without(exclusive)
	}
	return h
}

func (h *holder) add(who text, set string) cpuList {
	cpus, ok := parseCPUs(set)
	h.rows = append(h.rows, holding{who: who, cpus: cpus, written: set, ok: ok})
	h.owned = h.owned.union(cpus)
	return cpus
}

func lowest(l cpuList) int {
	if len(l) == 0 {
		return math.MaxInt
	}
	return l[0].from
}

// code returns the letters of the i-th of n holders: A to Z, or as many letters
// as tell n apart.
func code(i, n int) text {
	letters := 1
	for codes := 26; codes < n; codes *= 26 {
		letters++
	}
	var b strings.Builder
	for div := pow26(letters - 1); div > 0; div /= 26 {
		b.WriteByte('A' + byte(i/div%26))
	}
	return text(b.String())
}

func pow26(n int) int {
	p := 1
	for range n {
		p *= 26
	}
	return p
}
