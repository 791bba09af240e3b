package render

import (
	"sort"
)

// segment is a run of CPUs that look alike on the map.
type segment struct {
	cpuRange
	holder int  // index; -1: none
	lent   bool // to the containers of the pod
	shared bool // in the default set
	clash  bool // held twice, or held and in the default set
}

// segments cuts the CPUs from 0 to the highest into runs. It works on the ends
// of ranges alone, so huge ranges cost nothing.
func segments(list []holder, pool cpuList) []segment {
	const inPool = -1
	type edge struct{ at, who, step int }
	var edges []edge
	mark := func(l cpuList, who int) {
		for _, r := range l {
			edges = append(edges, edge{r.from, who, 1}, edge{r.to + 1, who, -1})
		}
	}
	for i, h := range list {
		mark(h.owned, i)
		for _, r := range h.lent { // only cuts: lent is part of owned
			edges = append(edges, edge{r.from, i, 0}, edge{r.to + 1, i, 0})
		}
	}
	mark(pool, inPool)
	sort.Slice(edges, func(i, j int) bool { return edges[i].at < edges[j].at })

	// With one holder left, the sum of the indexes of all is its index.
	count, sum, pooled, from := 0, 0, false, 0
	var out []segment
	for _, e := range edges {
		if e.at > from {
			s := segment{cpuRange: cpuRange{from, e.at - 1}, holder: -1, shared: pooled}
			s.clash = count > 1 || count == 1 && pooled
			if count == 1 {
				s.holder = sum
				s.lent = list[sum].lent.has(from)
			}
			out = append(out, s)
			from = e.at
		}
		if e.who == inPool {
			pooled = e.step > 0
			continue
		}
		count += e.step
		sum += e.step * e.who
	}
	return out
}

// without returns the CPUs of l that are not in m.
func (l cpuList) without(m cpuList) (rest cpuList) {
	i := 0
	for _, r := range l {
		for i < len(m) && m[i].to < r.from {
			i++
		}
		for j := i; j < len(m) && m[j].from <= r.to; j++ {
			if m[j].from > r.from {
				rest = append(rest, cpuRange{r.from, m[j].from - 1})
			}
			r.from = m[j].to + 1
		}
		if r.from <= r.to {
			rest = append(rest, r)
		}
	}
	return rest
}
