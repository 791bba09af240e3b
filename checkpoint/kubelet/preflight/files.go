package preflight

// Names of the files that a kubelet reads when it starts, in the order in which
// it does. The last is in the directory device-plugins, all others are directly
// under the kubelet's root directory.
const (
	DRAManagerState    = "dra_manager_state"
	AllocatedPods      = "allocated_pods_state"
	ActuatedPods       = "actuated_pods_state"
	PodStatusManager   = "pod_status_manager_state"
	CPUManagerState    = "cpu_manager_state"
	MemoryManagerState = "memory_manager_state"
	DeviceCheckpoint   = "kubelet_internal_checkpoint"
)

// Files are the contents of state files by base name. A name that is not there
// is a file that does not exist; a file of no bytes is something else.
type Files map[string][]byte
