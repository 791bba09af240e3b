package kubelet

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/checksum"
	"k8s.io/utils/cpuset"
)

var cpuNames = checksum.Merge(
	checksum.Name[cpuPods]("state.PodCPUAssignments"),
	checksum.Name[cpuPod]("state.PodEntry"),
	checksum.Name[cpuPodJSON]("state.podEntryJSON"),
	checksum.Name[cpuV4Data]("state.CPUManagerCheckpointData"),
	checksum.Name[cpuBaseline]("state.ContainerCPUs"),
)

var cpuTable = kindTable{
	kind:    CPU,
	formats: []*format{cpuV4Format, cpuV2Format, cpuV3Format, cpuV1Format, cpuV4DraftFormat},
	remarks: []string{"1.18 to 1.36 read cpu/v1 only while the containers in it run"},
	gates: []gateUse{
		{GatePodLevelResourceManagers, Span{From: "1.36"}},
		{GateExclusiveCPUResize, Span{From: "1.37"}},
	},
	paths: []path{
		{span: Span{"1.10", "1.17"}, attempts: []attempt{
			{format: cpuV1Format, types: checksum.Name[cpuV1]("state.CPUManagerCheckpoint"),
				sums: []string{"state.CPUManagerCheckpoint"}, zeroPasses: true},
		}},
		{span: Span{"1.18", "1.35"}, attempts: []attempt{
			{format: cpuV1Format, types: checksum.Name[cpuV1]("state.CPUManagerCheckpointV1"),
				sums: []string{"state.CPUManagerCheckpoint"}, zeroPasses: true,
				lookup: "error migrating v1 checkpoint state to v2 checkpoint state: "},
			{format: cpuV2Format, types: checksum.Name[cpuV2]("state.CPUManagerCheckpoint"),
				sums: []string{"state.CPUManagerCheckpoint"}, zeroPasses: true},
		}},
		{span: Span{"1.36", "1.36"}, gates: map[string]bool{GatePodLevelResourceManagers: false}, attempts: []attempt{
			{format: cpuV2Format, types: checksum.Name[cpuV2]("state.CPUManagerCheckpointV2"),
				sums: []string{"state.CPUManagerCheckpointV2", "state.CPUManagerCheckpoint"}, zeroPasses: true},
			{format: cpuV1Format, types: checksum.Name[cpuV1]("state.CPUManagerCheckpointV1"),
				sums: []string{"state.CPUManagerCheckpoint"}, zeroPasses: true,
				lookup: "failed to migrate checkpoint from v1 to v2: "},
		}},
		{span: Span{"1.36", "1.36"}, gates: map[string]bool{GatePodLevelResourceManagers: true}, keeps: true, attempts: []attempt{
			{format: cpuV3Format, types: checksum.Name[cpuV3]("state.CPUManagerCheckpoint"),
				sums: []string{"state.CPUManagerCheckpoint"}},
			{format: cpuV2Format, types: checksum.Name[cpuV2]("state.CPUManagerCheckpointV2"),
				sums: []string{"state.CPUManagerCheckpoint"}, zeroPasses: true},
			{format: cpuV1Format, types: checksum.Name[cpuV1]("state.CPUManagerCheckpointV1"),
				sums: []string{"state.CPUManagerCheckpoint"}, zeroPasses: true,
				lookup: "failed to migrate checkpoint from v1 to v2: "},
		}},
		{span: Span{From: "1.37"}, gates: map[string]bool{GatePodLevelResourceManagers: false},
			attempts: cpuAttempts137("state.CPUManagerCheckpointV2", "state.CPUManagerCheckpoint")},
		{span: Span{From: "1.37"}, gates: map[string]bool{GatePodLevelResourceManagers: true},
			attempts: cpuAttempts137("state.CPUManagerCheckpoint")},
	},
	refusal: func(r reader, file, err string) string {
		if (Span{To: "1.17"}).Has(r.release.Name) {
			return fmt.Sprintf("could not restore state from checkpoint: %s\nPlease drain this node and delete the CPU manager checkpoint file %q before restarting Kubelet.", err, rootDir+file)
		}
		return fmt.Sprintf("could not restore state from checkpoint: %s, please drain this node and delete the CPU manager checkpoint file %q before restarting Kubelet", err, rootDir+file)
	},
	restore:   restoreCPU,
	overlay:   overlayCPU,
	canonical: canonicalCPU,
	policy:    func(content any) string { return content.(*CPUState).PolicyName },
	convert:   convertCPU,
	members:   cpuMembers,
	check:     checkCPU,
}

// cpuAttempts137 is the path of 1.37, where the gate decides only which names
// the sum of a cpu/v2 file may be taken under.
func cpuAttempts137(v2Sums ...string) []attempt {
	types := checksum.Merge(checksum.Name[cpuV4]("state.CPUManagerCheckpoint"), checksum.Name[cpuV2]("state.CPUManagerCheckpointV2"))
	return []attempt{
		{format: cpuV4Format, types: types, sums: []string{"string"}, noFallback: "could not load v4 checkpoint: "},
		{format: cpuV3Format, types: checksum.Name[cpuV3]("state.CPUManagerCheckpointV3"),
			sums: []string{"state.CPUManagerCheckpointV3", "state.CPUManagerCheckpoint"}},
		{format: cpuV2Format, types: checksum.Name[cpuV2]("state.CPUManagerCheckpointV2"), sums: v2Sums, zeroPasses: true},
	}
}

