package preflight_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// olderHalf is the 1.37 file of a node with pod-level managers as kubelets up to
// 1.35 read it: without podEntries, so that nobody seems to hold 5-7,10-11.
func olderHalf(t *testing.T) *kubelet.CPUState {
	t.Helper()
	blob, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", "cpu", "1.37", "static-pod-level+PLRM.json"))
	if err != nil {
		t.Fatal(err)
	}
	v := kubelet.Judge(blob, kubelet.Options{Kind: kubelet.CPU})
	st, ok := v.Content.(*kubelet.CPUState)
	if !ok || len(st.PodEntries) == 0 {
		t.Fatalf("no podEntries: %+v", v.Content)
	}
	half := *st
	half.PodEntries = nil
	return &half
}

// Who held some CPUs was lost from the file: they are missing in it as new ones
// would be, and must not go to the shared pool.
func TestAdoptLost(t *testing.T) {
	const mp16 = `{"coresPerNuma":16,"memoryPerNuma":[33554432000]}`
	lost := func(n *node) {
		n.machine = mp16
		n.config = preflight.Config{CPUManagerPolicy: "static", ReservedSystemCPUs: "0"}
		n.cpu = olderHalf(n.t)
	}
	last := func(n *node) { // what is lost is behind all that is known
		lost(n)
		n.cpu.DefaultCPUSet = "0-1,5-7,10-11"
		n.machine = strings.Replace(mp16, "16", "18", 1)
	}
	cpus := func(n int64) kubelet.Requirements {
		l := kubelet.ResourceList{"cpu": quantity.New(n, false, quantity.DecimalSI)}
		return kubelet.Requirements{Requests: l, Limits: l}
	}
	spelled := func(text string) kubelet.PodResources {
		q, err := quantity.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		l := kubelet.ResourceList{"cpu": q}
		return kubelet.PodResources{ContainerResources: map[string]kubelet.Requirements{"c": {Requests: l, Limits: l}}}
	}
	allocated := func(n *node, name string, r kubelet.PodResources) {
		n.files[preflight.AllocatedPods] = allocatedFile(n.t, map[string]kubelet.PodResources{name: r})
	}
	const known = "34d71b70-25aa-5fc4-b806-a44c2e0ddc49" // holds 8-9
	for _, c := range []struct {
		name, why string
		prepare   func(n *node)
	}{
		{"podEntries", "not new", lost},
		{"podEntries, and more CPUs", "not new", func(n *node) { lost(n); n.machine = strings.Replace(mp16, "16", "20", 1) }},
		{"podEntries, the gate is on", "not new", func(n *node) { lost(n); n.gates["PodLevelResourceManagers"] = true }},
		{"podEntries, migrated to 1.35", "not new", func(n *node) { lost(n); n.release = "1.35" }},
		{"podEntries, strict", "not new", func(n *node) {
			lost(n)
			n.option("strict-cpu-reservation")
			n.cpu.DefaultCPUSet = "1,12-15"
		}},
		{"podEntries, strict, reserved moved", "more than are reserved now", func(n *node) {
			lost(n)
			n.option("strict-cpu-reservation")
			n.cpu.DefaultCPUSet = "1,12-15"
			n.config.ReservedSystemCPUs = "1"
		}},
		{"podEntries, strict, reserved grown", "cannot be told", func(n *node) {
			lost(n)
			n.option("strict-cpu-reservation")
			n.cpu.DefaultCPUSet = "1,12-15"
			n.config.ReservedSystemCPUs = "0-1"
		}},
		{"a CPU that was off", "off before", func(n *node) { n.cpu.DefaultCPUSet = "0,2-6,8,10-15" }},
		{"a pod has memory", "by memory_manager_state, pod p1 may hold CPUs", func(n *node) {
			n.cpu.Entries, n.cpu.DefaultCPUSet = nil, "0-6"
			n.machine = `{"coresPerNuma":8,"memoryPerNuma":[8589934592]}`
			n.config.ReservedSystemCPUs = "0"
		}},
		{"a container is allocated CPUs", "by allocated_pods_state, container c of pod p may hold 2 CPUs", func(n *node) {
			last(n)
			allocated(n, "p", kubelet.PodResources{ContainerResources: map[string]kubelet.Requirements{"c": cpus(2)}})
		}},
		{"a pod is allocated CPUs", "by allocated_pods_state, pod p may hold 4 CPUs", func(n *node) {
			last(n)
			allocated(n, "p", kubelet.PodResources{PodLevelResources: new(cpus(4))})
		}},
		{"a pod is allocated more CPUs", "it says which for 2", func(n *node) {
			last(n)
			allocated(n, known, kubelet.PodResources{PodLevelResources: new(cpus(4)), ContainerResources: map[string]kubelet.Requirements{"main": cpus(2)}})
		}},
		{"a container is allocated more CPUs", "container main of pod " + known + " may hold 4 CPUs, and it says which for 2", func(n *node) {
			last(n)
			n.cpu.Entries = map[string]map[string]string{known: {"main": "8-9"}}
			n.cpu.DefaultCPUSet = "0-7,10-15"
			allocated(n, known, kubelet.PodResources{ContainerResources: map[string]kubelet.Requirements{"main": cpus(4)}})
		}},
		{"a backup", "by cpu_manager_state.ckpt-backup-1, CPUs 16-17 were held by gone", last},
		{"in thousandths", "container c of pod p may hold 2 CPUs", func(n *node) {
			last(n)
			allocated(n, "p", spelled("2000m"))
		}},
		{"with a fraction of nothing", "container c of pod p may hold 2 CPUs", func(n *node) {
			last(n)
			allocated(n, "p", spelled("2.0"))
		}},
		{"a container is allocated a CPU, for a release that does not read it", "container c of pod p may hold 1 CPU,", func(n *node) {
			last(n)
			n.release = "1.31"
			allocated(n, "p", kubelet.PodResources{ContainerResources: map[string]kubelet.Requirements{"c": cpus(1)}})
		}},
		{"a pod is allocated CPUs, migrated to 1.32", "by allocated_pods_state, pod p may hold 4 CPUs", func(n *node) {
			last(n)
			n.release = "1.32"
			allocated(n, "p", kubelet.PodResources{PodLevelResources: new(cpus(4))})
		}},
		{"the file of before 1.33 names a pod", "by pod_status_manager_state, container", func(n *node) {
			last(n)
			n.files[preflight.PodStatusManager] = recordedFile(n.t, "allocated/1.29/2pods.json", "500m", "2", "922acc1f-d886-5cc8-b44f-9ca08bae216a", "p")
		}},
		{"a pod is actuated", "by actuated_pods_state, container c of pod p may hold 2 CPUs", func(n *node) {
			last(n)
			allocated(n, "p", kubelet.PodResources{ContainerResources: map[string]kubelet.Requirements{"c": cpus(2)}})
			n.files[preflight.ActuatedPods] = n.files[preflight.AllocatedPods]
			delete(n.files, preflight.AllocatedPods)
		}},
		{"devices of a pod", "by kubelet_internal_checkpoint, pod ", func(n *node) {
			last(n)
			n.files[preflight.DeviceCheckpoint] = recordedFile(n.t, "device/1.29/110pods.json")
		}},
		{"the claim of a pod", "by dra_manager_state, pod ", func(n *node) {
			last(n)
			n.release = "1.31"
			n.files[preflight.DRAManagerState] = recordedFile(n.t, "dra/1.31/110claims.json")
		}},
		{"the devices cannot be read", "kubelet_internal_checkpoint, which could tell", func(n *node) { last(n); n.files[preflight.DeviceCheckpoint] = []byte("{") }},
		{"the allocated pods of another release cannot be read", "cannot be read", func(n *node) {
			last(n)
			n.release = "1.31"
			n.files[preflight.AllocatedPods] = []byte("{")
		}},
		{"the allocated pods cannot be read", "cannot be read", func(n *node) { last(n); n.files[preflight.AllocatedPods] = []byte("{") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newNode(t)
			c.prepare(n)
			q := n.question()
			if n.machine[2] == 'c' && !strings.HasPrefix(c.name, "a pod has") {
				delete(q.Files, preflight.MemoryManagerState)
			}
			if c.name == "a backup" {
				q.Backups = preflight.Files{"cpu_manager_state.ckpt-backup-1": []byte(`{"policyName":"static","defaultCpuSet":"0","entries":{"gone":{"c":"16-17"}},"checksum":1}`)}
			}
			a, err := preflight.Adopt(q, preflight.CPUManagerState)
			var no *preflight.NotAdoptedError
			if !errors.As(err, &no) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v, want %q; changes %+v", err, c.why, a.Changes)
			}
		})
	}
}

