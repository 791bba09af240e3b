package render

import (
	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// allocated draws an allocated_pods_state and its like.
func (p *page) allocated(s *kubelet.AllocatedState) {
	p.heading("Allocated resources", "")
	pods := podsOf(s)
	if len(pods) == 0 {
		p.para(2, plain, "The file holds no pods.")
		return
	}
	shown, rest := atMost(pods, maxPods)
	g := &grid{indent: 4, columns: []column{{shrink: true}, {shrink: true}, {right: true}, {right: true}, {}}}
	titles := map[int]text{}
	g.row(sayAs(faint, "container"), sayAs(faint, "resource"), sayAs(faint, "request"), sayAs(faint, "limit"))
	for _, pod := range shown {
		titles[len(g.rows)] = name(pod) + and("   resize ", clean(s.ResizeStatus[pod]))
		g.pod(s, pod)
	}
	p.groups(g, titles)
	p.more(2, rest, "pod", "pods")
}

// podsOf returns the pods of whichever layout the file has.
func podsOf(s *kubelet.AllocatedState) []string {
	pods := map[string]bool{}
	add := func(names []string) {
		for _, name := range names {
			pods[name] = true
		}
	}
	add(sortedKeys(s.Pods))
	add(sortedKeys(s.Containers))
	add(sortedKeys(s.Lists))
	add(sortedKeys(s.ResizeStatus))
	return sortedKeys(pods)
}

// pod lists the resources of one pod.
func (g *grid) pod(s *kubelet.AllocatedState, pod string) {
	before := len(g.rows)
	containers := map[string]kubelet.Requirements{}
	for c, list := range s.Lists[pod] { // 1.29 to 1.31 store requests alone
		containers[c] = kubelet.Requirements{Requests: list}
	}
	for c, r := range s.Containers[pod] {
		containers[c] = r
	}
	for c, r := range s.Pods[pod].ContainerResources {
		containers[c] = r
	}
	names, rest := atMost(sortedKeys(containers), maxContainers)
	for _, container := range names {
		g.requirements(name(container), containers[container])
	}
	if rest > 0 {
		g.row(sayAs(faint, "… "+number(rest)+" more"))
	}
	if r := s.Pods[pod].PodLevelResources; r != nil {
		g.requirements("(pod)", *r)
	}
	limits := s.Pods[pod].EmptyDirVolumeLimits
	volumes, rest := atMost(sortedKeys(limits), maxContainers)
	for i, volume := range volumes {
		who := text("(emptyDir)")
		if i > 0 {
			who = ""
		}
		g.row(say(who), say(name(volume)), sayAs(faint, "-"), amount(limits[volume]))
	}
	if rest > 0 {
		g.row(say(""), sayAs(faint, "… "+number(rest)+" more"))
	}
	if len(g.rows) == before {
		g.row(sayAs(faint, "(nothing)"))
	}
}

func (g *grid) requirements(who text, r kubelet.Requirements) {
	before := len(g.rows)
	first := func() span {
		if len(g.rows) > before {
			return say("")
		}
		return say(who)
	}
	resources := map[kubelet.ResourceName]bool{}
	for n := range r.Requests {
		resources[n] = true
	}
	for n := range r.Limits {
		resources[n] = true
	}
	shown, rest := atMost(sortedKeys(resources), maxContainers)
	for _, n := range shown {
		g.row(first(), say(clean(string(n))), of(r.Requests, n), of(r.Limits, n))
	}
	if rest > 0 {
		g.row(first(), sayAs(faint, "… "+number(rest)+" more"))
	}
	claims, rest := atMost(r.Claims, maxContainers)
	for _, c := range claims {
		g.row(first(), say("claim "+clean(c.Name)), say(clean(c.Request)))
	}
	if rest > 0 {
		g.row(first(), sayAs(faint, "… "+number(rest)+" more"))
	}
	if len(g.rows) == before {
		g.row(first(), sayAs(faint, "(nothing)"))
	}
}

func of(list kubelet.ResourceList, name kubelet.ResourceName) span {
	q, ok := list[name]
	if !ok {
		return sayAs(faint, "-")
	}
	return amount(&q)
}

func amount(q *quantity.Quantity) span {
	if q == nil {
		return sayAs(faint, "null")
	}
	return say(clean(q.String()))
}
