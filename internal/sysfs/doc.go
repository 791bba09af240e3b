// Package sysfs reads from /sys and /proc the machine that a kubelet sees when
// it starts. The kubelet has that from cadvisor; the same is done here, in the
// same order, with the same tolerance: github.com/google/cadvisor, packages
// machine, utils/sysinfo and utils/sysfs, of 0.48 (kubelet 1.29) to 0.60
// (kubelet 1.37), which agree.
//
// # What is promised
//
//   - Read opens files for reading, below the two directories it is given, and
//     needs no privilege. It does not wait: a named pipe is refused.
//   - A file that cadvisor passes over is passed over. One that makes cadvisor
//     lose the whole topology makes Read lose it: the Machine then has neither
//     nodes nor CPUs, which is what that kubelet would see, and Reading.Lost
//     says why.
//   - Read fails only where the kubelet would not come up at all, because
//     /proc/cpuinfo or /proc/meminfo cannot be read, and for more CPUs, nodes
//     or bytes than Linux can have.
//   - NUMA nodes are sorted by their ids; cadvisor has them in the order of
//     their names (node1, node10, node2). CPUs of a core stay in that order:
//     cpu1, cpu10, cpu2.
//
// # What is not
//
//   - On s390x, cores are told apart by book and drawer, as cadvisor does since
//     0.51. The kubelets before 1.32 take two cores with the same core and
//     package id for one even if they are in different books.
//   - The clock speed, which a kubelet also insists on, is not looked at.
//   - A machine that changes while it is read may come out torn.
package sysfs
