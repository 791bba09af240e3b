package render

import (
	"encoding/json"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

const (
	maxClaims  = 64
	maxPerItem = 24 // pods, devices or ids of one claim
)

// claims draws a dra_manager_state.
func (p *page) claims(s *kubelet.DRAState, o Options) {
	p.heading("Resource claims", "")
	n := len(s.ClaimInfoStateList) + len(s.Claims)
	if n == 0 {
		p.para(2, plain, "The file holds no claims: the kubelet has prepared none.")
		return
	}
	list, rest := atMost(s.ClaimInfoStateList, maxClaims)
	for i, c := range list {
		if i > 0 {
			p.blank()
		}
		p.claimTitle(c.Namespace, c.ClaimName, c.ClaimUID)
		p.item("pods", nameList(sortedKeys(c.PodUIDs)))
		for _, driver := range sortedKeys(c.DriverState) {
			p.driver(driver, c.DriverState[driver])
		}
		if len(c.DriverState) == 0 {
			p.item("driver", "(none)")
		}
	}
	p.more(2, rest, "claim", "claims")
	classic, rest := atMost(s.Claims, maxClaims)
	for i, c := range classic {
		if i > 0 {
			p.blank()
		}
		p.classicClaim(c, o)
	}
	p.more(2, rest, "claim", "claims")
}

func (p *page) claimTitle(namespace, claim, uid string) {
	p.line(say("  "), sayAs(strong, clean(namespace)+"/"+name(claim)), sayAs(faint, "  "+clean(uid)))
}

// item writes a label and what it stands for.
func (p *page) item(label, value text) {
	p.hanging(4, sayAs(faint, label.pad(8)+" "), plain, value)
}

func (p *page) driver(driver string, d kubelet.DriverState) {
	skip := text("")
	if len(d.SkipNodeOperations) > 0 {
		skip = ", skips node operations " + nameList(d.SkipNodeOperations)
	}
	p.item("driver", name(driver)+skip)
	g := &grid{indent: 13, columns: []column{{shrink: true}, {shrink: true}, {}}}
	devices, rest := atMost(d.Devices, maxPerItem)
	for _, device := range devices {
		share := text("")
		if device.ShareID != nil {
			share = ", share " + clean(*device.ShareID)
		}
		g.row(say(clean(device.PoolName)+"/"+clean(device.DeviceName)),
			say(nameList(device.RequestNames)), say(nameList(device.CDIDeviceIDs)+share))
	}
	if len(g.rows) > 0 {
		g.rows = append([][]span{{sayAs(faint, "pool/device"), sayAs(faint, "requests"), sayAs(faint, "CDI devices")}}, g.rows...)
	} else {
		g.row(sayAs(faint, "(no devices)"))
	}
	p.grid(g)
	p.more(13, rest, "device", "devices")
}

// classicClaim draws a claim as kubelet 1.29 and 1.30 store it.
func (p *page) classicClaim(c kubelet.ClassicClaim, o Options) {
	p.claimTitle(c.Namespace, c.ClaimName, c.ClaimUID)
	p.item("pods", nameList(sortedKeys(c.PodUIDs)))
	p.item("driver", clean(c.DriverName)+and(", class ", clean(c.ClassName)))
	handles, rest := atMost(c.ResourceHandles, maxPerItem)
	for _, h := range handles {
		data := h.Data
		if h.Structured != nil {
			if b, err := json.Marshal(h.Structured); err == nil {
				data += string(b)
			}
		}
		p.item("handle", clean(h.DriverName)+and(": ", p.value("", data, o).cut(240)))
	}
	p.more(13, rest, "handle", "handles")
	for _, driver := range sortedKeys(c.CDIDevices) {
		p.item("CDI", clean(driver)+": "+nameList(c.CDIDevices[driver]))
	}
}

// nameList writes names on one line.
func nameList(names []string) text {
	shown, rest := atMost(names, maxPerItem)
	parts := nameAll(shown)
	if rest > 0 {
		parts = append(parts, "… and "+number(rest)+" more")
	}
	if len(parts) == 0 {
		return "(none)"
	}
	return join(parts, ", ")
}
