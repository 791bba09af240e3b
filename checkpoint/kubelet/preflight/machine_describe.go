package preflight

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
)

// Linux is built for at most so many.
const (
	maxCPUs  = 8192
	maxNodes = 1024
)

// description is a machine as a person writes it down: its nodes one by one,
// or, for a regular machine, how many there are of each.
type description struct {
	NUMA []describedNode `json:"numa"`
	regular
	Offline        []int  `json:"offline"`        // these CPUs exist, but are off
	OfflineSet     string `json:"offlineSet"`     // the same as a list: 8-15,20
	MemoryCapacity uint64 `json:"memoryCapacity"` // 0: the sum of the nodes
	NumSockets     int    `json:"numSockets"`     // 0: those of the listed cores
	NumCores       *int   `json:"numCores"`       // absent: the CPUs that are on
}

type describedNode struct {
	ID        int             `json:"id"`
	Memory    uint64          `json:"memory"`
	Hugepages []Hugepages     `json:"hugepages"`
	Cores     []describedCore `json:"cores"`
	Distances []int           `json:"distances"`
}

type describedCore struct {
	ID      int   `json:"id"`
	Socket  int   `json:"socket"`
	Threads []int `json:"threads"`
	Uncore  *int  `json:"uncore"` // absent: that of the socket
}

// ParseMachine reads the description of a machine in JSON.
//
// It lists the NUMA nodes in the form in which a Machine is encoded:
//
//	{"numa": [{"id": 0, "memory": 33554432000,
//	  "hugepages": [{"pageSizeKiB": 2048, "numPages": 512}],
//	  "cores": [{"id": 0, "socket": 0, "threads": [0, 8], "uncore": 0}]}]}
//
// or, for a machine whose parts are all alike, says how many there are:
//
//	{"sockets": 2, "numaPerSocket": 1, "coresPerNuma": 8, "threadsPerCore": 2,
//	  "numbering": "linux", "coresPerUncore": 4,
//	  "memoryPerNuma": [33554432000], "hugepages": [[…]]}
//
// What is left out counts as one; of the lists, the last element serves the
// nodes that are left. The numbering "linux" gives the first threads of all
// cores before the second ones, "adjacent" the threads of a core one after the
// other.
//
// Both forms may name CPUs that are off ("offline": [7], "offlineSet":
// "8-15"), and say otherwise what follows from the nodes: "memoryCapacity",
// "numSockets", "numCores".
func ParseMachine(blob []byte) (Machine, error) {
	m, err := parseMachine(blob)
	if err != nil {
		return Machine{}, fmt.Errorf("machine description: %w", err)
	}
	return m, nil
}

func parseMachine(blob []byte) (Machine, error) {
	var d description
	if err := decodeStrict(blob, &d); err != nil {
		return Machine{}, err
	}
	if err := checkKeys(blob); err != nil {
		return Machine{}, err
	}
	if err := d.listsSome(blob); err != nil {
		return Machine{}, err
	}
	off, err := d.offline()
	if err != nil {
		return Machine{}, err
	}
	nodes, err := d.nodes()
	if err != nil {
		return Machine{}, err
	}
	if err := checkNodes(nodes); err != nil {
		return Machine{}, err
	}
	if err := d.checkOffline(nodes, off); err != nil {
		return Machine{}, err
	}
	return d.machine(nodes, off)
}

// listsSome refuses a list of no nodes, in whose place those of the other form
// would come. Only a machine whose topology could not be read has none.
func (d description) listsSome(blob []byte) error {
	var said struct {
		NUMA json.RawMessage `json:"numa"`
	}
	// It was decoded before.
	if err := json.Unmarshal(blob, &said); err != nil || said.NUMA == nil || len(d.NUMA) > 0 {
		return err
	}
	if d.regular.absent() && d.NumCores != nil && *d.NumCores == 0 {
		return nil
	}
	return errors.New(`"numa" lists no node`)
}

// nodes returns the listed nodes, or those that the numbers describe.
func (d description) nodes() ([]describedNode, error) {
	if len(d.NUMA) > 0 {
		return d.NUMA, nil
	}
	if d.regular.absent() && d.NumCores != nil && *d.NumCores == 0 {
		return nil, nil // a machine whose topology could not be read
	}
	return d.regular.nodes()
}

// offline returns the CPUs that are off.
func (d description) offline() (map[int]bool, error) {
	off := make(map[int]bool)
	for _, cpu := range d.Offline {
		off[cpu] = true
	}
	if d.OfflineSet == "" {
		return off, nil
	}
	for part := range strings.SplitSeq(d.OfflineSet, ",") {
		var first, last int
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		err := errors.Join(scanCPU(from, &first), scanCPU(to, &last))
		if err != nil || last < first {
			return nil, fmt.Errorf("offlineSet: %q in %q is not a CPU below %d or a range of them", part, clip(d.OfflineSet), maxCPUs)
		}
		for cpu := first; cpu <= last; cpu++ {
			off[cpu] = true
		}
	}
	return off, nil
}

