package checksum_test

import (
	"fmt"
	"hash/fnv"
	"testing"
	"time"

	"k8s.io/utils/dump"

	"github.com/kubeckpt/ckpt/checksum"
)

// benchMemory, benchCPU and benchDevices are what a node with so many pods has.
func benchMemory(pods int) *knownMemoryV1 {
	doc := &knownMemoryV1{PolicyName: "Static", MachineState: knownNodes{}, Entries: knownAssignments{}}
	for n := range 2 {
		doc.MachineState[n] = &knownNode{NumberOfAssignments: pods, Cells: []int{n}, MemoryMap: map[knownResource]*knownTable{
			"memory": {TotalMemSize: 270462603264, Allocatable: 270462603264, Free: 270462603264}, "hugepages-1Gi": {},
		}}
	}
	for pod := range pods {
		doc.Entries[benchUID(pod)] = map[string][]knownBlock{
			"app": {{NUMAAffinity: []int{0}, Type: "memory", Size: 2147483648}},
		}
	}
	return doc
}

func benchCPU(pods int) *knownCPUv2 {
	doc := &knownCPUv2{PolicyName: "static", DefaultCPUSet: "0-1", Entries: map[string]map[string]string{}}
	for pod := range pods {
		doc.Entries[benchUID(pod)] = map[string]string{"app": fmt.Sprintf("%d-%d", 2*pod+2, 2*pod+3)}
	}
	return doc
}

func benchDevices(pods int) knownDevices {
	doc := knownDevices{RegisteredDevices: map[string][]string{}}
	for pod := range pods {
		id := fmt.Sprintf("GPU-%d", pod)
		doc.PodDeviceEntries = append(doc.PodDeviceEntries, knownDevice{
			PodUID: benchUID(pod), ContainerName: "app", ResourceName: "nvidia.com/gpu",
			DeviceIDs: knownPerNUMA{int64(pod % 2): {id}}, AllocResp: make([]byte, 120),
		})
		doc.RegisteredDevices["nvidia.com/gpu"] = append(doc.RegisteredDevices["nvidia.com/gpu"], id)
	}
	return doc
}

func benchUID(pod int) string {
	return fmt.Sprintf("%08x-1f86-4cc8-b44f-9ca08bae216a", uint32(pod)*2654435761)
}

// BenchmarkSum compares this package with the kubelet's way.
func BenchmarkSum(b *testing.B) {
	for _, pods := range []int{1, 110, 5000} {
		for _, c := range []struct {
			kind string
			v    any
		}{{"memory", benchMemory(pods)}, {"cpu", benchCPU(pods)}, {"device", benchDevices(pods)}} {
			b.Run(fmt.Sprintf("%s/%d", c.kind, pods), func(b *testing.B) {
				inTurn(b, "x-faster", func() { _, _ = checksum.Sum(c.v, nil) }, func() {
					h := fnv.New32a()
					fmt.Fprintf(h, "%v", dump.ForHash(c.v))
				})
			})
		}
	}
}

// BenchmarkSumNames is the price of renaming.
func BenchmarkSumNames(b *testing.B) {
	v := benchMemory(110)
	inTurn(b, "x-of-sum-without", func() { _, _ = checksum.Sum(v, nil) }, func() { _, _ = checksum.Sum(v, knownNames) })
}

// inTurn runs f and other in short turns, so that both meet the same load, and
// reports the best time of f and how many times as long the best of other is.
func inTurn(b *testing.B, ratio string, f, other func()) {
	const turn = 200 * time.Microsecond
	spend := func(f func()) (perCall time.Duration) {
		start, calls := time.Now(), 0
		for calls == 0 || time.Since(start) < turn {
			f()
			calls++
		}
		return time.Since(start) / time.Duration(calls)
	}
	best, bestOther := spend(f), spend(other)
	for b.Loop() {
		best, bestOther = min(best, spend(f)), min(bestOther, spend(other))
	}
	b.ReportMetric(0, "ns/op") // of a turn, which says nothing
	b.ReportMetric(float64(best), "ns/sum")
	b.ReportMetric(testing.AllocsPerRun(1, f), "allocs/sum")
	b.ReportMetric(float64(bestOther)/float64(best), ratio)
}
