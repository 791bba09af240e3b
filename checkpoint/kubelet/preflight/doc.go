// Package preflight answers whether a kubelet would start: with this
// configuration, on this machine, with these state files.
//
// It is pure: what [Start] judges is given as values. The checks are those of the
// CPU manager, the memory manager and what they are made from, in the order in
// which a kubelet makes them, with the texts it prints.
package preflight
