package kubelet

// Kind says which part of the kubelet a file belongs to.
type Kind string

const (
	CPU       Kind = "cpu"       // cpu_manager_state
	Memory    Kind = "memory"    // memory_manager_state
	Device    Kind = "device"    // device-plugins/kubelet_internal_checkpoint
	DRA       Kind = "dra"       // dra_manager_state
	Allocated Kind = "allocated" // allocated_pods_state, actuated_pods_state, pod_status_manager_state
	Unknown   Kind = "unknown"
)

// FormatID names one on-disk version of a kind, such as cpu/v2. The version
// numbers follow the kubelet's own type names where it has some. The zero
// FormatID is no format.
type FormatID struct {
	Kind    Kind
	Version string
}

func (id FormatID) String() string {
	if id == (FormatID{}) {
		return ""
	}
	return string(id.Kind) + "/" + id.Version
}

// File is a file name that the kubelet uses, relative to its root directory.
type File struct {
	Kind Kind
	Name string // "device-plugins/kubelet_internal_checkpoint"
	Span Span   // the releases that use it
}

// Files returns every file name that a known kubelet uses, in the order of
// the kubelet's start.
func Files() []File {
	return []File{
		{DRA, "dra_manager_state", Span{From: "1.27"}},
		{CPU, "cpu_manager_state", Span{From: "1.10"}},
		{Memory, "memory_manager_state", Span{From: "1.21"}},
		{Device, "device-plugins/kubelet_internal_checkpoint", Span{From: "1.10"}},
		{Allocated, "pod_status_manager_state", Span{From: "1.27", To: "1.32"}},
		{Allocated, "allocated_pods_state", Span{From: "1.33"}},
		{Allocated, "actuated_pods_state", Span{From: "1.33"}},
	}
}
