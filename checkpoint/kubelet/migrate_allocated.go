package kubelet

var allocatedMembers = []member{
	{name: "PodLevelResources", span: Span{From: "1.35"}},
	{name: "EmptyDirVolumeLimits", span: Span{From: "1.37"}},
	{name: "resizeStatusEntries", span: Span{To: "1.31"}},
	{name: "limits", reason: "allocated/v1 holds requests only"},
	{name: "claims", reason: "allocated/v1 holds requests only"},
}

// convertAllocated changes what is kept of a container: its requests in v1,
// limits and claims beside them later; and of a pod: more than its containers
// in v3.
func convertAllocated(content any, from, to *format, _ *environment) (any, error) {
	in := content.(*AllocatedState)
	all := in.Containers
	switch from {
	case allocatedV1Format:
		all = eachContainer(in.Lists, func(requests ResourceList) Requirements { return Requirements{Requests: requests} })
	case allocatedV3Format:
		all = eachIn(in.Pods, func(p PodResources) map[string]Requirements { return p.ContainerResources })
	}
	switch to {
	case allocatedV1Format:
		return &AllocatedState{Lists: eachContainer(all, func(r Requirements) ResourceList { return r.Requests })}, nil
	case allocatedV3Format:
		return &AllocatedState{Pods: eachIn(all, func(containers map[string]Requirements) PodResources {
			return PodResources{ContainerResources: containers}
		})}, nil
	}
	return &AllocatedState{Containers: all}, nil
}

// eachIn converts the values of a map, nil to nil and empty to empty.
func eachIn[K comparable, A, B any](m map[K]A, convert func(A) B) map[K]B {
	if m == nil {
		return nil
	}
	out := make(map[K]B, len(m))
	for k, a := range m {
		out[k] = convert(a)
	}
	return out
}

func eachContainer[A, B any](pods map[string]map[string]A, convert func(A) B) map[string]map[string]B {
	return eachIn(pods, func(containers map[string]A) map[string]B { return eachIn(containers, convert) })
}
