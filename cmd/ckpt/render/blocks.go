package render

import "github.com/kubeckpt/ckpt/checkpoint/kubelet"

const maxBlocks = 8 // of one container

// blocks lists the memory of each pod and container.
func (p *page) blocks(s *kubelet.MemoryState) {
	pods := map[string]bool{}
	for pod := range s.Entries {
		pods[pod] = true
	}
	for pod := range s.PodEntries {
		pods[pod] = true
	}
	p.blank()
	if len(pods) == 0 {
		p.para(2, plain, "No container holds memory.")
		return
	}
	shown, rest := atMost(sortedKeys(pods), maxPods)
	// One grid for all pods keeps the columns in line from pod to pod.
	g := &grid{indent: 4, columns: []column{{shrink: true}, {shrink: true}, {shrink: true}, {right: true}, {right: true}}}
	marks := map[int]text{}
	for _, pod := range shown {
		marks[len(g.rows)] = name(pod)
		containers, hidden := atMost(sortedKeys(s.Entries[pod]), maxContainers)
		for _, c := range containers {
			g.blocks(name(c), s.Entries[pod][c])
		}
		if hidden > 0 {
			g.row(sayAs(faint, "… "+number(hidden)+" more"))
		}
		if entry, ok := s.PodEntries[pod]; ok {
			g.blocks("(pod)", entry.MemoryBlocks)
		} else if len(containers) == 0 {
			g.row(sayAs(faint, "(none)"))
		}
	}
	p.groups(g, marks)
	p.more(2, rest, "pod", "pods")
}

func (g *grid) blocks(who text, blocks []kubelet.Block) {
	shown, rest := atMost(blocks, maxBlocks)
	for i, b := range shown {
		if i > 0 {
			who = ""
		}
		g.row(say(who), say(clean(string(b.Type))), say(nodesOf(b.NUMAAffinity)), say(size(b.Size)), say(exact(b.Size)))
	}
	if len(blocks) == 0 {
		g.row(say(who), sayAs(faint, "(no blocks)"))
	}
	if rest > 0 {
		g.row(say(""), sayAs(faint, "… "+number(rest)+" more"))
	}
}

// nodesOf returns "node 0" or "nodes 0,1".
func nodesOf(ids []int) text {
	var names []text
	for _, id := range ids {
		names = append(names, textf("%d", id))
	}
	switch len(names) {
	case 0:
		return "no node"
	case 1:
		return "node " + names[0]
	}
	return "nodes " + join(names, ",")
}
