package kubelet

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// random makes contents of every kind, with all that some release can hold, and
// with the nulls and empty lists that a decoder may leave.
type random struct {
	*rand.Rand
	containers map[string]ContainerRef
}

func newRandom(seed uint64) *random {
	return &random{rand.New(rand.NewPCG(seed, 7)), map[string]ContainerRef{}}
}

func (r *random) often() bool { return r.IntN(4) > 0 }

// name makes names that clash within a file now and then.
func (r *random) name(what string) string {
	odd := []string{"a.b", "x y", "<&>", "\u2028", "ä", "limits", ""}
	if r.IntN(8) == 0 {
		return what + odd[r.IntN(len(odd))]
	}
	return fmt.Sprintf("%s%d", what, r.IntN(20))
}

func (r *random) pod() string { return sampleUID(r.IntN(50)) }

func (r *random) cpus() string {
	var parts []string
	for at := r.IntN(4); at < 64 && r.often(); at += 2 + r.IntN(9) {
		if n := r.IntN(4); n > 0 {
			parts = append(parts, fmt.Sprintf("%d-%d", at, at+n))
			at += n
			continue
		}
		parts = append(parts, fmt.Sprint(at))
	}
	return strings.Join(parts, ",")
}

// mapOf makes a map of up to four; now and then an empty one, or none.
func mapOf[K comparable, V any](r *random, key func() K, value func() V) map[K]V {
	if r.IntN(12) == 0 {
		return nil
	}
	m := map[K]V{}
	for range r.IntN(5) {
		m[key()] = value()
	}
	return m
}

func listOf[V any](r *random, value func() V) []V {
	if r.IntN(12) == 0 {
		return nil
	}
	list := []V{}
	for range r.IntN(4) {
		list = append(list, value())
	}
	return list
}

func (r *random) content(kind Kind, release string) any {
	switch kind {
	case CPU:
		return r.cpu(release)
	case Memory:
		return r.memory()
	case Device:
		return r.device()
	case DRA:
		return r.dra(release)
	}
	return r.allocated(release)
}

func (r *random) cpu(release string) *CPUState {
	sets := func() map[string]string { return mapOf(r, func() string { return r.name("c") }, r.cpus) }
	st := &CPUState{PolicyName: "static", DefaultCPUSet: r.cpus(), Entries: mapOf(r, r.pod, sets)}
	if st.PolicyName == "static" && r.often() {
		st.PodEntries = mapOf(r, r.pod, r.cpus)
		st.Baselines = mapOf(r, r.pod, sets)
	}
	for pod, containers := range st.Entries {
		for name := range containers {
			r.containers[fmt.Sprintf("%064x", r.Uint64())] = ContainerRef{pod, name}
		}
	}
	if minor(release) < 18 {
		st = &CPUState{PolicyName: "static", DefaultCPUSet: st.DefaultCPUSet, Containers: map[string]string{}}
		for id := range r.containers {
			st.Containers[id] = r.cpus()
		}
	}
	return st
}

func (r *random) memory() *MemoryState {
	types := []ResourceName{"memory", "hugepages-2Mi", "hugepages-1Gi"}
	kind := func() ResourceName { return types[r.IntN(len(types))] }
	node := func() int { return r.IntN(12) }
	block := func() Block { return Block{listOf(r, node), kind(), r.Uint64() >> r.IntN(64)} }
	blocks := func() []Block { return listOf(r, block) }
	return &MemoryState{
		PolicyName: "Static",
		MachineState: mapOf(r, node, func() *NUMANode {
			return &NUMANode{r.IntN(5), mapOf(r, kind, func() *MemoryTable {
				return &MemoryTable{r.Uint64(), r.Uint64() >> 30, 0, 1, r.Uint64() >> r.IntN(64)}
			}), listOf(r, node)}
		}),
		Entries: mapOf(r, r.pod, func() map[string][]Block {
			return mapOf(r, func() string { return r.name("c") }, blocks)
		}),
		PodEntries: mapOf(r, r.pod, func() PodMemory { return PodMemory{blocks()} }),
	}
}

