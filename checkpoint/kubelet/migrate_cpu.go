package kubelet

import (
	"maps"
	"slices"
)

var cpuMembers = []member{
	{name: "podEntries", span: Span{From: "1.36"}, gate: GatePodLevelResourceManagers},
	{name: "baselines", span: Span{From: "1.37"}, gate: GateExclusiveCPUResize},
}

// convertCPU changes between cpu/v1, which names containers by id, and the
// rest. A container that is not known is an error: its CPUs would belong to
// nobody, not even to the shared pool.
func convertCPU(content any, from, to *format, env *environment) (any, error) {
	in := content.(*CPUState)
	switch {
	case from == cpuV1Format:
		taken := map[ContainerRef]bool{}
		for _, id := range slices.Sorted(maps.Keys(in.Containers)) {
			ref, ok := env.containers[id]
			switch {
			case !ok:
				return nil, &ContainersError{ID: id}
			case taken[ref]:
				return nil, &ContainersError{Ref: ref, N: 2}
			}
			taken[ref] = true
		}
		out, _ := lookUp(in, "", env.containers)
		return out, nil
	case to != cpuV1Format:
		return content, nil
	}
	ids := map[ContainerRef][]string{}
	for id, ref := range env.containers {
		ids[ref] = append(ids[ref], id)
	}
	out := *in
	out.Entries, out.Containers = nil, map[string]string{}
	for _, pod := range slices.Sorted(maps.Keys(in.Entries)) {
		for _, name := range slices.Sorted(maps.Keys(in.Entries[pod])) {
			ref := ContainerRef{pod, name}
			if n := len(ids[ref]); n != 1 {
				return nil, &ContainersError{Ref: ref, N: n}
			}
			out.Containers[ids[ref][0]] = in.Entries[pod][name]
		}
	}
	return &out, nil
}
