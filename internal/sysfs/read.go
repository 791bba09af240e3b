package sysfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// Linux is built for at most so many.
const (
	maxCPUs  = 8192
	maxNodes = 1024
)

// Reading is a machine and how it was found.
type Reading struct {
	Machine preflight.Machine
	// NoNUMA: the kernel names no NUMA node, and the processor packages stand
	// in for nodes, without memory.
	NoNUMA bool
	// Off are the CPUs that the kernel has but that are off. A kubelet does not
	// know of them.
	Off []int
	// Lost is what made cadvisor give up on the topology; nil: nothing did.
	Lost error
	// Notes are what was passed over, a sentence each.
	Notes []string
}

// reader goes through sys as cadvisor goes through /sys.
type reader struct {
	sys    fs.FS
	online online
	s390   bool
	notes  []string

	bases  map[string]*os.Root // directories that stay open
	plains map[string]bool     // whether a path has no link in it
}

// Read reads the machine from sys and proc, which are what is mounted at /sys
// and /proc. Links must work in them.
func Read(sys, proc fs.FS) (Reading, error) {
	cpuinfo, err := readFile(proc, "cpuinfo", listLimit)
	if err != nil {
		return Reading{}, fmt.Errorf("/proc/cpuinfo: %w", reason(err))
	}
	meminfo, err := readFile(proc, "meminfo", attributeLimit)
	if err != nil {
		return Reading{}, fmt.Errorf("/proc/meminfo: %w", reason(err))
	}
	capacity, err := memTotal(meminfo)
	if err != nil {
		return Reading{}, fmt.Errorf("/proc/meminfo: %w", err)
	}
	r := &reader{sys: sys, s390: bytes.Contains(cpuinfo, []byte("IBM/S390")), bases: map[string]*os.Root{}, plains: map[string]bool{}}
	defer r.close()
	r.online = r.readOnline()
	got := Reading{}
	got.Machine.MemoryCapacity = capacity
	got.Machine.Nodes, got.Machine.CPUs, got.NoNUMA, got.Lost = r.topology()
	var many *TooManyError
	if errors.As(got.Lost, &many) {
		return Reading{}, many
	}
	if got.Lost != nil {
		got.Machine.Nodes, got.Machine.CPUs = nil, 0
	}
	if got.Machine.Sockets, err = r.sockets(cpuinfo); err != nil {
		return Reading{}, err
	}
	nodes := got.Machine.Nodes
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].ID < nodes[j].ID })
	if got.Off, err = r.off(); err != nil {
		return Reading{}, err
	}
	got.Notes = r.notes
	return got, nil
}

// note tells of something that was passed over.
func (r *reader) note(format string, args ...any) {
	const most = 100
	if len(r.notes) < most {
		r.notes = append(r.notes, fmt.Sprintf(format, args...))
	}
}

// errEscapes is for a link that leads out of the directory that is read.
var errEscapes = errors.New("a link leads out of the directory that is read")

// reason strips from an error the path, which its user says in full.
func reason(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	// Package os does not export this error.
	if err.Error() == "path escapes from parent" {
		return errEscapes
	}
	return err
}
