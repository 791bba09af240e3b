package kubelet

import (
	"encoding/json"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// CPUState is the content of a cpu_manager_state. CPU sets are in the list
// format of the kernel ("0-3,8").
type CPUState struct {
	PolicyName    string                       `json:"policyName"`
	DefaultCPUSet string                       `json:"defaultCpuSet"`
	Entries       map[string]map[string]string `json:"entries"`              // pod UID → container → CPU set
	PodEntries    map[string]string            `json:"podEntries,omitempty"` // pod UID → CPU set
	Baselines     map[string]map[string]string `json:"baselines,omitempty"`  // pod UID → container → CPU set before a resize

	// Containers holds the assignments of cpu/v1 by container ID; it is empty
	// once a kubelet has looked the containers up.
	Containers map[string]string `json:"containers,omitempty"`
}

// MemoryState is the content of a memory_manager_state. Sizes are in bytes.
type MemoryState struct {
	PolicyName   string          `json:"policyName"`
	MachineState NUMANodes       `json:"machineState"`
	Entries      ContainerMemory `json:"entries"`
	PodEntries   PodsMemory      `json:"podEntries,omitempty"`
}

// ContainerMemory is pod UID → container → blocks.
type ContainerMemory map[string]map[string][]Block

// PodsMemory is pod UID → blocks that the pod's containers share.
type PodsMemory map[string]PodMemory

// PodMemory is what a pod holds for its containers to share.
type PodMemory struct {
	MemoryBlocks []Block `json:"memoryBlocks,omitempty"`
}

// NUMANodes is the machine as the memory manager sees it, by NUMA node id.
type NUMANodes map[int]*NUMANode

// NUMANode is one NUMA node: how many blocks are taken from it, its memory by
// resource name, and the nodes it forms a group with (itself included).
type NUMANode struct {
	NumberOfAssignments int                           `json:"numberOfAssignments"`
	MemoryMap           map[ResourceName]*MemoryTable `json:"memoryMap"`
	Cells               []int                         `json:"cells"`
}

// MemoryTable is one resource on one NUMA node, in bytes.
type MemoryTable struct {
	TotalMemSize   uint64 `json:"total"`
	SystemReserved uint64 `json:"systemReserved"`
	Allocatable    uint64 `json:"allocatable"`
	Reserved       uint64 `json:"reserved"`
	Free           uint64 `json:"free"`
}

// Block is memory of one type given to a container, from one NUMA node or
// from a group of them.
type Block struct {
	NUMAAffinity []int        `json:"numaAffinity"`
	Type         ResourceName `json:"type"` // "memory" or "hugepages-2Mi"
	Size         uint64       `json:"size"`
}

// ResourceName is a Kubernetes resource: "cpu", "memory", "hugepages-1Gi".
type ResourceName string

// DeviceState is the content of a kubelet_internal_checkpoint.
type DeviceState struct {
	PodDeviceEntries  []DeviceEntry       `json:"PodDeviceEntries"`
	RegisteredDevices map[string][]string `json:"RegisteredDevices"` // resource → device ids
}

// DeviceEntry is the devices of one resource that one container holds.
type DeviceEntry struct {
	PodUID        string
	ContainerName string
	ResourceName  string
	DeviceIDs     DevicesPerNUMA
	AllocResp     []byte // protobuf v1beta1.ContainerAllocateResponse
}

// DevicesPerNUMA is NUMA node → device ids; the ids of node -1 have no affinity.
type DevicesPerNUMA map[int64][]string

// DRAState is the content of a dra_manager_state: Claims up to 1.30,
// ClaimInfoStateList from 1.31 on.
type DRAState struct {
	Claims             []ClassicClaim `json:"entries"`
	ClaimInfoStateList []Claim        `json:"ClaimInfoStateList"`
}

// MarshalJSON writes the list that is set.
func (s DRAState) MarshalJSON() ([]byte, error) { return json.Marshal(s.layout()) }

func (s DRAState) layout() any {
	if s.Claims != nil {
		return draLists{Entries: s.Claims}
	}
	return draLists{ClaimInfoStateList: s.ClaimInfoStateList}
}

// draLists is a DRAState as it is written: one of the lists, be it null.
type draLists struct {
	Entries            any `json:"entries,omitempty"`
	ClaimInfoStateList any `json:",omitempty"`
}

// Claim is a prepared resource claim as kubelet 1.31 and later store it.
type Claim struct {
	ClaimUID    string
	ClaimName   string
	Namespace   string
	PodUIDs     NameSet
	DriverState map[string]DriverState
}

// NameSet is a set of names, such as pod UIDs.
type NameSet map[string]Member

// Member is the nothing that a set stores beside a name.
type Member struct{}

// DriverState is what one driver allocated for a claim.
type DriverState struct {
	Devices            []ClaimDevice
	SkipNodeOperations []string `json:"skipNodeOperations,omitempty"` // 1.37+
}

// ClaimDevice is one allocated device.
type ClaimDevice struct {
	PoolName     string
	DeviceName   string
	ShareID      *string `json:",omitempty"` // 1.35+
	RequestNames []string
	CDIDeviceIDs []string
}

// ClassicClaim is a prepared resource claim as kubelet 1.29 and 1.30 store it.
type ClassicClaim struct {
	DriverName      string
	ClassName       string
	ClaimUID        string
	ClaimName       string
	Namespace       string
	PodUIDs         NameSet
	ResourceHandles []ClaimHandle
	CDIDevices      map[string][]string
}

// ClaimHandle is a driver's own data of a ClassicClaim.
type ClaimHandle struct {
	DriverName string `json:"driverName,omitempty"`
	Data       string `json:"data,omitempty"`
	Structured any    `json:"structuredData,omitempty"` // 1.30
}

// AllocatedState is the content of an allocated_pods_state,
// actuated_pods_state or pod_status_manager_state. Which field is set depends
// on the format: Pods from 1.33 on, Containers in 1.32, Lists before.
type AllocatedState struct {
	Pods         map[string]PodResources            // pod UID →
	Containers   map[string]map[string]Requirements // pod UID → container →
	Lists        map[string]map[string]ResourceList // pod UID → container →
	ResizeStatus map[string]string                  // pod UID →; up to 1.31
}

// MarshalJSON writes the fields under the names that the kubelet gives them.
func (s AllocatedState) MarshalJSON() ([]byte, error) { return json.Marshal(s.layout()) }

func (s AllocatedState) layout() any {
	switch {
	case s.Lists != nil || s.ResizeStatus != nil:
		return allocatedLists{AllocationEntries: s.Lists, ResizeStatusEntries: s.ResizeStatus}
	case s.Containers != nil:
		return allocatedLists{AllocationEntries: s.Containers}
	}
	return allocatedLists{Entries: orMade(s.Pods)}
}

// allocatedLists is an AllocatedState as it is written: one of the lists.
type allocatedLists struct {
	AllocationEntries   any               `json:"allocationEntries,omitempty"`
	ResizeStatusEntries map[string]string `json:"resizeStatusEntries,omitempty"`
	Entries             any               `json:"entries,omitempty"`
}

// PodResources is what is allocated to one pod.
type PodResources struct {
	ContainerResources   map[string]Requirements
	PodLevelResources    *Requirements        // 1.35+
	EmptyDirVolumeLimits map[string]*Quantity // 1.37+
}

// Requirements is a container's limits and requests.
type Requirements struct {
	Limits   ResourceList    `json:"limits,omitempty"`
	Requests ResourceList    `json:"requests,omitempty"`
	Claims   []ResourceClaim `json:"claims,omitempty"`
}

// ResourceClaim names a claim of the pod that a container uses.
type ResourceClaim struct {
	Name    string `json:"name"`
	Request string `json:"request,omitempty"`
}

// ResourceList is an amount of each resource.
type ResourceList map[ResourceName]Quantity

// Quantity is an amount as Kubernetes writes it ("500m", "1536Mi"). It marshals
// as such, and tells its value by String, Int64, MilliValue and Cmp.
type Quantity = quantity.Quantity

// ParseQuantity reads an amount as a kubelet does.
func ParseQuantity(text string) (Quantity, error) { return quantity.Parse(text) }
