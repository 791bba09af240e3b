package kubelet

import (
	"sort"
	"strconv"
	"strings"
	"sync"
)

// memoryView is the amounts of memory in a text.
type memoryView struct {
	tables []tableView
	blocks []blockView
	byPath map[string]int // token of a value
}

// tableView holds the tokens of one memory table.
type tableView struct {
	node, resource                             string
	total, system, allocatable, reserved, free int
}

// blockView is one block, of one NUMA node or several.
type blockView struct {
	size     int
	resource string
	nodes    []string
}

func (s *search) number(tok int) uint64 {
	n, _ := strconv.ParseUint(s.sk.tokens[tok].value, 10, 64)
	return n
}

func (s *search) memory() *memoryView {
	if s.mem != nil {
		return s.mem
	}
	v := &memoryView{byPath: map[string]int{}}
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; !t.key {
			v.byPath[t.path] = i
		}
	}
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if t.key || t.role != roleBytes {
			continue
		}
		up := t.path[:strings.LastIndexByte(t.path, '.')+1]
		switch {
		case strings.HasSuffix(t.schema, ".total"):
			tab := tableView{total: i}
			_, rest, _ := strings.Cut(t.path, `machineState["`)
			tab.node, _, _ = strings.Cut(rest, `"`)
			_, rest, _ = strings.Cut(t.path, `memoryMap["`)
			tab.resource, _, _ = strings.Cut(rest, `"`)
			ok := true
			for name, at := range map[string]*int{"systemReserved": &tab.system, "allocatable": &tab.allocatable, "reserved": &tab.reserved, "free": &tab.free} {
				*at, ok = v.byPath[up+name], ok && v.byPath[up+name] > 0
			}
			if ok {
				v.tables = append(v.tables, tab)
			}
		case strings.HasSuffix(t.schema, ".size"):
			b := blockView{size: i}
			if k, ok := v.byPath[up+"type"]; ok {
				b.resource = s.sk.tokens[k].value
			}
			for n := 0; ; n++ {
				k, ok := v.byPath[up+"numaAffinity["+strconv.Itoa(n)+"]"]
				if !ok {
					break
				}
				b.nodes = append(b.nodes, s.sk.tokens[k].value)
			}
			v.blocks = append(v.blocks, b)
		}
	}
	s.mem = v
	return v
}

func (s *search) amount(tok int, n uint64) { s.value(tok, strconv.FormatUint(n, 10)) }

// memoryInvariants uses the sums within a table, and between tables and blocks.
func (s *search) memoryInvariants() {
	v := s.memory()
	for _, t := range v.tables {
		if s.d.stopped() {
			return
		}
		total, system, allocatable := s.number(t.total), s.number(t.system), s.number(t.allocatable)
		reserved, free := s.number(t.reserved), s.number(t.free)
		var huge, blocks uint64
		for _, o := range v.tables {
			if o.node == t.node && strings.HasPrefix(o.resource, "hugepages-") && t.resource == "memory" {
				huge += s.number(o.total)
			}
		}
		for _, b := range v.blocks {
			if b.resource == t.resource && len(b.nodes) == 1 && b.nodes[0] == t.node {
				blocks += s.number(b.size)
			}
		}
		s.amount(t.total, allocatable+system+huge)
		s.amount(t.system, total-allocatable-huge)
		s.amount(t.allocatable, total-system-huge)
		s.amount(t.allocatable, free+reserved)
		s.amount(t.free, allocatable-reserved)
		s.amount(t.reserved, allocatable-free)
		s.amount(t.reserved, blocks)
		for _, b := range v.blocks {
			if b.resource == t.resource && len(b.nodes) > 0 && b.nodes[0] == t.node {
				s.amount(b.size, reserved-(blocks-s.number(b.size)))
				s.amount(b.size, allocatable-free-(blocks-s.number(b.size)))
			}
		}
		a, r, f := &s.sk.tokens[t.allocatable], &s.sk.tokens[t.reserved], &s.sk.tokens[t.free]
		if s.tried++; a.b < r.a && r.b < f.a {
			old, left := strconv.FormatUint(blocks, 10), strconv.FormatUint(allocatable-blocks, 10)
			if s.edits(edit{r.a, r.b, old}, edit{f.a, f.b, left}) {
				s.hit(hit{kind: KindPair, tok: t.reserved, old: old, also: []Change{{f.path, left, f.value}}}, true)
			}
		}
	}
	for _, c := range s.counts(v) {
		s.value(c.tok, strconv.Itoa(c.n))
	}
}

type countOf struct{ tok, n int }

// counts returns how many blocks each node should count.
func (s *search) counts(v *memoryView) (list []countOf) {
	perNode := map[string]int{}
	for _, b := range v.blocks {
		for _, n := range b.nodes {
			perNode[n]++
		}
	}
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; t.role == roleCount {
			_, rest, _ := strings.Cut(t.path, `machineState["`)
			node, _, _ := strings.Cut(rest, `"`)
			list = append(list, countOf{i, perNode[node]})
		}
	}
	return list
}

const (
	mib = 1 << 20
	gib = 1 << 30
)

