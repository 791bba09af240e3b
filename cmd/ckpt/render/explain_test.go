package render

import (
	"fmt"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Pages that a person has read, of files that real kubelets wrote or that people
// pasted into public threads.
func TestExplain(t *testing.T) {
	tests := []struct{ name, path string }{
		{"cpu-none", "reports/01-numa-blog-none-default.json"},
		{"cpu-3pods", "kubelets/cpu/1.29/static-3pods.json"},
		{"cpu-110pods", "kubelets/cpu/1.29/static-110pods.json"},
		{"cpu-pod-level", "kubelets/cpu/1.36/static-pod-level+PLRM.json"},
		{"cpu-baselines", "kubelets/cpu/1.37/static-pod-level-baselines+PLRM+EXCL.json"},
		{"cpu-odd-names", "kubelets/cpu/1.29/static-odd-names.json"},
		{"cpu-by-container", "reports/27-k8s-87249-v1-containerid.json"},
		{"cpu-192", "reports/71-eks-5pods-jq-192cpu.json"},
		{"cpu-corrupt", "reports/22-k8s-79823-1core.json"},
		{"cpu-unsigned", "reports/28-k8s-71622-prechecksum-offline.json"},
		{"cpu-prerelease", "reports/56-k8stest-cpu-v4-first-reverted-shape.json"},
		{"cpu-comments", "reports/79-k8s-123816-with-comments.json"},
		{"memory-hugepages", "kubelets/memory/1.29/static-2numa-hugepages.json"},
		{"memory-cross-numa", "kubelets/memory/1.37/static-cross-numa.json"},
		{"memory-pod-level", "kubelets/memory/1.36/static-pod-level+PLRM.json"},
		{"memory-maxuint64", "kubelets/memory/1.29/static-maxuint64.json"},
		{"memory-nulls", "kubelets/memory/1.29/static-nulls.json"},
		{"memory-docs", "reports/46-k8s-docs-memory-2numa-nodes-key.json"},
		{"device-2resources", "kubelets/device/1.29/2resources-numa.json"},
		{"device-invalid-utf8", "kubelets/device/1.29/allocresp-invalid-utf8.json"},
		{"device-odd-names", "kubelets/device/1.29/odd-names.json"},
		{"device-wrong-type", "reports/52-aitra-mixed-map-and-list.json"},
		{"dra-2claims", "kubelets/dra/1.35/2claims.json"},
		{"dra-classic", "kubelets/dra/1.30/2claims.json"},
		{"dra-share-id", "kubelets/dra/1.35/share-id.json"},
		{"dra-skip", "kubelets/dra/1.37/skip-node-ops.json"},
		{"allocated-emptydir", "kubelets/allocated/1.37/emptydir-limits.json"},
		{"allocated-claims", "kubelets/allocated/1.35/claims.json"},
		{"allocated-pod-level", "kubelets/allocated/1.35/pod-level.json"},
		{"allocated-classic", "kubelets/allocated/1.29/2pods.json"},
		{"allocated-odd-quantities", "kubelets/allocated/1.35/odd-quantities.json"},
		{"allocated-own-bug", "kubelets/allocated/1.29/1pod-noncanonical-quantity.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := judged(t, tt.path)
			for _, width := range []int{80, 160} {
				golden(t, fmt.Sprintf("explain/%s.%d.txt", tt.name, width), explained(t, f, Options{Width: width}))
			}
		})
	}
}

func TestExplainInColor(t *testing.T) {
	for name, path := range map[string]string{
		"cpu":    "kubelets/cpu/1.36/static-pod-level+PLRM.json",
		"memory": "kubelets/memory/1.29/static-2numa-hugepages.json",
		"device": "kubelets/device/1.29/2resources-numa.json",
	} {
		f := judged(t, path)
		golden(t, "explain/"+name+".80.color.txt", explained(t, f, Options{Color: true}))
	}
}

