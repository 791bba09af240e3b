package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

const (
	nodeDir = "devices/system/node"
	cpuDir  = "devices/system/cpu"
)

// topology returns the nodes and how many CPUs the kubelet counts.
func (r *reader) topology() (nodes []preflight.Node, cpus int, noNUMA bool, err error) {
	names, err := r.list(nodeDir, maxNodes, numbered("node"))
	if err != nil {
		return nil, 0, false, err
	}
	if len(names) == 0 {
		nodes, cpus, err = r.packages()
		return nodes, cpus, true, err
	}
	for _, name := range names {
		n, err := r.node(name)
		if err != nil {
			return nil, 0, false, err
		}
		for _, c := range n.Cores {
			cpus += len(c.Threads)
		}
		nodes = append(nodes, n)
	}
	return nodes, cpus, false, nil
}

// list is a glob: what cannot be read has no entries.
func (r *reader) list(dir string, limit int, keep func(string) bool) ([]string, error) {
	names, err := readNames(r.sys, dir, limit, keep)
	var many *TooManyError
	if errors.As(err, &many) {
		return nil, err
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.note("/sys/%s: %v: taken for empty", dir, reason(err))
	}
	return names, nil
}

func (r *reader) node(name string) (n preflight.Node, err error) {
	dir := nodeDir + "/" + name
	if n.ID, err = leadingNumber(name, "node"); err != nil {
		return n, fmt.Errorf("/sys/%s: no number of a node", dir)
	}
	if n.ID > math.MaxInt32 {
		return n, &TooManyError{Dir: "/sys/" + dir, Limit: maxNodes, number: true}
	}
	cpus, err := r.list(dir, maxCPUs, numbered("cpu"))
	if err != nil {
		return n, err
	}
	if len(cpus) > 0 {
		paths := make([]string, len(cpus))
		for i, c := range cpus {
			paths[i] = dir + "/" + c
		}
		if n.Cores, err = r.cores(paths); err != nil {
			return n, err
		}
	}
	r.uncore(n.Cores)
	if n.Memory, err = r.nodeMemory(dir); err != nil {
		return n, err
	}
	if n.Hugepages, err = r.hugepages(dir + "/hugepages"); err != nil {
		return n, err
	}
	n.Distances, err = r.distances(dir)
	return n, err
}

// packages makes a node of each processor package. All CPUs are counted here,
// also those that are off.
func (r *reader) packages() ([]preflight.Node, int, error) {
	names, err := r.list(cpuDir, maxCPUs, numbered("cpu"))
	if err != nil {
		return nil, 0, err
	}
	if len(names) == 0 {
		return nil, 0, fmt.Errorf("/sys/%s: no CPU", cpuDir)
	}
	of := make(map[int][]string)
	var ids []int
	for _, name := range names {
		path := cpuDir + "/" + name
		topology := r.enter(path + "/topology")
		id, err := topology.number("physical_package_id")
		topology.leave()
		if errors.Is(err, fs.ErrNotExist) {
			r.note("/sys/%s: no physical_package_id: left out", path)
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		if of[id] == nil {
			ids = append(ids, id)
		}
		of[id] = append(of[id], path)
	}
	var nodes []preflight.Node
	slices.Sort(ids)
	for _, id := range ids {
		n := preflight.Node{ID: id}
		if n.Cores, err = r.cores(of[id]); err != nil {
			return nil, 0, err
		}
		r.uncore(n.Cores)
		nodes = append(nodes, n)
	}
	return nodes, len(names), nil
}
