package render

import (
	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

const (
	maxResources = 32
	maxEntries   = 128 // entries of one resource
)

// devices draws a kubelet_internal_checkpoint, resource by resource.
func (p *page) devices(s *kubelet.DeviceState, o Options) {
	p.heading("Devices", "")
	byResource := map[string][]kubelet.DeviceEntry{}
	for name := range s.RegisteredDevices {
		byResource[name] = nil
	}
	for _, e := range s.PodDeviceEntries {
		byResource[e.ResourceName] = append(byResource[e.ResourceName], e)
	}
	if len(byResource) == 0 {
		p.para(2, plain, "The file holds no devices: no device plugin has registered any.")
		return
	}
	names, rest := atMost(sortedKeys(byResource), maxResources)
	for i, name := range names {
		if i > 0 {
			p.blank()
		}
		p.resource(name, byResource[name], s.RegisteredDevices[name], o)
	}
	p.more(2, rest, "resource", "resources")
}

// resource draws who holds the devices of one resource, and which are free.
func (p *page) resource(resource string, entries []kubelet.DeviceEntry, registered []string, o Options) {
	times := map[string]int{}
	for _, e := range entries {
		for _, ids := range e.DeviceIDs {
			for _, id := range ids {
				times[id]++
			}
		}
	}
	known := map[string]bool{}
	var free []string
	for _, id := range registered {
		if known[id] = true; times[id] == 0 {
			free = append(free, id)
		}
	}
	p.line(say("  "), sayAs(strong, clean(resource)), sayAs(faint,
		"  "+number(len(registered))+" registered, "+number(len(times))+" held, "+number(len(free))+" free"))
	shown, rest := atMost(entries, maxEntries)
	for _, e := range shown {
		p.line(say("    "), say(name(e.PodUID)), say("  "), say(name(e.ContainerName)))
		for _, node := range sortedKeys(e.DeviceIDs) {
			label := textf("node %d", node)
			if node == -1 {
				label = "no node"
			}
			p.deviceItem(label, idList(e.DeviceIDs[node]))
			p.deviceTrouble(e.DeviceIDs[node], known, times)
		}
		if len(e.DeviceIDs) == 0 {
			p.deviceItem("ids", "(none)")
		}
		p.allocResp(e.AllocResp, o)
	}
	p.more(4, rest, "entry", "entries")
	if len(free) > 0 {
		p.hanging(4, sayAs(good, "free     "), plain, idList(free))
	}
}

func (p *page) deviceItem(label, value text) {
	p.hanging(6, sayAs(faint, label.pad(11)), plain, value)
}

// deviceTrouble points at ids that should not be held, or not like this.
func (p *page) deviceTrouble(ids []string, known map[string]bool, times map[string]int) {
	var unknown, twice []string
	for _, id := range ids {
		if !known[id] {
			unknown = append(unknown, id)
		}
		if times[id] > 1 {
			twice = append(twice, id)
		}
	}
	if len(unknown) > 0 {
		p.hanging(17, sayAs(caution, "not registered: "), plain, idList(unknown))
	}
	if len(twice) > 0 {
		p.hanging(17, sayAs(bad, "held twice: "), plain, idList(twice))
	}
}
