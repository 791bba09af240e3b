package render

import (
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// cpus draws a cpu_manager_state.
func (p *page) cpus(s *kubelet.CPUState) {
	pool, poolOK := parseCPUs(s.DefaultCPUSet)
	list := holders(s)
	segs := segments(list, pool)
	if len(segs) == 0 && len(list) == 0 && poolOK {
		p.heading("CPUs", "")
		p.para(2, plain, "The file holds no CPU sets: no container has CPUs of its own.")
		return
	}
	p.heading("CPUs", "")
	p.para(2, plain, census(list, segs))
	if !poolOK {
		p.para(2, bad, textf("The default set %q is not a list of CPUs.", s.DefaultCPUSet))
	}
	if len(list) == 0 && len(segs) <= 1 {
		return // nothing to tell apart
	}
	if len(segs) > 0 {
		p.blank()
		p.cpuMap(newCPUMap(list, segs, p.width))
		p.cpuKey(list, segs)
		p.clashes(list, segs)
	}
	p.cpuLegend(list, pool)
}

// census counts CPUs by what they are used for.
func census(list []holder, segs []segment) text {
	var held, shared, unset, clash int
	for _, s := range segs {
		n := s.to - s.from + 1
		switch {
		case s.clash:
			clash += n
		case s.holder >= 0:
			held += n
		case s.shared:
			shared += n
		default:
			unset += n
		}
	}
	if len(list) == 0 && unset == 0 {
		return plural(shared, "CPU", "CPUs") + ", all in the shared pool (" + cpuList{segs[0].cpuRange}.text() + "): no container has CPUs of its own."
	}
	t := plural(held+shared+unset+clash, "CPU", "CPUs") + ": " + number(held) + " exclusive to " +
		plural(len(list), noun(list), noun(list)+"s") + ", " + number(shared) + " in the shared pool"
	if unset > 0 {
		t += ", " + number(unset) + " in no set"
	}
	if clash > 0 {
		t += ", " + number(clash) + " held twice"
	}
	return t + "."
}

// noun is what a holder is. Only cpu/v1 names containers without their pods.
func noun(list []holder) text {
	if len(list) > 0 && len(list[0].rows) == 1 && list[0].rows[0].who == "" {
		return "container"
	}
	return "pod"
}

// cpuKey says what the symbols of the map mean, as far as they occur.
func (p *page) cpuKey(list []holder, segs []segment) {
	has := func(f func(segment) bool) bool { return slices.ContainsFunc(segs, f) }
	var parts []text
	if has(func(s segment) bool { return s.holder >= 0 && !s.lent && !s.clash }) {
		parts = append(parts, "A exclusive")
	}
	if has(func(s segment) bool { return s.lent && !s.clash }) {
		parts = append(parts, "a shared in its pod")
	}
	if has(func(s segment) bool { return s.shared && !s.clash && s.holder < 0 }) {
		parts = append(parts, ". shared pool")
	}
	if has(func(s segment) bool { return !s.shared && !s.clash && s.holder < 0 }) {
		parts = append(parts, "- in no set")
	}
	if has(func(s segment) bool { return s.clash }) {
		parts = append(parts, "! held twice")
	}
	p.blank()
	p.line(say(spaces(mapIndent)), sayAs(faint, join(parts, "   ")))
}

// maxClashes bounds the runs of CPUs named that are held twice.
const maxClashes = 8

func (p *page) clashes(list []holder, segs []segment) {
	var clashing []segment
	for _, s := range segs {
		if s.clash {
			clashing = append(clashing, s)
		}
	}
	shown, rest := atMost(clashing, maxClashes)
	for _, s := range shown {
		var who []text
		for _, h := range list {
			if len(who) < 6 && h.owned.has(s.from) {
				who = append(who, h.code)
			}
		}
		if s.shared {
			who = append(who, "the shared pool")
		}
		p.para(mapIndent, bad, "! CPU "+s.text()+" is held by "+enumerate(who)+".")
	}
	p.more(mapIndent, rest, "run of CPUs held twice", "runs of CPUs held twice")
}

// cpuLegend lists the sets: the shared pool, then each holder's.
func (p *page) cpuLegend(list []holder, pool cpuList) {
	p.blank()
	g := &grid{indent: 2, columns: []column{{}, {shrink: true}, {shrink: true}, {right: true}, {}}}
	row := g.row
	if noun(list) == "container" { // has no name beside its ID
		g.columns = slices.Delete(g.columns, 2, 3)
		row = func(cells ...span) { g.row(slices.Delete(cells, 2, 3)...) }
	}
	row(say(""), sayAs(faint, noun(list)), sayAs(faint, "container"), sayAs(faint, "CPUs"), sayAs(faint, "set"))
	row(sayAs(faint, "."), say("shared pool"), say(""), say(number(pool.count())), say(pool.text()))
	shown, rest := atMost(list, maxPods)
	for i, h := range shown {
		mark, who := sayAs(hue(i), h.code), say(name(h.name))
		rows, hidden := atMost(h.rows, maxContainers)
		for _, r := range rows {
			s, set := r.set()
			row(mark, who, say(r.who), say(number(r.cpus.count())), sayAs(s, set))
			mark, who = say(""), say("")
		}
		if len(rows) == 0 {
			row(mark, who, sayAs(faint, "(none)"), say("0"), say(""))
		}
		if hidden > 0 {
			row(say(""), say(""), sayAs(faint, "… "+number(hidden)+" more"), say(""), say(""))
		}
	}
	p.grid(g)
	p.more(2, rest, noun(list), noun(list)+"s")
}

func (h holding) set() (style, text) {
	switch {
	case !h.ok:
		return bad, textf("%q is no list of CPUs", h.written)
	case h.baseline == "":
		return plain, h.cpus.text()
	}
	return plain, h.cpus.text() + textf(" (baseline %s)", h.baseline)
}
