package kubelet

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// sampleFormats are the formats that benchmarks compare, by the name they have
// there.
var sampleFormats = []struct {
	name    string
	format  *format
	release string
}{
	{"memory-v1", memoryV1Format, "1.35"},
	{"memory-v3", memoryV3Format, "1.37"},
	{"cpu-v2", cpuV2Format, "1.35"},
	{"cpu-v4", cpuV4Format, "1.37"},
	{"device-v2", deviceV2Format, "1.37"},
	{"dra-v3", draV3Format, "1.37"},
	{"allocated-v3", allocatedV3Format, "1.37"},
}

// sample is the content of a file of a node with so many pods, of one container
// each.
func sample(tb testing.TB, kind Kind, pods int) any {
	tb.Helper()
	switch kind {
	case CPU:
		return sampleCPU(pods)
	case Memory:
		return sampleMemory(pods)
	case Device:
		return sampleDevices(pods)
	case DRA:
		return sampleClaims(pods)
	}
	return sampleAllocated(tb, pods)
}

// sampleFile is the file that release writes for such a node.
func sampleFile(tb testing.TB, f *format, release string, pods int) []byte {
	tb.Helper()
	blob, err := f.encode(sample(tb, f.id.Kind, pods), release)
	if err != nil {
		tb.Fatal(err)
	}
	return blob
}

func sampleUID(pod int) string {
	x := uint64(pod+1) * 0x9e3779b97f4a7c15
	return fmt.Sprintf("%08x-%04x-4%03x-b%03x-%012x", uint32(x>>32), uint16(x>>16), uint16(x)&0xfff, uint16(x>>40)&0xfff, x>>13&(1<<48-1))
}

func sampleCPU(pods int) *CPUState {
	st := &CPUState{PolicyName: "static", DefaultCPUSet: "0-1", Entries: map[string]map[string]string{}, Containers: map[string]string{}}
	for pod := range pods {
		st.Containers[strings.ReplaceAll(sampleUID(pod)+sampleUID(-pod), "-", "")] = fmt.Sprintf("%d-%d", 2*pod+2, 2*pod+3)
		st.Entries[sampleUID(pod)] = map[string]string{"app": fmt.Sprintf("%d-%d", 2*pod+2, 2*pod+3)}
	}
	return st
}

func sampleMemory(pods int) *MemoryState {
	const gi = 1 << 30
	st := &MemoryState{PolicyName: "Static", MachineState: NUMANodes{}, Entries: ContainerMemory{}}
	for node := range 2 {
		held := uint64((pods + 1 - node) / 2)
		st.MachineState[node] = &NUMANode{NumberOfAssignments: int(held), Cells: []int{node}, MemoryMap: map[ResourceName]*MemoryTable{
			"memory":        {TotalMemSize: 65536 * gi, SystemReserved: gi, Allocatable: 65535 * gi, Reserved: held * gi, Free: (65535 - held) * gi},
			"hugepages-1Gi": {},
		}}
	}
	for pod := range pods {
		st.Entries[sampleUID(pod)] = map[string][]Block{"app": {{NUMAAffinity: []int{pod % 2}, Type: "memory", Size: gi}}}
	}
	return st
}

// sampleDevices has one GPU for each pod, and the answer of a device plugin
// that sets a variable and mounts a device.
func sampleDevices(pods int) *DeviceState {
	message := func(tag byte, body ...string) string {
		text := strings.Join(body, "")
		return string([]byte{tag, byte(len(text))}) + text
	}
	st := &DeviceState{RegisteredDevices: map[string][]string{}}
	for pod := range pods {
		id := "GPU-" + sampleUID(pod)
		device := "/dev/nvidia" + strconv.Itoa(pod)
		resp := message(0x0a, message(0x0a, "NVIDIA_VISIBLE_DEVICES"), message(0x12, id)) +
			message(0x1a, message(0x0a, device), message(0x12, device), message(0x1a, "rw"))
		st.PodDeviceEntries = append(st.PodDeviceEntries, DeviceEntry{
			sampleUID(pod), "app", "nvidia.com/gpu", DevicesPerNUMA{int64(pod % 2): {id}}, []byte(resp),
		})
		st.RegisteredDevices["nvidia.com/gpu"] = append(st.RegisteredDevices["nvidia.com/gpu"], id)
	}
	return st
}

func sampleClaims(pods int) *DRAState {
	st := &DRAState{ClaimInfoStateList: []Claim{}, Claims: []ClassicClaim{}}
	for pod := range pods {
		uid := sampleUID(pod)
		st.Claims = append(st.Claims, ClassicClaim{
			DriverName: "gpu.example.com", ClaimUID: uid[9:], ClaimName: "claim-" + strconv.Itoa(pod), PodUIDs: NameSet{uid: {}},
			ResourceHandles: []ClaimHandle{{DriverName: "gpu.example.com", Data: "gpu-" + strconv.Itoa(pod)}},
			CDIDevices:      map[string][]string{"gpu.example.com": {"k8s.gpu.example.com/claim=" + uid}},
		})
		st.ClaimInfoStateList = append(st.ClaimInfoStateList, Claim{
			ClaimUID: uid[9:], ClaimName: "claim-" + strconv.Itoa(pod), Namespace: "default", PodUIDs: NameSet{uid: {}},
			DriverState: map[string]DriverState{"gpu.example.com": {Devices: []ClaimDevice{{
				PoolName: "node-7", DeviceName: "gpu-" + strconv.Itoa(pod), RequestNames: []string{"gpu"},
				CDIDeviceIDs: []string{"k8s.gpu.example.com/claim=" + uid},
			}}}},
		})
	}
	return st
}

func sampleAllocated(tb testing.TB, pods int) *AllocatedState {
	tb.Helper()
	amount := func(text string) quantity.Quantity {
		q, err := quantity.Parse(text)
		if err != nil {
			tb.Fatal(err)
		}
		return q
	}
	list := ResourceList{"cpu": amount("500m"), "memory": amount("1Gi")}
	st := &AllocatedState{Pods: map[string]PodResources{}, Containers: map[string]map[string]Requirements{},
		Lists: map[string]map[string]ResourceList{}, ResizeStatus: map[string]string{}}
	for pod := range pods {
		st.Containers[sampleUID(pod)] = map[string]Requirements{"app": {Limits: list, Requests: list}}
		st.Lists[sampleUID(pod)] = map[string]ResourceList{"app": list}
		st.ResizeStatus[sampleUID(pod)] = "InProgress"
		st.Pods[sampleUID(pod)] = PodResources{ContainerResources: map[string]Requirements{"app": {Limits: list, Requests: list}}}
	}
	return st
}