// usualSizes are amounts that people ask for.
var usualSizes = sync.OnceValue(func() (list []uint64) {
	seen := map[uint64]bool{}
	add := func(n uint64) {
		if !seen[n] {
			seen[n] = true
			list = append(list, n)
		}
	}
	for n := range uint64(2049) {
		add(n * mib)
		add(n * 1_000_000)
	}
	for n := range uint64(257) {
		add(n * gib)
		add(n * 100_000_000)
		add(n * 1_000_000_000)
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return list
})

// related yields amounts that are near n in some way.
func related(n uint64, yield func(uint64)) {
	for _, by := range []uint64{2, 4, 8, 10, 1000, 1024, 1_000_000, mib} {
		yield(n * by)
		yield(n / by)
	}
	for pages := uint64(1); pages <= 64; pages++ {
		for _, page := range []uint64{4096, 65536, mib, 2 * mib, gib} {
			yield(n + pages*page)
			if n >= pages*page {
				yield(n - pages*page)
			}
		}
	}
	yield(0)
}

// numbers tries amounts near those that are there, two digits exchanged, each
// other amount of the file, and the usual ones.
func (s *search) numbers() {
	var toks []int
	seen := map[uint64]bool{}
	var present []uint64
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if t.key || t.role != roleBytes {
			continue
		}
		toks = append(toks, i)
		if n := s.number(i); !seen[n] && len(present) < 400 {
			seen[n] = true
			present = append(present, n)
		}
	}
	for _, tok := range toks {
		if s.d.stopped() {
			return
		}
		for _, n := range present {
			s.amount(tok, n)
		}
		related(s.number(tok), func(n uint64) { s.amount(tok, n) })
		digits := s.sk.tokens[tok].value
		for i := range digits {
			for j := i + 1; j < len(digits); j++ {
				if digits[i] != digits[j] {
					s.value(tok, digits[:i]+digits[j:j+1]+digits[i+1:j]+digits[i:i+1]+digits[j+1:])
				}
			}
		}
	}
	if len(s.hits) > 0 {
		return
	}
	for _, tok := range toks {
		if s.d.stopped() {
			return
		}
		s.amounts(tok, usualSizes())
	}
	if len(s.hits) == 0 && len(toks) <= 60 {
		s.multiples(toks, 1<<16)
	}
}

func (s *search) amounts(tok int, list []uint64) {
	t := &s.sk.tokens[tok]
	var buf [24]byte
	for _, n := range list {
		if s.d.stopped() {
			return
		}
		text := strconv.AppendUint(buf[:0], n, 10)
		s.tried++
		if s.text.ReplaceBytes(t.a, t.b, text) {
			s.put(tok, string(text))
		}
	}
}

// multiples tries the first n multiples of 1 MiB and of 1,000,000.
func (s *search) multiples(toks []int, n uint64) {
	var buf [24]byte
	for _, tok := range toks {
		t := &s.sk.tokens[tok]
		for k := uint64(0); k < n && !s.d.stopped(); k++ {
			for _, unit := range [...]uint64{mib, 1_000_000} {
				s.tried++
				if text := strconv.AppendUint(buf[:0], k*unit, 10); s.text.ReplaceBytes(t.a, t.b, text) {
					s.put(tok, string(text))
				}
			}
		}
	}
}

// anyAmount tries every amount of whole MiB up to 2 TiB.
func (s *search) anyAmount() {
	var toks []int
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; !t.key && t.role == roleBytes {
			toks = append(toks, i)
		}
	}
	s.multiples(toks, 1<<21)
}

// memoryPairs tries that a block was changed together with what its node has
// reserved and free.
func (s *search) memoryPairs() {
	v := s.memory()
	for _, b := range v.blocks {
		if len(b.nodes) != 1 || s.d.stopped() {
			continue
		}
		size := s.number(b.size)
		x := &s.sk.tokens[b.size]
		for _, t := range v.tables {
			if t.node != b.nodes[0] || t.resource != b.resource {
				continue
			}
			r, f := &s.sk.tokens[t.reserved], &s.sk.tokens[t.free]
			if r.b > f.a || f.b > x.a {
				continue
			}
			reserved, free := s.number(t.reserved), s.number(t.free)
			try := func(old uint64) {
				now, left := reserved-size+old, free+size-old
				if old == size || now > reserved+free || left > reserved+free {
					return
				}
				var bufs [3][24]byte
				edits := [3][]byte{strconv.AppendUint(bufs[0][:0], now, 10), strconv.AppendUint(bufs[1][:0], left, 10),
					strconv.AppendUint(bufs[2][:0], old, 10)}
				s.tried++
				h := s.text.RunBytes(s.text.At(r.a), edits[0])
				h = s.text.RunBytes(s.text.Between(r.b, f.a, h), edits[1])
				h = s.text.RunBytes(s.text.Between(f.b, x.a, h), edits[2])
				if s.text.Ends(x.b, h) {
					s.hit(hit{kind: KindPair, tok: b.size, old: string(edits[2]), also: []Change{
						{r.path, string(edits[0]), r.value}, {f.path, string(edits[1]), f.value}}}, true)
				}
			}
			for _, n := range usualSizes() {
				try(n)
			}
			related(size, try)
		}
	}
}
