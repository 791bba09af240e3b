package render

import "github.com/kubeckpt/ckpt/internal/allocresp"

const (
	maxAllocItems = 24  // of one kind in one AllocResp
	maxValue      = 160 // columns of a value
)

// allocResp draws what a device plugin asked to have added to the container.
func (p *page) allocResp(b []byte, o Options) {
	if len(b) == 0 {
		return
	}
	r, err := allocresp.Decode(b, allocresp.Google)
	if err != nil {
		who := text("kubelets since 1.34 drop")
		older, gogo := allocresp.Decode(b, allocresp.Gogo)
		if r = older; gogo != nil {
			who = "kubelets drop"
		}
		p.hanging(6, sayAs(bad, "AllocResp  "), plain, "does not decode, so "+who+textf(" this entry: %v", err))
		if gogo != nil {
			return
		}
	}
	p.pairs("env", "=", r.Envs, o)
	var mounts, devices []text
	for _, m := range r.Mounts {
		mode := text("rw")
		if m.ReadOnly {
			mode = "ro"
		}
		mounts = append(mounts, samePath(m.HostPath, m.ContainerPath)+" ("+mode+")")
	}
	for _, d := range r.Devices {
		devices = append(devices, samePath(d.HostPath, d.ContainerPath)+" ("+clean(d.Permissions)+")")
	}
	p.items("mount", mounts)
	p.items("device", devices)
	p.pairs("annotation", "=", r.Annotations, o)
	p.items("CDI device", cleanAll(r.CDIDevices))
	if len(r.Unknown) > 0 {
		p.deviceItem("AllocResp", plural(len(r.Unknown), "field", "fields")+" in it that kubelets skip")
	}
}

// samePath writes a path of the host and, if it is another one, where the
// container sees it.
func samePath(host, container string) text {
	if host == container {
		return clean(host)
	}
	return clean(host) + " as " + clean(container)
}

func (p *page) pairs(label, sign text, m map[string]string, o Options) {
	var lines []text
	for _, key := range sortedKeys(m) {
		if len(lines) > maxAllocItems { // only counted
			lines = append(lines, "")
			continue
		}
		lines = append(lines, clean(key).cut(maxValue)+sign+p.value(key, m[key], o).cut(maxValue))
	}
	p.items(label, lines)
}

func (p *page) items(label text, lines []text) {
	shown, rest := atMost(lines, maxAllocItems)
	for _, line := range shown {
		p.deviceItem(label, line)
		label = ""
	}
	if rest > 0 {
		p.deviceItem("", "… and "+number(rest)+" more")
	}
}
