package preflight

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// cpuList is a set of CPUs in ascending order. The sets of a start are small
// beside the work of building them, and none is ever changed.
type cpuList []int

// cpuRange is from and to, both included.
type cpuRange struct{ from, to int }

// parseRanges reads a CPU set as k8s.io/utils/cpuset does, but does not list
// its CPUs: "0-999999999" is eleven bytes long.
func parseRanges(text string) ([]cpuRange, error) {
	if text == "" {
		return nil, nil
	}
	var out []cpuRange
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		if err != nil {
			return nil, err
		}
		to := from
		if isRange {
			if to, err = strconv.Atoi(last); err != nil {
				return nil, err
			}
			if from > to {
				return nil, fmt.Errorf("invalid range %q (%d > %d)", part, from, to)
			}
		}
		out = append(out, cpuRange{from, to})
	}
	return out, nil
}

// parseList reads a CPU set. It reports false for one that is none, or that has
// more than limit CPUs.
func parseList(text string, limit int) (cpuList, bool) {
	ranges, err := parseRanges(text)
	if err != nil {
		return nil, false
	}
	sort.Slice(ranges, func(i, j int) bool { return ranges[i].from < ranges[j].from })
	var out cpuList
	for _, r := range ranges {
		from := r.from
		if n := len(out); n > 0 {
			from = max(from, out[n-1]+1)
		}
		if r.to-from >= limit-len(out) {
			return nil, false
		}
		for cpu := from; cpu <= r.to; cpu++ {
			out = append(out, cpu)
		}
	}
	return out, true
}

func newList(cpus []int) cpuList {
	out := slices.Clone(cpus)
	slices.Sort(out)
	return cpuList(slices.Compact(out))
}

func (l cpuList) has(cpu int) bool {
	_, found := slices.BinarySearch(l, cpu)
	return found
}

func (l cpuList) and(m cpuList) cpuList {
	return l.filter(m.has)
}

func (l cpuList) minus(m cpuList) cpuList {
	return l.filter(func(cpu int) bool { return !m.has(cpu) })
}

func (l cpuList) filter(keep func(int) bool) (out cpuList) {
	for _, cpu := range l {
		if keep(cpu) {
			out = append(out, cpu)
		}
	}
	return out
}

// String is the set as the kernel and the kubelet write it: "0-3,8".
func (l cpuList) String() string {
	var b strings.Builder
	for i := 0; i < len(l); {
		end := i
		for end+1 < len(l) && l[end+1] == l[end]+1 {
			end++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(l[i]))
		if end > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(l[end]))
		}
		i = end + 1
	}
	return b.String()
}
