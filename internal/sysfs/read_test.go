package sysfs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

func TestTrees(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	must(t, err)
	if len(files) != 5 {
		t.Errorf("%d trees", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			must(t, err)
			part := map[string]string{}
			for _, f := range a.Files {
				part[f.Name] = string(f.Data)
			}
			dir := t.TempDir()
			plant(t, dir, part["tree"])
			got, err := read(t, dir)
			if err != nil || got.Lost != nil {
				t.Fatal(err, got.Lost)
			}
			var want preflight.Machine
			must(t, json.Unmarshal([]byte(part["machine.json"]), &want))
			if d := cmp.Diff(want, got.Machine); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			var notes strings.Builder
			for _, n := range got.Notes {
				if !strings.Contains(n, "/meminfo") {
					fmt.Fprintln(&notes, n)
				}
			}
			if notes.String() != part["notes"] {
				t.Errorf("notes:\n%swant:\n%s", notes.String(), part["notes"])
			}
			if off := strings.TrimSpace(part["off"]); strings.Trim(fmt.Sprint(got.Off), "[]") != off {
				t.Errorf("off are %v, want %s", got.Off, off)
			}
			// A description is as good as the machine.
			blob, err := json.Marshal(got.Machine)
			must(t, err)
			again, err := preflight.ParseMachine(blob)
			must(t, err)
			if d := cmp.Diff(got.Machine, again, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("described: -machine +description\n%s", d)
			}
		})
	}
}

const small = `sys/devices/system/cpu/online = 0-1
sys/devices/system/cpu/cpu[0-1]/topology/core_id = 0 | 1
sys/devices/system/cpu/cpu[0-1]/topology/physical_package_id = 0
sys/devices/system/node/node0/cpu[0-1] -> ../../cpu/cpu[0-1]
sys/devices/system/node/node0/meminfo = Node 0 MemTotal: 1024 kB
sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages = 1
sys/devices/system/node/node0/distance = 10
proc/meminfo = MemTotal: 1000 kB
proc/cpuinfo = physical id	: 0
`

