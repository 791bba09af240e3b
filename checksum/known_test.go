package checksum_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"k8s.io/utils/cpuset"

	"github.com/kubeckpt/ckpt/checksum"
)

// The kubelet's documents under names of our own, as they are declared in
// pkg/kubelet/cm and pkg/kubelet/status of Kubernetes 1.13 to 1.37.
type (
	knownCPUv1 struct {
		PolicyName    string            `json:"policyName"`
		DefaultCPUSet string            `json:"defaultCpuSet"`
		Entries       map[string]string `json:"entries,omitempty"`
		Checksum      checksum.Checksum `json:"checksum"`
	}
	knownCPUv2 struct {
		PolicyName    string                       `json:"policyName"`
		DefaultCPUSet string                       `json:"defaultCpuSet"`
		Entries       map[string]map[string]string `json:"entries,omitempty"`
		Checksum      checksum.Checksum            `json:"checksum"`
	}
	knownCPUv3 struct {
		PolicyName    string                       `json:"policyName"`
		DefaultCPUSet string                       `json:"defaultCpuSet"`
		Entries       map[string]map[string]string `json:"entries,omitempty"`
		PodEntries    knownPodCPUs                 `json:"podEntries,omitempty"`
		Checksum      checksum.Checksum            `json:"checksum"`
	}
	knownPodCPUs map[string]knownPodCPU
	knownPodCPU  struct{ CPUSet cpuset.CPUSet }

	knownMemoryV1 struct {
		PolicyName   string            `json:"policyName"`
		MachineState knownNodes        `json:"machineState"`
		Entries      knownAssignments  `json:"entries,omitempty"`
		Checksum     checksum.Checksum `json:"checksum"`
	}
	knownMemoryV2 struct {
		PolicyName   string               `json:"policyName"`
		MachineState knownNodes           `json:"machineState"`
		Entries      knownAssignments     `json:"entries,omitempty"`
		PodEntries   map2[knownPodMemory] `json:"podEntries,omitempty"`
		Checksum     checksum.Checksum    `json:"checksum"`
	}
	map2[T any] map[string]T
	knownNodes  map[int]*knownNode
	knownNode   struct {
		NumberOfAssignments int                           `json:"numberOfAssignments"`
		MemoryMap           map[knownResource]*knownTable `json:"memoryMap"`
		Cells               []int                         `json:"cells"`
	}
	knownTable struct {
		TotalMemSize   uint64 `json:"total"`
		SystemReserved uint64 `json:"systemReserved"`
		Allocatable    uint64 `json:"allocatable"`
		Reserved       uint64 `json:"reserved"`
		Free           uint64 `json:"free"`
	}
	knownAssignments map[string]map[string][]knownBlock
	knownPodMemory   struct {
		MemoryBlocks []knownBlock `json:"memoryBlocks,omitempty"`
	}
	knownBlock struct {
		NUMAAffinity []int         `json:"numaAffinity"`
		Type         knownResource `json:"type"`
		Size         uint64        `json:"size"`
	}
	knownResource string

	knownDevices struct {
		PodDeviceEntries  []knownDevice
		RegisteredDevices map[string][]string
	}
	knownDevice struct {
		PodUID, ContainerName, ResourceName string
		DeviceIDs                           knownPerNUMA
		AllocResp                           []byte
	}
	knownPerNUMA map[int64][]string

	knownDRA struct {
		Version  string            `json:"version"`
		Entries  knownClaims       `json:"entries,omitempty"`
		Checksum checksum.Checksum `json:"checksum"`
	}
	knownClaims []knownClaim
	knownClaim  struct {
		DriverName, ClassName string
		ClaimUID              knownUID
		ClaimName, Namespace  string
		PodUIDs               knownSet[string]
		ResourceHandles       []knownHandle
		CDIDevices            map[string][]string
	}
	knownUID               string
	knownSet[T comparable] map[T]struct{}
	knownHandle            struct {
		DriverName     string           `json:"driverName,omitempty"`
		Data           string           `json:"data,omitempty"`
		StructuredData *knownStructured `json:"structuredData,omitempty"`
	}
	knownStructured struct{}

	knownAllocation struct {
		AllocationEntries   map[string]map[string]knownList `json:"allocationEntries,omitempty"`
		ResizeStatusEntries map[string]knownResize          `json:"resizeStatusEntries,omitempty"`
		Checksum            checksum.Checksum               `json:"checksum"`
	}
	knownList     map[knownResource]knownQuantity
	knownResize   string
	knownQuantity struct {
		i      knownAmount
		d      knownDecimal
		s      string
		Format knownFormat
	}
	knownAmount struct {
		value int64
		scale knownScale
	}
	knownDecimal struct{ *Dec }
	Dec          struct{}
	knownScale   int32
	knownFormat  string
)

