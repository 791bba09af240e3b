package sysfs

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This machine, read here and from other files: the CPUs that /proc/cpuinfo
// lists, the nodes and their CPUs as the kernel's own lists have them.
func TestThisMachine(t *testing.T) {
	sys, err := OpenDir("/sys")
	if err != nil {
		t.Skipf("no /sys: %v", err)
	}
	defer sys.Close()
	proc, err := OpenDir("/proc")
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	defer proc.Close()
	got, err := Read(sys, proc)
	if err != nil || got.Lost != nil {
		t.Fatal(err, got.Lost)
	}
	of := make(map[int][]int)
	var all []int
	for _, n := range got.Machine.Nodes {
		for _, c := range n.Cores {
			of[n.ID] = append(of[n.ID], c.Threads...)
		}
		slices.Sort(of[n.ID])
		all = append(all, of[n.ID]...)
	}
	slices.Sort(all)

	cpuinfo, err := os.ReadFile("/proc/cpuinfo")
	must(t, err)
	var listed []int
	for line := range strings.Lines(string(cpuinfo)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "processor" {
			if cpu, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
				listed = append(listed, cpu)
			}
		}
	}
	if len(listed) == 0 {
		t.Skip("/proc/cpuinfo of this architecture lists no processors")
	}
	if !slices.Equal(all, listed) {
		t.Errorf("CPUs %v, but /proc/cpuinfo has %v", all, listed)
	}
	if online := kernelList(t, "/sys/devices/system/cpu/online"); online != nil && !slices.Equal(all, online) {
		t.Errorf("CPUs %v, but online are %v", all, online)
	}
	if got.NoNUMA {
		t.Skip("this kernel has no NUMA nodes to compare")
	}
	var ids []int
	for _, n := range got.Machine.Nodes {
		ids = append(ids, n.ID)
		if cpus := kernelList(t, filepath.Join("/sys/devices/system/node", "node"+strconv.Itoa(n.ID), "cpulist")); !slices.Equal(of[n.ID], cpus) {
			t.Errorf("node %d has the CPUs %v, but its list says %v", n.ID, of[n.ID], cpus)
		}
	}
	if nodes := kernelList(t, "/sys/devices/system/node/online"); nodes != nil && !slices.Equal(ids, nodes) {
		t.Errorf("nodes %v, but online are %v", ids, nodes)
	}
}

// kernelList reads a list such as 0-3,8.
func kernelList(t *testing.T, path string) (all []int) {
	blob, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	text := strings.TrimSpace(string(blob))
	if text == "" {
		return nil
	}
	for _, part := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		must(t, err)
		last, err := strconv.Atoi(to)
		must(t, err)
		for i := first; i <= last; i++ {
			all = append(all, i)
		}
	}
	return all
}
