package kubelet

import (
	"fmt"

	"github.com/kubeckpt/ckpt/checksum"
)

var memoryNames = checksum.Merge(
	checksum.Name[NUMANodes]("state.NUMANodeMap"),
	checksum.Name[NUMANode]("state.NUMANodeState"),
	checksum.Name[MemoryTable]("state.MemoryTable"),
	checksum.Name[ContainerMemory]("state.ContainerMemoryAssignments"),
	checksum.Name[PodsMemory]("state.PodMemoryAssignments"),
	checksum.Name[PodMemory]("state.PodEntry"),
	checksum.Name[Block]("state.Block"),
	checksum.Name[ResourceName]("v1.ResourceName"),
	checksum.Name[memoryV3Data]("state.MemoryManagerCheckpointData"),
)

var memoryTable = kindTable{
	kind:    Memory,
	formats: []*format{memoryV3Format, memoryV1Format, memoryV2Format},
	gates:   []gateUse{{GatePodLevelResourceManagers, Span{From: "1.36"}}},
	paths: []path{
		{span: Span{"1.21", "1.35"}, attempts: []attempt{
			{format: memoryV1Format, types: checksum.Name[memoryV1]("state.MemoryManagerCheckpoint"),
				sums: []string{"state.MemoryManagerCheckpoint"}},
		}},
		{span: Span{"1.36", "1.36"}, gates: map[string]bool{GatePodLevelResourceManagers: false}, attempts: []attempt{
			{format: memoryV1Format, types: checksum.Name[memoryV1]("state.MemoryManagerCheckpointV1"),
				sums: []string{"state.MemoryManagerCheckpointV1", "state.MemoryManagerCheckpoint"}, zeroPasses: true},
		}},
		{span: Span{"1.36", "1.36"}, gates: map[string]bool{GatePodLevelResourceManagers: true}, keeps: true, attempts: []attempt{
			{format: memoryV2Format, types: checksum.Name[memoryV2]("state.MemoryManagerCheckpoint"),
				sums: []string{"state.MemoryManagerCheckpoint"}},
			{format: memoryV1Format, types: checksum.Name[memoryV1]("state.MemoryManagerCheckpointV1"),
				sums: []string{"state.MemoryManagerCheckpoint"}, zeroPasses: true},
		}},
		{span: Span{From: "1.37"}, attempts: []attempt{
			{format: memoryV3Format, types: checksum.Merge(checksum.Name[memoryV3]("state.MemoryManagerCheckpoint"),
				checksum.Name[memoryV1]("state.MemoryManagerCheckpointV1")),
				sums: []string{"string"}, noFallback: "could not load v3 checkpoint: "},
			{format: memoryV2Format, types: checksum.Name[memoryV2]("state.MemoryManagerCheckpointV2"),
				sums: []string{"state.MemoryManagerCheckpoint"}},
			{format: memoryV1Format, types: checksum.Name[memoryV1]("state.MemoryManagerCheckpointV1"),
				sums: []string{"state.MemoryManagerCheckpoint"}, zeroPasses: true},
		}},
	},
	refusal: func(r reader, file, err string) string {
		return fmt.Sprintf("could not restore state from checkpoint: %s, please drain this node and delete the memory manager checkpoint file %q before restarting Kubelet", err, rootDir+file)
	},
	restore: restoreMemory,
	overlay: overlayMemory,
	policy:  func(content any) string { return content.(*MemoryState).PolicyName },
	members: []member{{name: "podEntries", span: Span{From: "1.36"}, gate: GatePodLevelResourceManagers}},
	check:   checkMemory,
}

// nullTable is how the kubelet ends when it copies a null memory table.
var nullTable = refusal{err: "panic: runtime error: invalid memory address or nil pointer dereference", bare: true, panics: true}

func restoreMemory(content any, r reader, env *environment) (any, *refusal) {
	in := content.(*MemoryState)
	crashes := in.MachineState.hasNullTable()
	if crashes && env.fellBack {
		return nil, &nullTable // copied into the newer format before the policy is looked at
	}
	if in.PolicyName != env.policy {
		return nil, &refusal{err: fmt.Sprintf("[memorymanager] configured policy %q differs from state checkpoint policy %q", env.policy, in.PolicyName)}
	}
	if crashes {
		return nil, &nullTable
	}
	st := &MemoryState{PolicyName: in.PolicyName, MachineState: in.MachineState.copied(), Entries: in.Entries.filled()}
	if r.on(GatePodLevelResourceManagers) && len(in.PodEntries) > 0 {
		st.PodEntries = make(PodsMemory, len(in.PodEntries))
		for pod, held := range in.PodEntries {
			st.PodEntries[pod] = PodMemory{append([]Block{}, held.MemoryBlocks...)}
		}
	}
	return st, nil
}

func (nodes NUMANodes) hasNullTable() bool {
	for _, node := range nodes {
		if node == nil {
			continue
		}
		for _, table := range node.MemoryMap {
			if table == nil {
				return true
			}
		}
	}
	return false
}

// filled returns m as the kubelet's cache holds it, without anything nil. It is
// m itself, which may be large, if that has nothing nil.
func (m ContainerMemory) filled() ContainerMemory {
	if m.full() {
		return m
	}
	out := make(ContainerMemory, len(m))
	for pod, containers := range m {
		out[pod] = make(map[string][]Block, len(containers))
		for name, blocks := range containers {
			out[pod][name] = append([]Block{}, blocks...)
		}
	}
	return out
}

func (m ContainerMemory) full() bool {
	for _, containers := range m {
		for _, blocks := range containers {
			if blocks == nil {
				return false
			}
		}
		if containers == nil {
			return false
		}
	}
	return m != nil
}

// copied returns the nodes as the kubelet's cache holds them.
func (nodes NUMANodes) copied() NUMANodes {
	out := make(NUMANodes, len(nodes))
	for id, node := range nodes {
		if node == nil {
			out[id] = nil
			continue
		}
		c := *node
		c.Cells = append([]int{}, node.Cells...)
		out[id] = &c
	}
	return out
}

func overlayMemory(under, over any) any {
	out, top := *under.(*MemoryState), over.(*MemoryState)
	if top.PolicyName != "" {
		out.PolicyName = top.PolicyName
	}
	if top.MachineState != nil {
		out.MachineState = top.MachineState
	}
	if len(top.Entries) > 0 {
		out.Entries = top.Entries
	}
	return &out
}