// checkNodes refuses what no machine can be.
func checkNodes(nodes []describedNode) error {
	if len(nodes) > maxNodes {
		return fmt.Errorf("%d NUMA nodes are more than the %d that Linux can have", len(nodes), maxNodes)
	}
	var memory uint64
	seenNode, seenCPU := make(map[int]bool), make(map[int]bool)
	for _, n := range nodes {
		// Where a package stands in for a node, -1 is the one that is not told.
		if n.ID < -1 || n.ID > math.MaxInt32 {
			return fmt.Errorf("%d is no id of a NUMA node", n.ID)
		}
		if seenNode[n.ID] {
			return fmt.Errorf("NUMA node %d is listed twice", n.ID)
		}
		seenNode[n.ID] = true
		if memory += n.Memory; n.Memory > math.MaxInt64 || memory > math.MaxInt64 {
			return fmt.Errorf("NUMA node %d has more memory than a kubelet can count", n.ID)
		}
		if err := checkHugepages(n.Hugepages); err != nil {
			return fmt.Errorf("NUMA node %d: %w", n.ID, err)
		}
		for _, c := range n.Cores {
			if len(c.Threads) == 0 {
				return fmt.Errorf("core %d of NUMA node %d has no threads", c.ID, n.ID)
			}
			for _, cpu := range c.Threads {
				if cpu < 0 || cpu >= maxCPUs {
					return fmt.Errorf("core %d of NUMA node %d: CPU %d is not one of 0 to %d", c.ID, n.ID, cpu, maxCPUs-1)
				}
				if seenCPU[cpu] {
					return fmt.Errorf("CPU %d is listed twice", cpu)
				}
				seenCPU[cpu] = true
			}
		}
	}
	return nil
}

func checkHugepages(list []Hugepages) error {
	seen := make(map[uint64]bool)
	for _, h := range list {
		if seen[h.PageSizeKiB] {
			return fmt.Errorf("hugepages of %d KiB are listed twice", h.PageSizeKiB)
		}
		seen[h.PageSizeKiB] = true
		if h.PageSizeKiB == 0 || h.PageSizeKiB > math.MaxInt64/1024 {
			return fmt.Errorf("%d KiB is no size of a page", h.PageSizeKiB)
		}
		if h.NumPages > math.MaxInt64/1024/h.PageSizeKiB {
			return fmt.Errorf("%d pages of %d KiB are more than a kubelet can count", h.NumPages, h.PageSizeKiB)
		}
	}
	return nil
}

// machine leaves out the CPUs that are off, as the kernel does.
func (d description) machine(nodes []describedNode, off map[int]bool) (Machine, error) {
	m := Machine{MemoryCapacity: d.MemoryCapacity, Sockets: d.NumSockets}
	sockets := make(map[int]bool)
	for _, from := range nodes {
		n := Node{ID: from.ID, Memory: from.Memory, Hugepages: from.Hugepages, Distances: from.Distances}
		for _, c := range from.Cores {
			on := slices.DeleteFunc(slices.Clone(c.Threads), func(cpu int) bool { return off[cpu] })
			if len(on) == 0 {
				continue
			}
			core := Core{ID: c.ID, Socket: c.Socket, Threads: on, Uncore: c.Socket}
			if c.Uncore != nil {
				core.Uncore = *c.Uncore
			}
			n.Cores = append(n.Cores, core)
			m.CPUs += len(on)
			sockets[c.Socket] = true
		}
		if d.MemoryCapacity == 0 {
			m.MemoryCapacity += n.Memory
		}
		m.Nodes = append(m.Nodes, n)
	}
	sort.Slice(m.Nodes, func(i, j int) bool { return m.Nodes[i].ID < m.Nodes[j].ID })
	if m.Sockets == 0 {
		m.Sockets = len(sockets)
	}
	if d.NumCores != nil {
		m.CPUs = *d.NumCores
	}
	if m.Sockets < 0 || m.Sockets > maxCPUs {
		return m, fmt.Errorf("numSockets is %d, not one of 0 to %d", m.Sockets, maxCPUs)
	}
	if m.CPUs < 0 || m.CPUs > maxCPUs {
		return m, fmt.Errorf("numCores is %d, not one of 0 to %d", m.CPUs, maxCPUs)
	}
	if m.MemoryCapacity > math.MaxInt64 {
		return m, fmt.Errorf("memoryCapacity %d is more than a kubelet can count", m.MemoryCapacity)
	}
	return m, nil
}

// decodeStrict decodes the one JSON object that blob is, and says in a
// sentence why it cannot.
func decodeStrict(blob []byte, into any) error {
	if len(bytes.TrimSpace(blob)) == 0 {
		return errors.New("it is empty")
	}
	dec := json.NewDecoder(bytes.NewReader(blob))
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON: %w at byte %d", err, syntax.Offset)
	case errors.As(err, &mistyped):
		if mistyped.Field == "" {
			return fmt.Errorf("found a JSON %s where an object was expected", mistyped.Value)
		}
		return fmt.Errorf("field %q is a JSON %s, not %s", strings.TrimPrefix(mistyped.Field, "regular."), mistyped.Value, jsonType(mistyped.Type.Kind()))
	case err != nil:
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more follows after the JSON, at byte %d", dec.InputOffset())
	}
	return nil
}
