package preflight

// Config is what matters here of a KubeletConfiguration. The zero Config is the
// default configuration.
type Config struct {
	CPUManagerPolicy             string
	CPUManagerPolicyOptions      map[string]string
	MemoryManagerPolicy          string
	TopologyManagerPolicy        string
	TopologyManagerScope         string
	TopologyManagerPolicyOptions map[string]string
	ReservedMemory               []MemoryReservation
	SystemReserved               map[string]string
	KubeReserved                 map[string]string
	ReservedSystemCPUs           string
	SystemReservedCgroup         string
	KubeReservedCgroup           string
	// EvictionHard nil stands for the default thresholds, an empty map for none.
	EvictionHard                 map[string]string
	MergeDefaultEvictionSettings bool
	FeatureGates                 map[string]bool
	// IgnoreEvictionThreshold is the flag
	// --experimental-allocatable-ignore-eviction.
	IgnoreEvictionThreshold bool

	fields []string // top-level fields, by which a release may refuse the file
	broken string   // why no kubelet decodes the file
}

// MemoryReservation keeps memory of one NUMA node for the system.
type MemoryReservation struct {
	NUMANode int32
	Limits   map[string]string // "memory" or "hugepages-2Mi" →
}

// ParseConfig reads a KubeletConfiguration in JSON. The returned Config can be
// judged also if there is an error: no kubelet starts with it.
func ParseConfig(doc []byte) (Config, error) {
	return Config{}, nil
}