// States that no genuine file shows.
func TestExplainCrafted(t *testing.T) {
	tests := []struct {
		name    string
		content any
	}{
		{"crafted-cpu-clash", &kubelet.CPUState{
			PolicyName: "static", DefaultCPUSet: "0-3,10-15,96-4095",
			Entries: map[string]map[string]string{
				"922acc1f-d886-5cc8-b44f-9ca08bae216a": {"app": "4-6", "sidecar": "6"},
				"34d71b70-25aa-5fc4-b806-a44c2e0ddc49": {"main": "6-10", "broken": "9-3", "": ""},
			}}},
		{"crafted-memory-hugepages", &kubelet.MemoryState{
			PolicyName: "Static",
			MachineState: kubelet.NUMANodes{0: {NumberOfAssignments: 1, Cells: []int{0},
				MemoryMap: map[kubelet.ResourceName]*kubelet.MemoryTable{
					"hugepages-1Gi": {TotalMemSize: 8 << 30, Allocatable: 8 << 30, Free: 8 << 30},
					"hugepages-2Mi": {},
					"memory": {TotalMemSize: 68 << 30, SystemReserved: 1 << 30, Allocatable: 59 << 30,
						Reserved: 1 << 20, Free: 59<<30 - 1<<20},
				}}},
			Entries: kubelet.ContainerMemory{"922acc1f-d886-5cc8-b44f-9ca08bae216a": {
				"app": {{NUMAAffinity: []int{0}, Type: "memory", Size: 1 << 20}}, "none": {}}},
		}},
		{"crafted-device-troubles", &kubelet.DeviceState{
			RegisteredDevices: map[string][]string{"example.com/kvm": numberedIDs("kvm", 1000), "example.com/idle": nil},
			PodDeviceEntries: []kubelet.DeviceEntry{
				{PodUID: "922acc1f-d886-5cc8-b44f-9ca08bae216a", ContainerName: "app", ResourceName: "example.com/kvm",
					DeviceIDs: kubelet.DevicesPerNUMA{0: {"kvm7"}}, AllocResp: secretResponse},
				{PodUID: "34d71b70-25aa-5fc4-b806-a44c2e0ddc49", ContainerName: "app", ResourceName: "example.com/kvm",
					DeviceIDs: kubelet.DevicesPerNUMA{0: {"kvm7", "kvm2000"}}, AllocResp: []byte("junk")},
			}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := File{Name: "state", Verdict: kubelet.Verdict{State: kubelet.StateOK, Content: tt.content}}
			golden(t, "explain/"+tt.name+".80.txt", explained(t, f, Options{}))
		})
	}
}

func TestExplainWithoutBytes(t *testing.T) {
	missing := File{Name: "/var/lib/kubelet/cpu_manager_state", Verdict: kubelet.Verdict{State: kubelet.StateMissing}}
	if got, want := explained(t, missing, Options{}), "cpu_manager_state is not there.\n\n  file  /var/lib/kubelet/cpu_manager_state\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	unreadable := File{Name: "-", Verdict: kubelet.Verdict{State: kubelet.StateUnreadable},
		Failure: &Failure{"too-large", "more than 32 MiB, no kubelet writes such a file"}}
	want := "standard input could not be read: more than 32 MiB, no kubelet writes such a\nfile.\n"
	if got := explained(t, unreadable, Options{}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func numberedIDs(prefix string, n int) (ids []string) {
	for i := range n {
		ids = append(ids, fmt.Sprint(prefix, i))
	}
	return ids
}

// secretResponse is a ContainerAllocateResponse with a password among its envs
// and annotations.
var secretResponse = func() []byte {
	pair := func(field byte, key, value string) []byte {
		entry := append([]byte{0x0a, byte(len(key))}, key...)
		entry = append(append(entry, 0x12, byte(len(value))), value...)
		return append([]byte{field, byte(len(entry))}, entry...)
	}
	b := pair(0x0a, "DB_PASSWORD", "hunter2")
	b = append(b, pair(0x0a, "ENDPOINT", "https://user:hunter2@db.example.com/x")...)
	b = append(b, pair(0x0a, "NVIDIA_VISIBLE_DEVICES", "GPU-0")...)
	return append(b, pair(0x22, "example.com/token", "hunter2")...)
}()
