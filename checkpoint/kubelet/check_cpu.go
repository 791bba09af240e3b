package kubelet

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"
)

const (
	codeSetInvalid   = "cpuset-invalid"
	codeSetSpelling  = "cpuset-not-canonical"
	codeInDefault    = "cpu-in-default"
	codeSharedCPU    = "cpu-held-twice"
	codeDefaultEmpty = "default-cpuset-empty"
	codeInNoSet      = "cpu-in-no-set"
)

// holder is who holds a CPU set.
type holder struct {
	pod, path string
	set       cpuset.CPUSet
	severity  Severity // of an overlap with the default set
}

// checkCPU looks for CPUs that are given out more than once. Containers of one
// pod may share CPUs, as init containers do with what runs after them.
func checkCPU(content any, add func(Finding)) {
	st := content.(*CPUState)
	defaults, ok := parseSet(st.DefaultCPUSet, "defaultCpuSet", add)
	var held []holder
	whole := ok // all sets that give CPUs away could be read
	overlap := SeverityError
	if st.PolicyName == "none" {
		overlap = SeverityWarning // the policy that does not look
	}
	each := func(pods map[string]map[string]string, root string, holds bool) {
		for _, pod := range slices.Sorted(maps.Keys(pods)) {
			for _, name := range slices.Sorted(maps.Keys(pods[pod])) {
				path := join(join(root, pod), name)
				set, ok := parseSet(pods[pod][name], path, add)
				if ok && holds {
					held = append(held, holder{pod, path, set, overlap})
				}
				whole = whole && (ok || !holds)
			}
		}
	}
	each(st.Entries, "entries", true)
	each(st.Baselines, "baselines", false)
	for _, pod := range slices.Sorted(maps.Keys(st.PodEntries)) {
		path := join("podEntries", pod)
		set, ok := parseSet(st.PodEntries[pod], path, add)
		if ok {
			held = append(held, holder{pod, path, set, SeverityWarning}) // no kubelet looks at these
		}
		whole = whole && ok
	}
	for _, id := range slices.Sorted(maps.Keys(st.Containers)) {
		path := join("entries", id)
		set, ok := parseSet(st.Containers[id], path, add)
		if ok {
			held = append(held, holder{"container " + id, path, set, overlap})
		}
		whole = whole && ok
	}
	if ok && defaults.IsEmpty() && len(held) > 0 && st.PolicyName == "static" {
		add(Finding{codeDefaultEmpty, SeverityError, "defaultCpuSet", "CPUs are assigned, but no CPU is left in the default set",
			"a kubelet with the static policy does not start on this: \"default cpuset cannot be empty\"; drain the node, keep a copy of the file and delete it: what pods hold by it is forgotten"})
	}
	overlaps(held, defaults, add)
	if whole && !defaults.IsEmpty() && st.PolicyName != "none" {
		inNoSet(held, defaults, add)
	}
}

// inNoSet reports the CPUs below the highest one that nobody has. A file alone
// does not tell reserved CPUs, which strict-cpu-reservation keeps out of the
// default set, or those that are off, from CPUs whose entry is gone.
func inNoSet(held []holder, defaults cpuset.CPUSet, add func(Finding)) {
	known := map[int]bool{}
	for _, set := range append(setsOf(held), defaults) {
		for _, cpu := range set.UnsortedList() {
			known[cpu] = true
		}
	}
	var gaps []string
	next := 0
	for _, cpu := range slices.Sorted(maps.Keys(known)) {
		switch {
		case cpu == next+1:
			gaps = append(gaps, strconv.Itoa(next))
		case cpu > next:
			gaps = append(gaps, fmt.Sprintf("%d-%d", next, cpu-1))
		}
		next = cpu + 1
	}
	if len(gaps) == 0 {
		return
	}
	severity := SeverityWarning
	if len(held) == 0 {
		severity = SeverityInfo // as every file is while strict-cpu-reservation keeps some back
	}
	which := "CPUs " + strings.Join(gaps, ",") + " are"
	if _, err := strconv.Atoi(strings.Join(gaps, ",")); err == nil {
		which = "CPU " + gaps[0] + " is"
	}
	add(Finding{codeInNoSet, severity, "defaultCpuSet",
		which + " in no set: reserved with strict-cpu-reservation, off, or of an entry that is gone",
		"if they are neither reserved nor off, pods that run may still hold them: drain the node before anything gives them to others"})
}

func setsOf(held []holder) (sets []cpuset.CPUSet) {
	for _, h := range held {
		sets = append(sets, h.set)
	}
	return sets
}

// overlaps reports each holder that shares CPUs with the default set or with
// another pod. It walks the CPUs once, however many holders there are.
func overlaps(held []holder, defaults cpuset.CPUSet, add func(Finding)) {
	owner := map[int]int{} // CPU → index of the first holder
	for i, h := range held {
		if both := h.set.Intersection(defaults); !both.IsEmpty() {
			hint := "a kubelet with the static policy does not start on this (\"overlaps with default cpuset\"); drain the node, keep a copy of the file and delete it: what pods hold by it is forgotten"
			if h.severity != SeverityError {
				hint = "the kubelet starts all the same, and other containers run on these CPUs too"
			}
			add(Finding{codeInDefault, h.severity, h.path,
				fmt.Sprintf("CPUs %s are held exclusively and are in the default set as well", both), hint})
		}
		shared := map[int][]int{} // other holder → CPUs
		for _, cpu := range h.set.UnsortedList() {
			if j, taken := owner[cpu]; !taken {
				owner[cpu] = i
			} else if held[j].pod != h.pod {
				shared[j] = append(shared[j], cpu)
			}
		}
		for _, j := range slices.Sorted(maps.Keys(shared)) {
			add(Finding{codeSharedCPU, SeverityWarning, h.path,
				fmt.Sprintf("CPUs %s are held by %s as well", cpuset.New(shared[j]...), held[j].path),
				"two pods believe that these CPUs are theirs alone; restart one of them once the node is drained"})
		}
	}
}

func parseSet(text, path string, add func(Finding)) (cpuset.CPUSet, bool) {
	set, err := cpuset.Parse(text)
	if err != nil {
		add(Finding{codeSetInvalid, SeverityError, path, fmt.Sprintf("%.60q is no CPU set: %v", text, err),
			"CPU sets look like 0-3,8; the kubelet refuses the file"})
		return set, false
	}
	if canonical := set.String(); canonical != text {
		add(Finding{codeSetSpelling, SeverityWarning, path, fmt.Sprintf("the kubelet writes the CPU set %.60q as %.60q", text, canonical),
			"the file was edited by hand; it means the same"})
	}
	return set, true
}
