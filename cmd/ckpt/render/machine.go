package render

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

// Machine is a machine and what there is to say about how it was read.
type Machine struct {
	preflight.Machine
	NoNUMA bool
	Off    []int    // CPUs that are off
	Lost   string   // why the topology is not known
	Notes  []string // what was passed over
}

// MachineJSON writes the description that preflight.ParseMachine reads.
func MachineJSON(w io.Writer, m Machine) error {
	described := struct {
		preflight.Machine
		Offline []int `json:"offline,omitempty"`
	}{m.Machine, m.Off}
	described.Nodes = notNil(m.Nodes)
	b, err := json.MarshalIndent(described, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(termtext.JSON(b), '\n'))
	return err
}

// MachineTable writes a line a node.
func MachineTable(w io.Writer, m Machine, o Options) error {
	p := newPage(o)
	cores, most := 0, 0
	for _, n := range m.Nodes {
		cores += len(n.Cores)
		for _, c := range n.Cores {
			most = max(most, len(c.Threads))
		}
	}
	nodes := plural(len(m.Nodes), "NUMA node", "NUMA nodes")
	if m.NoNUMA {
		nodes = "no NUMA; " + plural(len(m.Nodes), "package stands in for a node", "packages stand in for nodes")
	}
	summary := plural(m.CPUs, "CPU", "CPUs") + " on " + plural(m.Sockets, "socket", "sockets") + ", " + nodes
	if cores > 0 {
		summary += ", " + plural(cores, "core", "cores")
	}
	if most > 1 {
		summary += " of up to " + plural(most, "thread", "threads")
	}
	p.para(0, strong, summary+", "+size(m.MemoryCapacity)+" of memory.")
	if m.Lost != "" {
		p.blank()
		p.para(2, bad, "The topology is lost: "+clean(m.Lost)+". A kubelet here knows neither nodes nor CPUs.")
	}
	if len(m.Nodes) > 0 {
		p.blank()
		p.nodes(m.Nodes)
	}
	if len(m.Off) > 0 {
		var off cpuList
		for _, cpu := range m.Off {
			off = append(off, cpuRange{cpu, cpu})
		}
		p.blank()
		p.para(2, caution, "off: CPUs "+off.normal().text())
	}
	if len(m.Notes) > 0 {
		p.heading("Passed over, as a kubelet does", "")
		for _, n := range m.Notes {
			p.para(2, plain, clean(n))
		}
	}
	return p.writeTo(w)
}

func (p *page) nodes(nodes []preflight.Node) {
	g := &grid{indent: 2, columns: []column{{right: true}, {shrink: true}, {right: true}, {right: true}, {right: true}, {}}}
	g.row(sayAs(faint, "node"), sayAs(faint, "CPUs"), sayAs(faint, "cores"), sayAs(faint, "sockets"), sayAs(faint, "memory"), sayAs(faint, "hugepages"))
	for _, n := range nodes {
		var cpus cpuList
		var sockets []int
		for _, c := range n.Cores {
			for _, t := range c.Threads {
				cpus = append(cpus, cpuRange{t, t})
			}
			sockets = append(sockets, c.Socket)
		}
		slices.Sort(sockets)
		var at []text
		for _, s := range slices.Compact(sockets) {
			at = append(at, textf("%d", s))
		}
		list := cpus.normal().text()
		if len(n.Cores) == 0 {
			list = "none"
		}
		g.row(say(textf("%d", n.ID)), say(list), say(number(len(n.Cores))), say(join(at, ",")), say(size(n.Memory)), say(hugepages(n.Hugepages)))
	}
	p.grid(g)
}

// hugepages names the sizes with pages first.
func hugepages(all []preflight.Hugepages) text {
	var some, none []text
	for _, h := range all {
		if h.NumPages > 0 {
			some = append(some, number(int(h.NumPages))+" of "+size(h.PageSizeKiB*1024))
		} else {
			none = append(none, size(h.PageSizeKiB*1024))
		}
	}
	if len(none) > 0 {
		some = append(some, "none of "+enumerate(none))
	}
	if len(some) == 0 {
		return "not listed"
	}
	return join(some, ", ")
}