var knownNames = checksum.Merge(
	checksum.Name[knownCPUv1]("state.CPUManagerCheckpoint"),
	checksum.Name[knownCPUv2]("state.CPUManagerCheckpoint"),
	checksum.Name[knownCPUv3]("state.CPUManagerCheckpoint"),
	checksum.Name[knownPodCPUs]("state.PodCPUAssignments"),
	checksum.Name[knownMemoryV1]("state.MemoryManagerCheckpoint"),
	checksum.Name[knownMemoryV2]("state.MemoryManagerCheckpoint"),
	checksum.Name[map2[knownPodMemory]]("state.PodMemoryAssignments"),
	checksum.Name[knownNodes]("state.NUMANodeMap"),
	checksum.Name[knownTable]("state.MemoryTable"),
	checksum.Name[knownAssignments]("state.ContainerMemoryAssignments"),
	checksum.Name[knownBlock]("state.Block"),
	checksum.Name[knownResource]("v1.ResourceName"),
	checksum.Name[knownDevices]("checkpoint.checkpointData"),
	checksum.Name[knownDevice]("checkpoint.PodDevicesEntry"),
	checksum.Name[knownPerNUMA]("checkpoint.DevicesPerNUMA"),
	checksum.Name[knownDRA]("state.DRAManagerCheckpoint"),
	checksum.Name[knownClaims]("state.ClaimInfoStateList"),
	checksum.Name[knownUID]("types.UID"),
	checksum.Name[knownSet[string]]("sets.Set[string]"),
	checksum.Name[knownHandle]("v1alpha2.ResourceHandle"),
	checksum.Name[knownStructured]("v1alpha2.StructuredResourceHandle"),
	checksum.Name[knownAllocation]("state.PodResourceAllocationCheckpoint"),
	checksum.Name[knownList]("v1.ResourceList"),
	checksum.Name[knownResize]("v1.PodResizeStatus"),
	checksum.Name[knownAmount]("resource.int64Amount"),
	checksum.Name[knownDecimal]("resource.infDecAmount"),
	checksum.Name[Dec]("inf.Dec"),
	checksum.Name[knownScale]("resource.Scale"),
	checksum.Name[knownFormat]("resource.Format"),
)

func (p *knownPodCPU) UnmarshalJSON(b []byte) error {
	var text struct{ CPUSet string }
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	var err error
	p.CPUSet, err = cpuset.Parse(text.CPUSet)
	return err
}

// UnmarshalJSON reads only what the one file of this kind contains.
func (q *knownQuantity) UnmarshalJSON(b []byte) error {
	s, err := strconv.Unquote(string(b))
	number := strings.TrimRight(s, "mMGi")
	if err != nil {
		return err
	}
	value, err := strconv.ParseInt(number, 10, 64)
	*q = knownQuantity{i: knownAmount{value: value}, d: knownDecimal{}, s: s, Format: "DecimalSI"}
	switch s[len(number):] {
	case "m":
		q.i.scale = -3
	case "M":
		q.i.scale = 6
	case "Gi":
		q.i.value, q.Format = value<<30, "BinarySI"
	}
	return err
}

// TestKnownAnswers has a file of each format that sums a dump, written by a
// kubelet, with the text that the same kubelet's code summed.
func TestKnownAnswers(t *testing.T) {
	cpuV1, cpuV2, cpuV3 := &knownCPUv1{}, &knownCPUv2{}, &knownCPUv3{}
	memoryV1, memoryV2, dra, legacy := &knownMemoryV1{}, &knownMemoryV2{}, &knownDRA{}, &knownCPUv2{}
	allocation := &knownAllocation{ResizeStatusEntries: map[string]knownResize{}}
	var device struct {
		Data     knownDevices
		Checksum checksum.Checksum
	}
	var cpuV4 struct {
		Data         string
		DataChecksum checksum.Checksum
	}
	for _, c := range []struct {
		file string
		into any
		sum  *checksum.Checksum
		data any // a pointer to what is summed
	}{
		{"cpu-v1", cpuV1, &cpuV1.Checksum, &cpuV1},
		{"cpu-v2", cpuV2, &cpuV2.Checksum, &cpuV2},
		{"cpu-v3", cpuV3, &cpuV3.Checksum, &cpuV3},
		{"cpu-v4-legacy", legacy, &legacy.Checksum, &legacy},
		{"cpu-v4-data", &cpuV4, &cpuV4.DataChecksum, &cpuV4.Data},
		{"memory-v1", memoryV1, &memoryV1.Checksum, &memoryV1},
		{"memory-v2", memoryV2, &memoryV2.Checksum, &memoryV2},
		{"device-v2", &device, &device.Checksum, &device.Data},
		{"dra-v1", dra, &dra.Checksum, &dra},
		{"allocated-v1", allocation, &allocation.Checksum, &allocation},
	} {
		t.Run(c.file, func(t *testing.T) {
			decode(t, read(t, c.file+".json"), c.into)
			stored := *c.sum
			*c.sum = 0
			v := reflect.ValueOf(c.data).Elem().Interface()

			text, err := checksum.Dump(v, knownNames)
			if want := string(read(t, c.file+".txt")); err != nil || text != want {
				t.Errorf("got %v\n%s\nwant\n%s", err, text, want)
			}
			if sum, err := checksum.Sum(v, knownNames); err != nil || sum != stored {
				t.Errorf("sum %d, %v; stored %d", sum, err, stored)
			}
			if sum, err := checksum.Sum(v, nil); c.file != "cpu-v4-data" && (err != nil || sum == stored) {
				t.Errorf("sum without names %d, %v", sum, err)
			}
		})
	}
	if got := checksum.OfString(cpuV4.Data); cpuV4.Data == "" || got != 3512512694 {
		t.Errorf("OfString = %d", got)
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "known", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode(t testing.TB, b []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// TestKubeletFixture has the values that the tests of the kubelet 1.37 expect,
// in pkg/kubelet/cm/memorymanager/state.
func TestKubeletFixture(t *testing.T) {
	const document = `{"policyName":"static","machineState":{"0":{"numberOfAssignments":0,"memoryMap":{"memory":{"total":2048,"systemReserved":512,"allocatable":1536,"reserved":512,"free":1024}},"cells":[]}},"entries":{"pod":{"container1":[{"numaAffinity":[0],"type":"memory","size":512}]}}}`
	var memory knownMemoryV1
	decode(t, []byte(document), &memory)
	if sum, err := checksum.Sum(&memory, knownNames); err != nil || sum != 4215593881 {
		t.Errorf("checksum %d, %v", sum, err)
	}
	if sum := checksum.OfString(document); sum != 1849615440 {
		t.Errorf("dataChecksum %d", sum)
	}
}
