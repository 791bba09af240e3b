package sysfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// physical is what tells one core from another.
type physical struct {
	core, pkg    int
	book, drawer string
}

// cores groups the CPUs at paths that are on by the core they are threads of.
func (r *reader) cores(paths []string) ([]preflight.Core, error) {
	var cores []preflight.Core
	index := make(map[physical]int)
	for _, p := range paths {
		cpu, err := leadingNumber(path.Base(p), "cpu")
		if err != nil {
			return nil, fmt.Errorf("/sys/%s: no number of a CPU", p)
		}
		if cpu >= maxCPUs {
			return nil, &TooManyError{Dir: "/sys/" + p, Limit: maxCPUs, number: true}
		}
		if !r.online.has(cpu) {
			continue
		}
		id, err := r.physical(p)
		if errors.Is(err, fs.ErrNotExist) {
			r.note("%v: the CPU is left out", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		i, ok := index[id]
		if !ok {
			i = len(cores)
			index[id] = i
			cores = append(cores, preflight.Core{ID: id.core, Socket: id.pkg, Uncore: id.pkg})
		}
		cores[i].Threads = append(cores[i].Threads, cpu)
	}
	return cores, nil
}

func (r *reader) physical(cpu string) (id physical, err error) {
	topology := r.enter(cpu + "/topology")
	defer topology.leave()
	if id.core, err = topology.number("core_id"); err != nil {
		return id, err
	}
	if id.pkg, err = topology.number("physical_package_id"); err != nil || !r.s390 {
		return id, err
	}
	if id.book, err = topology.text("book_id"); err != nil {
		return id, err
	}
	id.drawer, err = topology.text("drawer_id")
	return id, err
}

// online is the list of the CPUs that are on. Its zero value has all of them,
// as a kernel that cannot turn CPUs off has no list.
type online struct {
	listed bool
	list   string
	bad    bool // none is known to be on
}

func (r *reader) readOnline() online {
	blob, err := readFile(r.sys, cpuDir+"/online", attributeLimit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return online{}
	case err != nil:
		r.note("/sys/%s/online: %v: all CPUs are taken to be off", cpuDir, reason(err))
		return online{listed: true, bad: true}
	case len(blob) == 0:
		r.note("/sys/%s/online: empty: all CPUs are taken to be off", cpuDir)
		return online{listed: true, bad: true}
	}
	o := online{listed: true, list: strings.TrimSpace(string(blob))}
	for part := range strings.SplitSeq(o.list, ",") {
		if _, _, ok := span(part); !ok {
			r.note("/sys/%s/online: %q is no range of CPUs: from there on all are taken to be off", cpuDir, clip(part))
			break
		}
	}
	return o
}

// span reads 3 or 3-5.
func span(part string) (first, last uint64, ok bool) {
	from, to, isRange := strings.Cut(part, "-")
	if !isRange {
		to = from
	}
	first, err := strconv.ParseUint(from, 10, 16)
	last, err2 := strconv.ParseUint(to, 10, 16)
	return first, last, err == nil && err2 == nil && first <= last
}

// has goes through the list until cpu is found. What cannot be read before
// that hides the rest.
func (o online) has(cpu int) bool {
	if !o.listed {
		return true
	}
	if o.bad {
		return false
	}
	for part := range strings.SplitSeq(o.list, ",") {
		first, last, ok := span(part)
		if !ok {
			return false
		}
		if uint64(cpu) >= first && uint64(cpu) <= last {
			return true
		}
	}
	return false
}

// off lists the CPUs that are not on.
func (r *reader) off() (cpus []int, err error) {
	names, err := r.list(cpuDir, maxCPUs, numbered("cpu"))
	for _, name := range names {
		if cpu, err := leadingNumber(name, "cpu"); err == nil && !r.online.has(cpu) {
			cpus = append(cpus, cpu)
		}
	}
	slices.Sort(cpus)
	return cpus, err
}

// sockets counts the packages that cpuinfo names, or else those of the CPUs
// that are on.
func (r *reader) sockets(cpuinfo []byte) (int, error) {
	if n := physicalIDs(cpuinfo); n > 0 {
		return n, nil
	}
	names, err := r.list(cpuDir, maxCPUs, numbered("cpu"))
	if err != nil {
		return 0, err
	}
	distinct := make(map[string]bool)
	for _, name := range names {
		cpu, err := leadingNumber(name, "cpu")
		if err != nil {
			return 0, nil // as cadvisor: no socket at all
		}
		if !r.online.has(cpu) {
			continue
		}
		topology := r.enter(cpuDir + "/" + name + "/topology")
		id, err := topology.text("physical_package_id")
		topology.leave()
		if err != nil {
			id = "0"
		}
		distinct[id] = true
	}
	return len(distinct), nil
}

// physicalIDs counts the different lines "physical id : N".
func physicalIDs(cpuinfo []byte) int {
	distinct := make(map[string]bool)
	for line := range strings.Lines(string(cpuinfo)) {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "physical id")
		if !ok {
			continue
		}
		rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), ":")
		id := strings.TrimLeft(rest, " \t")
		if ok && id != "" && strings.Trim(id, "0123456789") == "" {
			distinct[id] = true
		}
	}
	return len(distinct)
}
