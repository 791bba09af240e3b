package sysfs

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kernelLists are the kernel's own lists of what Read finds by other files.
type kernelLists struct {
	listed []int         // CPUs of /proc/cpuinfo
	online []int         // CPUs
	nodes  map[int][]int // CPUs of the nodes that are online
}

// agree says whether the lists are of one machine: a container may show fewer
// CPUs in one of them, or hide parts of /sys.
func (l kernelLists) agree() bool {
	var ofNodes []int
	for _, cpus := range l.nodes {
		ofNodes = append(ofNodes, cpus...)
	}
	slices.Sort(ofNodes)
	return len(l.listed) > 0 && slices.Equal(l.listed, l.online) && (l.nodes == nil || slices.Equal(ofNodes, l.online))
}

func readKernelLists(t *testing.T) (l kernelLists) {
	cpuinfo, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return l
	}
	for line := range strings.Lines(string(cpuinfo)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "processor" {
			if cpu, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
				l.listed = append(l.listed, cpu)
			}
		}
	}
	l.online = kernelList(t, "/sys/devices/system/cpu/online")
	const nodes = "/sys/devices/system/node"
	for _, id := range kernelList(t, nodes+"/online") {
		if l.nodes == nil {
			l.nodes = make(map[int][]int)
		}
		l.nodes[id] = kernelList(t, filepath.Join(nodes, "node"+strconv.Itoa(id), "cpulist"))
	}
	return l
}

// This machine, read here and from other files: the CPUs that /proc/cpuinfo
// lists, the nodes and their CPUs as the kernel's own lists have them.
func TestThisMachine(t *testing.T) {
	want := readKernelLists(t)
	if !want.agree() {
		t.Skipf("the kernel's own lists are not there or are not of one machine: %+v", want)
	}
	sys, err := OpenDir("/sys")
	must(t, err)
	defer sys.Close()
	proc, err := OpenDir("/proc")
	must(t, err)
	defer proc.Close()
	got, err := Read(sys, proc)
	if after := readKernelLists(t); !reflect.DeepEqual(want, after) {
		t.Skipf("the machine has changed meanwhile from %+v to %+v", want, after)
	}
	if err != nil || got.Lost != nil {
		t.Fatal(err, got.Lost)
	}
	of := make(map[int][]int)
	var all []int
	for _, n := range got.Machine.Nodes {
		of[n.ID] = nil
		for _, c := range n.Cores {
			of[n.ID] = append(of[n.ID], c.Threads...)
		}
		slices.Sort(of[n.ID])
		all = append(all, of[n.ID]...)
	}
	slices.Sort(all)
	if !slices.Equal(all, want.online) {
		t.Errorf("CPUs %v, but online are %v", all, want.online)
	}
	if !got.NoNUMA && want.nodes != nil && !maps.EqualFunc(of, want.nodes, slices.Equal) {
		t.Errorf("nodes %v, but the kernel lists %v", of, want.nodes)
	}
}

func TestKernelListsAgree(t *testing.T) {
	two := []int{0, 1}
	for _, tt := range []struct {
		lists kernelLists
		want  bool
	}{
		{kernelLists{two, two, map[int][]int{0: {0}, 1: {1}}}, true},
		{kernelLists{two, two, map[int][]int{0: two, 1: nil}}, true},
		{kernelLists{two, two, nil}, true},
		{kernelLists{two, []int{0, 1, 2, 3}, nil}, false},
		{kernelLists{two, two, map[int][]int{0: {0, 1, 2, 3}}}, false},
		{kernelLists{two, nil, nil}, false},
		{kernelLists{}, false},
	} {
		if got := tt.lists.agree(); got != tt.want {
			t.Errorf("%+v agree: %t", tt.lists, got)
		}
	}
}

// kernelList reads a list such as 0-3,8. It is nil if there is none.
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