// What one file of the small machine does to the whole.
func TestOneFile(t *testing.T) {
	const cpu, node = "sys/devices/system/cpu/", "sys/devices/system/node/"
	for _, test := range []struct {
		name, path, text string // text "-" removes the file
		want             string
	}{
		{"as it is", "proc/meminfo", "MemTotal: 1000 kB\n", "CPUs 2 sockets 1 memory 1048576"},
		{"no list of online CPUs", cpu + "online", "-", "CPUs 2 sockets 1 memory 1048576"},
		{"an empty list", cpu + "online", "", "CPUs 0 sockets 1 memory 1048576; /sys/devices/system/cpu/online: empty: all CPUs are taken to be off"},
		{"a newline for a list", cpu + "online", "\n", `CPUs 0 sockets 1 memory 1048576; /sys/devices/system/cpu/online: "" is no range of CPUs: from there on all are taken to be off`},
		{"a list broken at its end", cpu + "online", "0,x,1", `CPUs 1 sockets 1 memory 1048576; /sys/devices/system/cpu/online: "x" is no range of CPUs: from there on all are taken to be off`},
		{"a list that runs backwards", cpu + "online", "1-0", `CPUs 0 sockets 1 memory 1048576; /sys/devices/system/cpu/online: "1-0" is no range of CPUs: from there on all are taken to be off`},
		{"a range of three", cpu + "online", "0-1-2", `CPUs 0 sockets 1 memory 1048576; /sys/devices/system/cpu/online: "0-1-2" is no range of CPUs: from there on all are taken to be off`},
		{"no core id", cpu + "cpu1/topology/core_id", "-", "CPUs 1 sockets 1 memory 1048576; /sys/devices/system/node/node0/cpu1/topology/core_id: no such file or directory: the CPU is left out"},
		{"no number", cpu + "cpu1/topology/core_id", "one", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/cpu1/topology/core_id: "one" is no number`},
		{"a negative package", cpu + "cpu1/topology/physical_package_id", "-1", "CPUs 2 sockets 1 memory 1048576"},
		{"no meminfo of the node", node + "node0/meminfo", "-", "CPUs 2 sockets 1 memory 0; /sys/devices/system/node/node0/meminfo: no such file or directory: the node counts as one without memory"},
		{"no MemTotal of the node", node + "node0/meminfo", "MemFree: 1 kB", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/meminfo: no line "MemTotal: N kB"`},
		{"too much memory", node + "node0/meminfo", "MemTotal: 9007199254740992 kB", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/meminfo: MemTotal of 9007199254740992 kB is more than a kubelet can count`},
		{"hugepages of no size", node + "node0/hugepages/hugepages-big/nr_hugepages", "1", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/hugepages: "hugepages-big" is not hugepages-NkB`},
		{"hugepages without a number", node + "node0/hugepages/hugepages-2048kB/nr_hugepages", "?", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages: "?" is no number`},
		{"hugepages beyond counting", node + "node0/hugepages/hugepages-2048kB/nr_hugepages", "9007199254740992", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/hugepages/hugepages-2048kB: 9007199254740992 pages are more than a kubelet can count`},
		{"an absurd node", node + "node99999999999/meminfo", "", "error: /sys/devices/system/node/node99999999999: its number is too large, Linux can have 1024"},
		{"a distance that is none", node + "node0/distance", "10  20", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/distance: "" is no number`},
		{"a name like a node's", node + "node_of2/meminfo", "", `CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node_of2: no number of a node`},
		{"a name like a CPU's", cpu + "cpuX1/online", "1", "CPUs 2 sockets 1 memory 1048576"},
		{"an absurd CPU", node + "node0/cpu99999/online", "1", "error: /sys/devices/system/node/node0/cpu99999: its number is too large, Linux can have 8192"},
		{"no cpuinfo", "proc/cpuinfo", "-", "error: /proc/cpuinfo: no such file or directory"},
		{"no meminfo", "proc/meminfo", "-", "error: /proc/meminfo: no such file or directory"},
		{"no MemTotal", "proc/meminfo", "MemFree: 1 kB", `error: /proc/meminfo: no line "MemTotal: N kB"`},
		{"an endless attribute", cpu + "cpu1/topology/core_id", strings.Repeat("0", 65<<10), "CPUs 0 sockets 1 memory none; lost: /sys/devices/system/node/node0/cpu1/topology/core_id: more than 65536 bytes"},
		{"no book on a mainframe", "proc/cpuinfo", "vendor_id       : IBM/S390\n", "CPUs 0 sockets 1 memory 1048576; /sys/devices/system/node/node0/cpu0/topology/book_id: no such file or directory: the CPU is left out; /sys/devices/system/node/node0/cpu1/topology/book_id: no such file or directory: the CPU is left out"},
	} {
		dir := t.TempDir()
		plant(t, dir, small)
		path := filepath.Join(dir, test.path)
		if test.text == "-" {
			must(t, os.Remove(path))
		} else {
			_ = os.Remove(path)
			write(t, path, test.text)
		}
		got, err := read(t, dir)
		if text := describe(got, err); text != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, text, test.want)
		}
	}
}

func describe(r Reading, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "CPUs %d sockets %d memory ", r.Machine.CPUs, r.Machine.Sockets)
	if len(r.Machine.Nodes) > 0 {
		fmt.Fprint(&b, r.Machine.Nodes[0].Memory)
	} else {
		b.WriteString("none")
	}
	if r.Lost != nil {
		fmt.Fprintf(&b, "; lost: %v", r.Lost)
	}
	for _, n := range r.Notes {
		b.WriteString("; " + n)
	}
	return b.String()
}

// Cores of different books of a mainframe may have the same ids.
func TestBooks(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, small+`sys/devices/system/cpu/cpu[0-1]/topology/book_id = 0 | 1
sys/devices/system/cpu/cpu[0-1]/topology/drawer_id = 0`)
	write(t, filepath.Join(dir, "proc/cpuinfo.new"), "vendor_id       : IBM/S390\n")
	must(t, os.Rename(filepath.Join(dir, "proc/cpuinfo.new"), filepath.Join(dir, "proc/cpuinfo")))
	core := filepath.Join(dir, "sys/devices/system/cpu/cpu1/topology/core_id")
	must(t, os.Remove(core))
	write(t, core, "0\n")
	got, err := read(t, dir)
	if err != nil || len(got.Machine.Nodes[0].Cores) != 2 {
		t.Errorf("%+v, %v: want two cores", got, err)
	}
}

// A board without NUMA whose firmware does not tell packages: they are -1, and
// so is the node that stands for them. It has a description all the same.
func TestNoPackage(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, `sys/devices/system/cpu/cpu[0-1]/topology/core_id = 0 | 1
sys/devices/system/cpu/cpu[0-1]/topology/physical_package_id = -1
proc/meminfo = MemTotal: 1000 kB
proc/cpuinfo = processor : 0`)
	got, err := read(t, dir)
	if err != nil || !got.NoNUMA || len(got.Machine.Nodes) != 1 || got.Machine.Nodes[0].ID != -1 || got.Machine.CPUs != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	blob, err := json.Marshal(got.Machine)
	must(t, err)
	if _, err := preflight.ParseMachine(blob); err != nil {
		t.Error(err)
	}
}

// Nodes are sorted by number though their names are not.
func TestNodeOrder(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, small+"sys/devices/system/node/node[2-11]/meminfo = MemTotal: 1 kB")
	got, err := read(t, dir)
	must(t, err)
	var ids []int
	for _, n := range got.Machine.Nodes {
		ids = append(ids, n.ID)
	}
	if d := cmp.Diff([]int{0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, ids); d != "" {
		t.Error(d)
	}
}
