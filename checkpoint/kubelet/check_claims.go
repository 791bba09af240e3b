package kubelet

import (
	"fmt"
	"maps"
	"slices"
)

const (
	codeClaimTwice = "claim-twice"
	codeNoPods     = "claim-without-pods"
	codeAboveLimit = "request-above-limit"
)

// checkDRA looks for claims that are listed twice or held by nobody.
func checkDRA(content any, add func(Finding)) {
	st := content.(*DRAState)
	first := map[string]int{}
	one := func(list string, i int, uid, namespace, name string, pods int) {
		path := fmt.Sprintf("%s[%d]", list, i)
		if j, twice := first[uid]; twice {
			add(Finding{codeClaimTwice, SeverityError, path, fmt.Sprintf("claim %s/%s is listed at %s[%d] as well", namespace, name, list, j),
				"the kubelet keeps one of the two; unprepare the claim by deleting its pods"})
		} else {
			first[uid] = i
		}
		if pods == 0 {
			add(Finding{codeNoPods, SeverityInfo, path, fmt.Sprintf("no pod uses claim %s/%s", namespace, name),
				"the kubelet unprepares it when its driver answers"})
		}
	}
	for i, c := range st.Claims {
		one("entries", i, c.ClaimUID, c.Namespace, c.ClaimName, len(c.PodUIDs))
	}
	for i, c := range st.ClaimInfoStateList {
		one("ClaimInfoStateList", i, c.ClaimUID, c.Namespace, c.ClaimName, len(c.PodUIDs))
	}
}

// checkAllocated looks for requests above their limits. That all quantities
// parse was checked when the file was decoded.
func checkAllocated(content any, add func(Finding)) {
	st := content.(*AllocatedState)
	one := func(path string, r Requirements) {
		for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
			request := r.Requests[name]
			if limit, ok := r.Limits[name]; ok && request.Cmp(limit) > 0 {
				add(Finding{codeAboveLimit, SeverityWarning, path + ".requests." + string(name),
					fmt.Sprintf("the request %s is above the limit %s", request.String(), limit.String()),
					"no API server admits such a pod: the file was edited"})
			}
		}
	}
	for _, pod := range slices.Sorted(maps.Keys(st.Pods)) {
		for _, name := range slices.Sorted(maps.Keys(st.Pods[pod].ContainerResources)) {
			one(join(join("entries", pod), "ContainerResources."+name), st.Pods[pod].ContainerResources[name])
		}
		if level := st.Pods[pod].PodLevelResources; level != nil {
			one(join(join("entries", pod), "PodLevelResources"), *level)
		}
	}
	for _, pod := range slices.Sorted(maps.Keys(st.Containers)) {
		for _, name := range slices.Sorted(maps.Keys(st.Containers[pod])) {
			one(join(join("allocationEntries", pod), name), st.Containers[pod][name])
		}
	}
}
