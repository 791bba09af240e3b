package preflight

// Machine is what a kubelet learns of its machine when it starts. It sees no
// later change.
type Machine struct {
	// Nodes are the NUMA nodes, in ascending order of their ids.
	Nodes []Node `json:"numa"`
	// Sockets is how many the kernel lists in /proc/cpuinfo.
	Sockets int `json:"numSockets"`
	// CPUs is how many are online; 0 if the topology could not be read.
	CPUs int `json:"numCores"`
	// MemoryCapacity is the machine's memory in bytes, MemTotal of
	// /proc/meminfo: somewhat less than its nodes have together.
	MemoryCapacity uint64 `json:"memoryCapacity"`
}

// Node is a NUMA node. It may lack CPUs, or memory.
type Node struct {
	ID        int         `json:"id"`
	Memory    uint64      `json:"memory"` // bytes
	Hugepages []Hugepages `json:"hugepages,omitempty"`
	Cores     []Core      `json:"cores,omitempty"`
	Distances []int       `json:"distances,omitempty"`
}

// Hugepages are the pages of one size that a node has set aside.
type Hugepages struct {
	PageSizeKiB uint64 `json:"pageSizeKiB"`
	NumPages    uint64 `json:"numPages"`
}

// Core is a physical core with the CPUs of it that are online.
type Core struct {
	ID      int   `json:"id"`
	Socket  int   `json:"socket"`
	Threads []int `json:"threads"` // CPUs
	Uncore  int   `json:"uncore"`  // id of the cache that its neighbours share
}
