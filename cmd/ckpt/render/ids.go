package render

import (
	"cmp"
	"sort"
	"strconv"
	"strings"
)

const (
	maxIDs = 48 // device ids of one list, runs counting as one
	minRun = 3  // ids that make a run
)

// idList writes device ids, numbered ones as runs: "kvm0..kvm999".
func idList(ids []string) text {
	runs := idRuns(ids)
	shown, rest := atMost(runs, maxIDs)
	parts := nameAll(shown)
	if rest > 0 {
		parts = append(parts, "… and "+number(rest)+" more")
	}
	if len(parts) == 0 {
		return "(none)"
	}
	return join(parts, " ")
}

type numbered struct {
	id, prefix string
	n          int // -1: no number at the end
}

// idRuns sorts ids, numbers by value, and joins those that count up.
func idRuns(ids []string) (runs []string) {
	list := make([]numbered, 0, len(ids))
	for _, id := range ids {
		list = append(list, splitNumber(id))
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(cmp.Compare(a.prefix, b.prefix), cmp.Compare(a.n, b.n), cmp.Compare(a.id, b.id)) < 0
	})
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j].n >= 0 && list[j+1].prefix == list[j].prefix && list[j+1].n == list[j].n+1 {
			j++
		}
		if j-i+1 >= minRun {
			runs = append(runs, list[i].id+".."+list[j].id)
			i = j + 1
			continue
		}
		runs = append(runs, list[i].id)
		i++
	}
	return runs
}

func splitNumber(id string) numbered {
	digits := len(id) - len(strings.TrimRight(id, "0123456789"))
	digits = min(digits, 9)
	prefix, tail := id[:len(id)-digits], id[len(id)-digits:]
	n, err := strconv.Atoi(tail)
	if err != nil || strconv.Itoa(n) != tail {
		return numbered{id, id, -1} // no number, or leading zeros
	}
	return numbered{id, prefix, n}
}
