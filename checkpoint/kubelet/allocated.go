package kubelet

import (
	"fmt"
	"maps"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// allocatedNames are the types that several versions share.
var allocatedNames = checksum.Merge(quantity.PrintedNames(),
	checksum.Name[ResourceName]("v1.ResourceName"),
	checksum.Name[ResourceList]("v1.ResourceList"),
	checksum.Name[Requirements]("v1.ResourceRequirements"),
	checksum.Name[ResourceClaim]("v1.ResourceClaim"),
	checksum.Name[resizeStatus]("v1.PodResizeStatus"),
	checksum.Name[allocatedV1]("state.PodResourceAllocationCheckpoint"),
	checksum.Name[allocatedV2]("state.Checkpoint"),
	checksum.Name[allocatedV3]("state.Checkpoint"),
)

var allocatedV2Names = checksum.Merge(allocatedNames,
	checksum.Name[allocatedV2Data]("state.PodResourceAllocationInfo"))

var allocatedV3Names = checksum.Merge(allocatedNames,
	allocatedV3NamesOf[allocatedPod133](), allocatedV3NamesOf[allocatedPod135](), allocatedV3NamesOf[PodResources]())

func allocatedV3NamesOf[P any]() checksum.Names {
	return checksum.Merge(
		checksum.Name[allocatedV3Data[P]]("state.PodResourceCheckpointInfo"),
		checksum.Name[allocatedPods[P]]("state.PodResourceInfoMap"),
		checksum.Name[P]("state.PodResourceInfo"),
	)
}

var allocatedTable = kindTable{
	kind:    Allocated,
	formats: []*format{allocatedV3Format, allocatedV2Format, allocatedV1Format},
	remarks: []string{"from 1.33 on the file has another name, so neither finds the other's"},
	paths: []path{
		{span: Span{"1.27", "1.31"}, attempts: []attempt{{
			format: allocatedV1Format, sums: []string{"state.PodResourceAllocationCheckpoint"},
		}}},
		{span: Span{"1.32", "1.32"}, attempts: []attempt{{format: allocatedV2Format, sums: []string{"string"}}}},
		{span: Span{"1.33", "1.34"}, attempts: []attempt{{
			format: allocatedV3Format, sums: []string{"string"}, content: allocatedV3Content(allocatedPod133.full), limit: allocatedV3Limit(allocatedPod133Of),
		}}},
		{span: Span{"1.35", "1.36"}, attempts: []attempt{{
			format: allocatedV3Format, sums: []string{"string"}, content: allocatedV3Content(allocatedPod135.full), limit: allocatedV3Limit(allocatedPod135Of),
		}}},
		{span: Span{From: "1.37"}, attempts: []attempt{{format: allocatedV3Format, sums: []string{"string"}}}},
	},
	refusal: func(r reader, file, err string) string {
		what, name := "pod allocation", "pod_status_manager_state"
		if (Span{From: "1.33"}).Has(r.release.Name) {
			what, name = "pod resource information", "allocated_pods_state"
			if strings.Contains(file, "actuated") {
				name = "actuated_pods_state"
			}
		}
		return fmt.Sprintf("could not restore state from checkpoint: %s, please drain this node and delete %s checkpoint file %q before restarting Kubelet", err, what, rootDir+name)
	},
	restore: restoreAllocated,
	convert: convertAllocated,
	members: allocatedMembers,
	check:   checkAllocated,
}

// restoreAllocated makes the maps that the kubelet's cache makes.
func restoreAllocated(content any, r reader, env *environment) (any, *refusal) {
	in := content.(*AllocatedState)
	st := &AllocatedState{
		Lists: filled(in.Lists, orNone), Containers: filled(in.Containers, orNone), ResizeStatus: in.ResizeStatus,
		Pods: filled(in.Pods, func(pod PodResources) (PodResources, bool) {
			none := pod.ContainerResources == nil
			pod.ContainerResources = orMade(pod.ContainerResources)
			return pod, none
		}),
	}
	switch {
	case (Span{To: "1.31"}).Has(r.release.Name):
		st.Lists = orMade(st.Lists)
	case (Span{To: "1.32"}).Has(r.release.Name):
		st.Containers = orMade(st.Containers)
	}
	return st, nil
}

func orNone[V any](containers map[string]V) (map[string]V, bool) {
	return orMade(containers), containers == nil
}

// filled returns pods with what fill changes, which is pods itself, that may be
// large, if it changes nothing.
func filled[V any](pods map[string]V, fill func(V) (V, bool)) map[string]V {
	var out map[string]V
	for pod, v := range pods {
		if full, changed := fill(v); changed {
			if out == nil {
				out = maps.Clone(pods)
			}
			out[pod] = full
		}
	}
	if out == nil {
		return pods
	}
	return out
}
