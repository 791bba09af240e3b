package sysfs

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// FuzzRead: whatever the files say, there is a machine or a sentence, and the
// machine has a description.
func FuzzRead(f *testing.F) {
	f.Add("0-1", "0", "0", "1", "Node 0 MemTotal: 1024 kB", "hugepages-2048kB", "1", "10 20", "00000000,00000003", "physical id\t: 0\n")
	f.Add("", "-1", "x", "", "MemTotal:", "hugepages-", "", "10  ", "f,,", "vendor_id : IBM/S390")
	f.Add("0,65535", "9223372036854775808", "1", "3", "MemTotal: 18446744073709551615 kB", "a-1kBkB", "99999999999999999999", "", "zz", "physical id : 99999")
	f.Fuzz(func(t *testing.T, online, core, pkg, level, meminfo, huge, pages, distance, shared, cpuinfo string) {
		if huge == "" || strings.ContainsAny(huge, "/\\\x00") || huge == "." || huge == ".." || len(huge) > 100 {
			return
		}
		sys, proc := fstest.MapFS{}, fstest.MapFS{}
		put := func(path, text string) { sys["devices/system/"+path] = &fstest.MapFile{Data: []byte(text)} }
		put("cpu/online", online)
		for _, cpu := range []string{"cpu/cpu0", "cpu/cpu1", "node/node0/cpu0", "node/node0/cpu1"} {
			put(cpu+"/topology/core_id", core)
			put(cpu+"/topology/physical_package_id", pkg)
			put(cpu+"/cache/index3/id", core)
			put(cpu+"/cache/index3/size", "1K")
			put(cpu+"/cache/index3/level", level)
			put(cpu+"/cache/index3/type", "Unified")
			put(cpu+"/cache/index3/shared_cpu_map", shared)
		}
		put("node/node0/meminfo", meminfo)
		put("node/node0/distance", distance)
		put("node/node0/hugepages/"+huge+"/nr_hugepages", pages)
		proc["cpuinfo"] = &fstest.MapFile{Data: []byte(cpuinfo)}
		proc["meminfo"] = &fstest.MapFile{Data: []byte(meminfo)}
		r, err := Read(sys, proc)
		if err != nil {
			return
		}
		if r.Lost != nil && (r.Machine.Nodes != nil || r.Machine.CPUs != 0) {
			t.Errorf("lost for %v, but there is %+v", r.Lost, r.Machine)
		}
		blob, err := json.Marshal(r.Machine)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := preflight.ParseMachine(blob); err != nil {
			t.Errorf("%s: %v", blob, err)
		}
	})
}