// recordedFile is a file that a kubelet wrote, with texts in it replaced and the sum
// made good.
func recordedFile(t *testing.T, name string, oldNew ...string) []byte {
	t.Helper()
	blob, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if oldNew == nil {
		return blob
	}
	text := strings.NewReplacer(oldNew...).Replace(string(blob))
	for _, sum := range kubelet.Judge([]byte(text), kubelet.Options{Kind: kubelet.KindOfName(preflight.PodStatusManager)}).Checksums {
		text = strings.Replace(text, fmt.Sprintf("%d}", sum.Stored), fmt.Sprintf("%d}", sum.Computed), 1)
	}
	return []byte(text)
}

// allocatedFile is an allocated_pods_state of 1.37.
func allocatedFile(t *testing.T, pods map[string]kubelet.PodResources) []byte {
	t.Helper()
	inner, err := json.Marshal(map[string]any{"entries": pods})
	if err != nil {
		t.Fatal(err)
	}
	const text = `{"data":%q,"checksum":%s}`
	v := kubelet.Judge(fmt.Appendf(nil, text, inner, "1"), kubelet.Options{Kind: kubelet.Allocated})
	for _, sum := range v.Checksums {
		if sum.Field == "checksum" {
			return fmt.Appendf(nil, text, inner, fmt.Sprint(sum.Computed))
		}
	}
	t.Fatal("no sum")
	return nil
}

