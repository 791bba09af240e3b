package sysfs

import (
	"strings"
	"testing"
)

// A node of two sockets with 128 cores each: 512 CPUs.
func BenchmarkRead512(b *testing.B) {
	dir := b.TempDir()
	const tree = `sys/devices/system/cpu/online = 0-511
sys/devices/system/cpu/cpu[0-511]/topology/core_id = CORES
sys/devices/system/cpu/cpu[0-127]/topology/physical_package_id = 0
sys/devices/system/cpu/cpu[128-255]/topology/physical_package_id = 1
sys/devices/system/cpu/cpu[256-383]/topology/physical_package_id = 0
sys/devices/system/cpu/cpu[384-511]/topology/physical_package_id = 1
sys/devices/system/cpu/cpu[0-511]/cache/index[0-3]/id = 0
sys/devices/system/cpu/cpu[0-511]/cache/index[0-3]/level = 1 | 1 | 2 | 3
sys/devices/system/cpu/cpu[0-511]/cache/index[0-3]/type = Unified
sys/devices/system/cpu/cpu[0-511]/cache/index[0-3]/size = 32K
sys/devices/system/cpu/cpu[0-511]/cache/index[0-3]/shared_cpu_map = ff
sys/devices/system/node/node0/cpu[0-127] -> ../../cpu/cpu[0-127]
sys/devices/system/node/node1/cpu[128-255] -> ../../cpu/cpu[128-255]
sys/devices/system/node/node0/cpu[256-383] -> ../../cpu/cpu[256-383]
sys/devices/system/node/node1/cpu[384-511] -> ../../cpu/cpu[384-511]
sys/devices/system/node/node[0-1]/meminfo = MemTotal: 1000000000 kB
sys/devices/system/node/node[0-1]/memory[0-9999]/state = online
proc/meminfo = MemTotal: 2000000000 kB
proc/cpuinfo = physical id	: 0`
	cores := strings.Join(expand("[0-127]"), " | ")
	plant(b, dir, strings.ReplaceAll(tree, "CORES", cores))
	for b.Loop() {
		got, err := read(b, dir)
		if err != nil || got.Lost != nil || got.Machine.CPUs != 512 {
			b.Fatal(got.Machine.CPUs, got.Lost, err)
		}
	}
}
