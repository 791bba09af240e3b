package render

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// span of CPUs, both ends included.
type cpuRange struct{ from, to int }

// cpuList is a set of CPUs as ranges in order, with gaps between them. However
// large the numbers, it is no larger than its text.
type cpuList []cpuRange

// cpuBits bounds the number of a CPU, so that sums of them fit 32 bits. No kubelet
// could hold a set of that many.
const cpuBits = 30

// parseCPUs reads the kernel's list format ("0-3,8"), as far as it can be read.
func parseCPUs(s string) (list cpuList, ok bool) {
	if s == "" {
		return nil, true
	}
	ok = true
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(part, "-")
		a, errA := strconv.ParseUint(from, 10, cpuBits)
		b, errB := a, error(nil)
		if isRange {
			b, errB = strconv.ParseUint(to, 10, cpuBits)
		}
		if errA != nil || errB != nil || a > b {
			ok = false
			continue
		}
		list = append(list, cpuRange{int(a), int(b)})
	}
	return list.normal(), ok
}

// normal sorts ranges and joins those that touch.
func (l cpuList) normal() cpuList {
	sort.Slice(l, func(i, j int) bool { return l[i].from < l[j].from })
	joined := l[:0]
	for _, r := range l {
		if n := len(joined) - 1; n >= 0 && r.from <= joined[n].to+1 {
			joined[n].to = max(joined[n].to, r.to)
			continue
		}
		joined = append(joined, r)
	}
	return joined
}

func (l cpuList) count() (n int) {
	for _, r := range l {
		n += r.to - r.from + 1
	}
	return n
}

func (l cpuList) has(cpu int) bool {
	i, found := slices.BinarySearchFunc(l, cpu, func(r cpuRange, cpu int) int { return cmp.Compare(r.from, cpu) })
	return found || i > 0 && cpu <= l[i-1].to
}

// union joins two sets.
func (l cpuList) union(m cpuList) cpuList { return slices.Concat(l, m).normal() }

func (l cpuList) text() text {
	var parts []text
	for _, r := range l {
		parts = append(parts, r.text())
	}
	return join(parts, ",")
}

func (r cpuRange) text() text {
	if r.from == r.to {
		return textf("%d", r.from)
	}
	return textf("%d-%d", r.from, r.to)
}