func restoreCPU(content any, r reader, env *environment) (any, *refusal) {
	in := content.(*CPUState)
	if in.PolicyName != env.policy {
		return nil, &refusal{err: fmt.Sprintf("configured policy %q differs from state checkpoint policy %q", env.policy, in.PolicyName)}
	}
	set, err := r.parseCPUs(in.DefaultCPUSet)
	if err != nil {
		cpus := "cpu"
		if (Span{From: "1.37"}).Has(r.release.Name) {
			cpus = "CPU"
		}
		return nil, &refusal{err: fmt.Sprintf("could not parse default %s set %q: %v", cpus, in.DefaultCPUSet, err)}
	}
	st := &CPUState{PolicyName: in.PolicyName, DefaultCPUSet: set.String()}
	var no *refusal
	if st.Entries, no = canonicalSets(r, in.Entries, "cpuset"); no != nil {
		return nil, no
	}
	if in.Containers != nil {
		byID, no := canonicalSets(r, map[string]map[string]string{"": in.Containers}, "")
		if no != nil {
			return nil, no
		}
		st.Containers = byID[""]
	}
	if r.on(GateExclusiveCPUResize) {
		if len(in.Baselines) == 0 {
			// No release without the gate could have resized anything.
			st.Baselines = st.Entries
		} else if st.Baselines, no = canonicalSets(r, in.Baselines, "Baseline cpuset"); no != nil {
			return nil, no
		}
	}
	if r.on(GatePodLevelResourceManagers) {
		st.PodEntries = in.PodEntries
	}
	return st, nil
}

// canonicalSets parses all sets. If several do not parse, the kubelet names
// one of them by map order; we name the first by key. It returns pods itself if
// they are spelled canonically already, which nearly all are.
func canonicalSets(r reader, pods map[string]map[string]string, what string) (map[string]map[string]string, *refusal) {
	if areCanonical(pods) {
		return pods, nil
	}
	out := make(map[string]map[string]string, len(pods))
	var faults []string
	for _, pod := range slices.Sorted(maps.Keys(pods)) {
		out[pod] = make(map[string]string, len(pods[pod]))
		for _, name := range slices.Sorted(maps.Keys(pods[pod])) {
			text := pods[pod][name]
			set, err := r.parseCPUs(text)
			switch {
			case err == nil:
				out[pod][name] = set.String()
			case what == "":
				faults = append(faults, fmt.Sprintf("could not parse cpuset %q for container id %q: %v", text, name, err))
			default:
				faults = append(faults, fmt.Sprintf("could not parse %s %q for container %q in pod %q: %v", what, text, name, pod, err))
			}
		}
	}
	if faults != nil {
		return nil, &refusal{err: faults[0], others: faults[1:]}
	}
	return out, nil
}

func areCanonical(pods map[string]map[string]string) bool {
	for _, containers := range pods {
		for _, text := range containers {
			if !canonicalList([]byte(text)) {
				return false
			}
		}
		if containers == nil {
			return false
		}
	}
	return pods != nil
}

// lookUp replaces container IDs by pods and container names.
func lookUp(in *CPUState, words string, containers map[string]ContainerRef) (any, *refusal) {
	if in.Containers == nil {
		return in, nil
	}
	out := *in
	out.Containers, out.Entries = nil, map[string]map[string]string{}
	var faults []string
	for _, id := range slices.Sorted(maps.Keys(in.Containers)) {
		ref, ok := containers[id]
		switch {
		case ok && out.Entries[ref.PodUID] == nil:
			out.Entries[ref.PodUID] = map[string]string{ref.Name: in.Containers[id]}
		case ok:
			out.Entries[ref.PodUID][ref.Name] = in.Containers[id]
		default:
			faults = append(faults, words+"containerID '"+id+"' not found in initial containers list")
		}
	}
	if faults != nil {
		return nil, &refusal{err: faults[0], others: faults[1:]}
	}
	return &out, nil
}

func overlayCPU(under, over any) any {
	out, top := *under.(*CPUState), over.(*CPUState)
	if top.PolicyName != "" {
		out.PolicyName = top.PolicyName
	}
	if top.DefaultCPUSet != "" {
		out.DefaultCPUSet = top.DefaultCPUSet
	}
	if len(top.Entries) > 0 {
		out.Entries = top.Entries
	}
	return &out
}

// canonicalCPU spells all sets as the kubelet does, and leaves out what is
// keyed by container ID: a kubelet either finds all of those or none.
func canonicalCPU(content any) any {
	f := *content.(*CPUState)
	f.Containers = nil
	if sets, no := canonicalSets(reader{}, f.Entries, ""); no == nil {
		f.Entries = sets
	}
	if sets, no := canonicalSets(reader{}, f.Baselines, ""); no == nil {
		f.Baselines = sets
	}
	if set, err := cpuset.Parse(f.DefaultCPUSet); err == nil {
		f.DefaultCPUSet = set.String()
	}
	return &f
}