// The same file with the same machine is adopted if the other files of the node
// tell of nobody who is not in it.
func TestAdoptNotLost(t *testing.T) {
	n := newNode(t)
	n.machine = `{"coresPerNuma":18,"memoryPerNuma":[33554432000]}`
	n.config = preflight.Config{CPUManagerPolicy: "static", ReservedSystemCPUs: "0"}
	n.cpu = olderHalf(t)
	n.cpu.DefaultCPUSet = "0-1,5-7,10-15"
	whole, half := quantity.New(2, false, quantity.DecimalSI), quantity.New(500, true, quantity.DecimalSI)
	of := func(q quantity.Quantity) kubelet.ResourceList { return kubelet.ResourceList{"cpu": q} }
	n.files[preflight.AllocatedPods] = allocatedFile(t, map[string]kubelet.PodResources{
		"34d71b70-25aa-5fc4-b806-a44c2e0ddc49": {ContainerResources: map[string]kubelet.Requirements{"main": {Requests: of(whole), Limits: of(whole)}}},
		"burstable":                            {ContainerResources: map[string]kubelet.Requirements{"c": {Requests: of(whole)}}},
		"shared":                               {ContainerResources: map[string]kubelet.Requirements{"c": {Requests: of(half), Limits: of(half)}}},
	})
	q := n.question()
	delete(q.Files, preflight.MemoryManagerState)
	a, err := preflight.Adopt(q, preflight.CPUManagerState)
	if err != nil || a.After.CPU.DefaultCPUSet != "0-1,5-7,10-17" {
		t.Errorf("%v %+v", err, a.Changes)
	}
}