func (r *random) device() *DeviceState {
	id := func() string { return r.name("GPU-") }
	ids := func() []string { return listOf(r, id) }
	resource := func() string { return r.name("example.com/") }
	responses := []string{"", "\x0a\x04\x0a\x01A\x12", "\x1a\x00", "\xff\xff", "\x0a\x06\x0a\x01A\x12\x01B", "\x0a\x06\x0a\x01\xff\x12\x01B"}
	return &DeviceState{
		PodDeviceEntries: listOf(r, func() DeviceEntry {
			e := DeviceEntry{r.pod(), r.name("c"), resource(), mapOf(r, func() int64 { return r.Int64N(3) - 1 }, ids), nil}
			if r.often() {
				e.AllocResp = []byte(responses[r.IntN(len(responses))])
			}
			return e
		}),
		RegisteredDevices: mapOf(r, resource, ids),
	}
}

func (r *random) dra(release string) *DRAState {
	driver := func() string { return r.name("d") }
	id := func() string { return r.name("example.com/gpu=") }
	pods := func() NameSet { return mapOf(r, r.pod, func() Member { return Member{} }) }
	if minor(release) < 31 {
		return &DRAState{Claims: listOf(r, func() ClassicClaim {
			return ClassicClaim{driver(), r.name("class"), r.pod(), r.name("claim"), "default", pods(),
				listOf(r, func() ClaimHandle {
					h := ClaimHandle{DriverName: driver()}
					if r.often() {
						h.Data = r.name("data")
					}
					if release == "1.30" && r.IntN(3) == 0 {
						h.Structured = &draStructured{NodeName: r.name("node"), Results: listOf(r, func() draResult {
							return draResult{AllocationResultModel: AllocationResultModel{&draNamed{r.name("gpu")}}}
						})}
					}
					return h
				}), mapOf(r, driver, func() []string { return listOf(r, id) })}
		})}
	}
	return &DRAState{ClaimInfoStateList: listOf(r, func() Claim {
		return Claim{r.pod(), r.name("claim"), "default", pods(), mapOf(r, driver, func() DriverState {
			s := DriverState{Devices: listOf(r, func() ClaimDevice {
				d := ClaimDevice{CDIDeviceIDs: listOf(r, id)}
				if r.often() {
					d.PoolName, d.DeviceName, d.RequestNames = r.name("pool"), r.name("gpu"), listOf(r, id)
				}
				if share := r.pod(); r.IntN(3) == 0 {
					d.ShareID = &share
				}
				return d
			})}
			if r.IntN(3) == 0 {
				s.SkipNodeOperations = listOf(r, id)
			}
			return s
		})}
	})}
}

func (r *random) allocated(release string) *AllocatedState {
	texts := []string{"500m", "1Gi", "100M", "0", "1", "1500m", "1536Mi", "-1", "3e6", "9Ei"}
	amount := func() quantity.Quantity {
		q, _ := quantity.Parse(texts[r.IntN(len(texts))]) // all of them parse
		return q
	}
	names := []ResourceName{"cpu", "memory", "example.com/gpu"}
	list := func() ResourceList {
		return mapOf(r, func() ResourceName { return names[r.IntN(len(names))] }, amount)
	}
	requirements := func() Requirements {
		return Requirements{list(), list(), listOf(r, func() ResourceClaim { return ResourceClaim{r.name("claim"), r.name("")} })}
	}
	name := func() string { return r.name("c") }
	switch {
	case minor(release) <= 31:
		return &AllocatedState{
			Lists:        mapOf(r, r.pod, func() map[string]ResourceList { return mapOf(r, name, list) }),
			ResizeStatus: mapOf(r, r.pod, func() string { return "InProgress" }),
		}
	case minor(release) == 32:
		return &AllocatedState{Containers: mapOf(r, r.pod, func() map[string]Requirements { return mapOf(r, name, requirements) })}
	}
	return &AllocatedState{Pods: mapOf(r, r.pod, func() PodResources {
		p := PodResources{ContainerResources: mapOf(r, name, requirements)}
		if r.often() {
			level := requirements()
			p.PodLevelResources = &level
			p.EmptyDirVolumeLimits = mapOf(r, name, func() *quantity.Quantity { q := amount(); return &q })
		}
		return p
	})}
}
