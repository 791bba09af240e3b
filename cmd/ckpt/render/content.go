package render

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Limits of one page. 110 is the kubelet's default of pods a node.
const (
	maxPods       = 128
	maxContainers = 24 // of one pod
)

// content draws what the file says.
func (p *page) content(v kubelet.Verdict, o Options) {
	switch c := v.Content.(type) {
	case *kubelet.CPUState:
		p.cpus(c)
	case *kubelet.MemoryState:
		p.memory(c)
	case *kubelet.DeviceState:
		p.devices(c, o)
	case *kubelet.DRAState:
		p.claims(c, o)
	case *kubelet.AllocatedState:
		p.allocated(c)
	}
	if p.hidden {
		p.blank()
		p.para(2, faint, "Values that look like secrets are hidden; --show-secrets shows them.")
	}
}

func sortedKeys[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	return slices.Sorted(maps.Keys(m))
}

// atMost returns the first n of list and how many are left out.
func atMost[T any](list []T, n int) (shown []T, rest int) {
	if len(list) <= n {
		return list, 0
	}
	return list[:n], len(list) - n
}
