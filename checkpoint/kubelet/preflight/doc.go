// Package preflight answers whether a kubelet would start: with this
// configuration, on this machine, with these state files.
//
// It is pure: what [Start] judges is given as values, and it writes nothing.
// The checks are those of the CPU manager, the memory manager and what they are
// made from, in the order in which a kubelet makes them, with the texts it
// prints. [Adopt] rewrites a state file where that is provably safe.
//
// # What is promised
//
// For the releases from 1.29 on, the answers are those of the kubelet's own
// managers: the tests hold several thousand of them, with error texts, reserved
// CPUs and the state that is left. Where a kubelet may end in several ways,
// because it walks maps in random order, the answer says so and lists them.
// Any input is decided on, in well under a second; what cannot be weighed in
// that time is said to be undecided.
//
// # What is not
//
// Other parts of a kubelet may stop it: fields of the configuration that have
// nothing to do with these managers, cgroups, swap, the container runtime. The
// machine is believed to be as it is described. Of the eviction thresholds only
// that of memory is looked at.
package preflight
