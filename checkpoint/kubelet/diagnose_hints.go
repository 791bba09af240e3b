package kubelet

import (
	"maps"
	"slices"
)

// HintsOf returns the names of pods and containers in the contents of files
// (see [Verdict.Content]): the other files of a node name the same pods.
func HintsOf(contents ...any) Hints {
	pods, names := map[string]bool{}, map[string]bool{}
	for _, content := range contents {
		switch st := content.(type) {
		case *CPUState:
			addHints(pods, names, st.Entries)
		case *MemoryState:
			addHints(pods, names, st.Entries)
		case *DeviceState:
			for _, e := range st.PodDeviceEntries {
				pods[e.PodUID], names[e.ContainerName] = true, true
			}
		case *DRAState:
			for _, c := range st.ClaimInfoStateList {
				for pod := range c.PodUIDs {
					pods[pod] = true
				}
			}
		case *AllocatedState:
			addHints(pods, names, st.Containers)
			addHints(pods, names, st.Lists)
			for pod, p := range st.Pods {
				pods[pod] = true
				for name := range p.ContainerResources {
					names[name] = true
				}
			}
		}
	}
	return Hints{slices.Sorted(maps.Keys(pods)), slices.Sorted(maps.Keys(names))}
}

func addHints[M ~map[string]map[string]V, V any](pods, names map[string]bool, entries M) {
	for pod, containers := range entries {
		pods[pod] = true
		for name := range containers {
			names[name] = true
		}
	}
}
