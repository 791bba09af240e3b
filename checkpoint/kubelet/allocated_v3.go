package kubelet

import (
	"encoding/json"
	"reflect"

	"github.com/kubeckpt/ckpt/checksum"
)

// allocatedV3 is the envelope of allocatedV2 around another document, so that
// each reads the other's file as an empty one.
type allocatedV3 struct {
	Data     string            `json:"data"`
	Checksum checksum.Checksum `json:"checksum"`
}

// allocatedV3Data is the inner document. P is what a release knows of a pod.
type allocatedV3Data[P any] struct {
	Entries allocatedPods[P] `json:"entries,omitempty"`
}

type allocatedPods[P any] map[string]P

// allocatedPod133 is what 1.33 and 1.34 know.
type allocatedPod133 struct {
	ContainerResources map[string]Requirements
}

// allocatedPod135 is what 1.35 and 1.36 know.
type allocatedPod135 struct {
	ContainerResources map[string]Requirements
	PodLevelResources  *Requirements
}

func (p allocatedPod133) full() PodResources {
	return PodResources{ContainerResources: p.ContainerResources}
}

func (p allocatedPod135) full() PodResources {
	return PodResources{ContainerResources: p.ContainerResources, PodLevelResources: p.PodLevelResources}
}

func (p PodResources) full() PodResources { return p }

func allocatedPod133Of(p PodResources) allocatedPod133 {
	return allocatedPod133{p.ContainerResources}
}

func allocatedPod135Of(p PodResources) allocatedPod135 {
	return allocatedPod135{p.ContainerResources, p.PodLevelResources}
}

var allocatedV3Format = &format{
	id:    FormatID{Allocated, "v3"},
	title: "limits and requests of each pod as a JSON string",
	shape: `{"data":"{\"entries\":{POD:{\"ContainerResources\":{CONTAINER:{\"limits\":{…},\"requests\":{…}}},` +
		`\"PodLevelResources\":…,\"EmptyDirVolumeLimits\":{VOLUME:\"1Gi\"}}}}","checksum":N}`,
	source: "pkg/kubelet/allocation/state of Kubernetes 1.33, 1.35 (PodLevelResources) and 1.37 (EmptyDirVolumeLimits)",
	writes: []writer{{Span{From: "1.33"}, ""}},
	fresh:  func() any { return &allocatedV3{} },
	inner: &innerDoc{"data", reflect.TypeFor[allocatedV3Data[PodResources]](), []reflect.Type{
		reflect.TypeFor[allocatedV3Data[allocatedPod135]](), reflect.TypeFor[allocatedV3Data[allocatedPod133]](),
	}, of(func(d *allocatedV3) string { return d.Data })},
	names: allocatedV3Names,
	sums: []sum{sumOf("checksum", algFNV, func(d *allocatedV3) *checksum.Checksum { return &d.Checksum },
		dumpedString(func(d *allocatedV3) string { return d.Data }))},
	build: of3(func(st *AllocatedState, release string) (any, error) {
		switch {
		case (Span{From: "1.37"}).Has(release):
			return buildAllocatedV3(st, PodResources.full)
		case (Span{From: "1.35"}).Has(release):
			return buildAllocatedV3(st, allocatedPod135Of)
		}
		return buildAllocatedV3(st, allocatedPod133Of)
	}),
	content: allocatedV3Content(PodResources.full),
}

// allocatedV3Content decodes the inner document as a release does that knows P.
func allocatedV3Content[P any](full func(P) PodResources) func(any) (any, error) {
	return of2(func(d *allocatedV3) (any, error) {
		var data allocatedV3Data[P]
		if err := json.Unmarshal([]byte(d.Data), &data); err != nil {
			return nil, &stage{"failed to get pod resource information: ", err, true}
		}
		st := &AllocatedState{}
		if data.Entries != nil {
			st.Pods = make(map[string]PodResources, len(data.Entries))
		}
		for uid, pod := range data.Entries {
			st.Pods[uid] = full(pod)
		}
		return st, nil
	})
}

// allocatedV3Limit leaves of each pod what a release knows that knows P.
func allocatedV3Limit[P interface{ full() PodResources }](known func(PodResources) P) func(any) any {
	return func(whole any) any {
		in, st := whole.(*AllocatedState), &AllocatedState{}
		if in.Pods != nil {
			st.Pods = make(map[string]PodResources, len(in.Pods))
		}
		for uid, pod := range in.Pods {
			st.Pods[uid] = known(pod).full()
		}
		return st
	}
}

// buildAllocatedV3 writes the inner document as a release does that knows P.
func buildAllocatedV3[P any](st *AllocatedState, pod func(PodResources) P) (*allocatedV3, error) {
	data := allocatedV3Data[P]{}
	if st.Pods != nil {
		data.Entries = make(allocatedPods[P], len(st.Pods))
	}
	for uid, p := range st.Pods {
		data.Entries[uid] = pod(p)
	}
	text, err := marshalInner(data)
	return &allocatedV3{Data: text}, err
}
