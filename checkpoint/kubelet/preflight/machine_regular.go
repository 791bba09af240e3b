package preflight

import (
	"fmt"
	"reflect"
	"strconv"
)

// regular is a machine whose sockets, nodes and cores are all alike.
type regular struct {
	Sockets        int           `json:"sockets"`
	NUMAPerSocket  int           `json:"numaPerSocket"`
	CoresPerNUMA   int           `json:"coresPerNuma"`
	ThreadsPerCore int           `json:"threadsPerCore"`
	Numbering      string        `json:"numbering"`
	MemoryPerNUMA  []uint64      `json:"memoryPerNuma"`
	HugepagesOf    [][]Hugepages `json:"hugepages"`
	CoresPerUncore int           `json:"coresPerUncore"`
}

func (r regular) absent() bool { return reflect.ValueOf(r).IsZero() }

// nodes returns the nodes one by one.
func (r regular) nodes() ([]describedNode, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	sockets, perSocket := max(r.Sockets, 1), max(r.NUMAPerSocket, 1)
	perNode, threads := max(r.CoresPerNUMA, 1), max(r.ThreadsPerCore, 1)
	total := sockets * perSocket * perNode // cores
	var nodes []describedNode
	for id := range sockets * perSocket {
		n := describedNode{ID: id, Memory: nth(r.MemoryPerNUMA, id), Hugepages: nth(r.HugepagesOf, id)}
		for c := range perNode {
			index := id*perNode + c // among all cores
			core := describedCore{ID: index % (perSocket * perNode), Socket: id / perSocket}
			for t := range threads {
				if r.Numbering == "adjacent" {
					core.Threads = append(core.Threads, index*threads+t)
				} else {
					core.Threads = append(core.Threads, index+t*total)
				}
			}
			if r.CoresPerUncore > 0 {
				uncore := index / r.CoresPerUncore
				core.Uncore = &uncore
			}
			n.Cores = append(n.Cores, core)
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

func (r regular) check() error {
	cpus := 1
	for _, f := range []struct {
		name  string
		value int
	}{
		{"sockets", r.Sockets}, {"numaPerSocket", r.NUMAPerSocket},
		{"coresPerNuma", r.CoresPerNUMA}, {"threadsPerCore", r.ThreadsPerCore},
	} {
		if f.value < 0 {
			return fmt.Errorf("%s is negative: %d", f.name, f.value)
		}
		// Each factor is looked at by itself, for the product may overflow.
		if cpus *= max(min(f.value, maxCPUs+1), 1); cpus > maxCPUs {
			return fmt.Errorf("the CPUs are more than the %d that Linux can have", maxCPUs)
		}
	}
	if r.CoresPerUncore < 0 {
		return fmt.Errorf("coresPerUncore is negative: %d", r.CoresPerUncore)
	}
	switch r.Numbering {
	case "", "linux", "adjacent":
		return nil
	}
	return fmt.Errorf("numbering is %q, not \"linux\" or \"adjacent\"", clip(r.Numbering))
}

// nth returns the element of index i, or the last one if there are fewer.
func nth[T any](list []T, i int) (v T) {
	if len(list) == 0 {
		return v
	}
	return list[min(i, len(list)-1)]
}

// scanCPU reads the number of a CPU.
func scanCPU(text string, into *int) error {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return err
	}
	if n >= maxCPUs {
		return strconv.ErrRange
	}
	*into = int(n)
	return nil
}

// jsonType names in JSON's words what a field of kind holds.
func jsonType(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Bool:
		return "true or false"
	case reflect.Uint64:
		return "a whole number that is not negative"
	default:
		return "a whole number"
	}
}

// clip shortens what an error quotes.
func clip(text string) string {
	const most = 64
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
