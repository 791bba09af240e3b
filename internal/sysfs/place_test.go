package sysfs

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The short way to a CPU leads where the whole one does, whatever links there are.
func TestShortcut(t *testing.T) {
	const common = `sys/devices/system/cpu/online = 0-3
sys/devices/system/cpu/cpu[0-3]/topology/core_id = 0 | 1
sys/devices/system/cpu/cpu[0-3]/topology/physical_package_id = 0
sys/devices/system/cpu/cpu[0-3]/cache/index3/id = 7
sys/devices/system/cpu/cpu[0-3]/cache/index3/level = 3
sys/devices/system/cpu/cpu[0-3]/cache/index3/type = Unified
sys/devices/system/cpu/cpu[0-3]/cache/index3/size = 32K
sys/devices/system/cpu/cpu[0-3]/cache/index3/shared_cpu_map = 3
proc/meminfo = MemTotal: 2000000000 kB
proc/cpuinfo = physical id	: 0
`
	for name, tree := range map[string]string{
		"the kernel's": `sys/devices/system/node/node0/cpu[0-3] -> ../../cpu/cpu[0-3]`,
		"elsewhere": `sys/devices/system/node/node0/cpu[0-1] -> ../../cpu/cpu[0-1]
sys/devices/system/node/node0/cpu[2-3] -> ../../other/cpu[2-3]
sys/devices/system/other/cpu[2-3]/topology/core_id = 8 | 9
sys/devices/system/other/cpu[2-3]/topology/physical_package_id = 1`,
		"a node that is a link": `sys/devices/system/node/node0 -> ../../far/nodes/node0
sys/devices/far/nodes/node0/cpu[0-3] -> ../../cpu/cpu[0-3]
sys/devices/far/cpu/cpu[0-3]/topology/core_id = 4 | 5
sys/devices/far/cpu/cpu[0-3]/topology/physical_package_id = 3`,
		"crossed links":    `sys/devices/system/node/node0/cpu[0-3] -> ../../cpu/cpu[1-4]`,
		"CPUs without one": `sys/devices/system/node/node0/cpu[0-3]/topology/core_id = 0`,
		"a CPU that is a link": `sys/devices/system/node/node0/cpu[0-4] -> ../../cpu/cpu[0-4]
sys/devices/system/moved/topology/core_id = 9`,
	} {
		dir := t.TempDir()
		plant(t, dir, common+tree)
		if name == "a CPU that is a link" {
			must(t, os.RemoveAll(filepath.Join(dir, "sys/devices/system/cpu/cpu1")))
			must(t, os.Symlink("../moved", filepath.Join(dir, "sys/devices/system/cpu/cpu1")))
		}
		short, err := read(t, dir)
		whole, err2 := Read(os.DirFS(filepath.Join(dir, "sys")), os.DirFS(filepath.Join(dir, "proc")))
		if got, want := describe(short, err)+fmt.Sprintf("%+v", short.Machine), describe(whole, err2)+fmt.Sprintf("%+v", whole.Machine); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}
