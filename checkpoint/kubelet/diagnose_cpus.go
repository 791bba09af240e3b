package kubelet

import (
	"slices"
	"strconv"
	"strings"
)

// maxCPU bounds the ids that sets are made of here; Linux has 8,192 CPUs at most.
const maxCPU = 8192

// cpuBits is a set of CPUs below maxCPU.
type cpuBits []uint64

func (b *cpuBits) set(cpu int) {
	for len(*b) <= cpu/64 {
		*b = append(*b, 0)
	}
	(*b)[cpu/64] |= 1 << (cpu % 64)
}

func (b cpuBits) has(cpu int) bool { return cpu/64 < len(b) && b[cpu/64]>>(cpu%64)&1 == 1 }

func (b cpuBits) at(i int) uint64 {
	if i < len(b) {
		return b[i]
	}
	return 0
}

// with combines two sets word by word.
func (b cpuBits) with(c cpuBits, op func(x, y uint64) uint64) cpuBits {
	out := make(cpuBits, max(len(b), len(c)))
	for i := range out {
		out[i] = op(b.at(i), c.at(i))
	}
	return out
}

func (b cpuBits) or(c cpuBits) cpuBits {
	return b.with(c, func(x, y uint64) uint64 { return x | y })
}

func (b cpuBits) without(c cpuBits) cpuBits {
	return b.with(c, func(x, y uint64) uint64 { return x &^ y })
}

func (b cpuBits) and(c cpuBits) cpuBits {
	return b.with(c, func(x, y uint64) uint64 { return x & y })
}

func (b cpuBits) empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

// ranges yields the runs of CPUs.
func (b cpuBits) ranges(yield func(from, to int) bool) {
	for cpu, end := 0, len(b)*64; cpu < end; cpu++ {
		if b[cpu/64] == 0 {
			cpu |= 63
			continue
		}
		if !b.has(cpu) {
			continue
		}
		from := cpu
		for b.has(cpu + 1) {
			cpu++
		}
		if !yield(from, cpu) {
			return
		}
	}
}

func (b cpuBits) String() string {
	var out []byte
	for from, to := range b.ranges {
		if len(out) > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(from), 10)
		if to > from {
			out = strconv.AppendInt(append(out, '-'), int64(to), 10)
		}
	}
	return string(out)
}

// bitsOf reads a set, if it is one of real CPUs.
func bitsOf(list string) (b cpuBits, ok bool) {
	if list == "" {
		return nil, true
	}
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		x, errX := strconv.Atoi(from)
		y, errY := strconv.Atoi(to)
		if errX != nil || errY != nil || x < 0 || y < x || y >= maxCPU {
			return nil, false
		}
		for cpu := x; cpu <= y; cpu++ {
			b.set(cpu)
		}
	}
	return b, true
}

func upTo(n int) (b cpuBits) {
	for cpu := range n {
		b.set(cpu)
	}
	return b
}

// cpuView is the CPU sets of a text.
type cpuView struct {
	toks   []int
	sets   []cpuBits // nil where a token is no set
	owners []int     // indices into toks of those that own their CPUs
	once   cpuBits   // CPUs with an owner
	twice  cpuBits   // CPUs with several
	def    int       // index of the default set; -1
	top    int       // the highest CPU
}

func (s *search) cpus() *cpuView {
	if s.view != nil {
		return s.view
	}
	v := &cpuView{def: -1}
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if t.key || t.role != roleCPUs {
			continue
		}
		b, _ := bitsOf(t.value)
		n := len(v.toks)
		v.toks, v.sets = append(v.toks, i), append(v.sets, b)
		if strings.HasSuffix(t.schema, "baseline") {
			continue
		}
		if strings.HasSuffix(t.schema, "defaultCpuSet") {
			v.def = n
		}
		v.owners = append(v.owners, n)
		v.twice = v.twice.or(v.once.and(b))
		v.once = v.once.or(b)
	}
	v.top = len(v.once)*64 - 1
	for v.top > 0 && !v.once.has(v.top) {
		v.top--
	}
	s.view = v
	return v
}

// machines returns the numbers of CPUs that the machine may have, the likeliest
// first: up to the highest CPU in the file, or a usual number.
func (v *cpuView) machines() []int {
	list := []int{v.top + 1}
	// A set that was changed may reach beyond the machine.
	for _, i := range v.owners {
		var rest cpuBits
		for _, j := range v.owners {
			if j != i {
				rest = rest.or(v.sets[j])
			}
		}
		top := len(rest)*64 - 1
		for top > 0 && !rest.has(top) {
			top--
		}
		if !slices.Contains(list, top+1) {
			list = append(list, top+1)
		}
		if len(list) > 6 || len(v.owners) > 40 {
			break
		}
	}
	least := slices.Min(list)
	for _, n := range []int{1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 88, 96, 104, 112, 120, 128,
		144, 152, 160, 176, 192, 224, 256, 288, 320, 384, 448, 512, 768, 1024} {
		if n >= least && n <= 4*(v.top+1) && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// cpuInvariants uses that each CPU of a machine is in one set: what the file
// leaves over, or has twice, is where it was changed.
func (s *search) cpuInvariants() {
	v := s.cpus()
	if len(v.toks) == 0 {
		return
	}
	count := make([]uint16, 0)
	for _, i := range v.owners {
		for from, to := range v.sets[i].ranges {
			for cpu := from; cpu <= to; cpu++ {
				for len(count) <= cpu {
					count = append(count, 0)
				}
				count[cpu]++
			}
		}
	}
	for _, n := range v.machines() {
		all := upTo(n)
		missing := all.without(v.once)
		for i, tok := range v.toks {
			if s.d.stopped() {
				return
			}
			cur := v.sets[i]
			var own cpuBits // held by cur alone
			for from, to := range cur.ranges {
				for cpu := from; cpu <= to; cpu++ {
					if cpu < len(count) && count[cpu] == 1 {
						own.set(cpu)
					}
				}
			}
			s.set(tok, missing.or(own.and(all)))
			if !missing.empty() {
				s.set(tok, missing)
				s.set(tok, cur.or(missing))
			}
			s.set(tok, own)
			if n == v.top+1 && !v.twice.empty() {
				s.set(tok, cur.without(v.twice))
				s.set(tok, cur.without(v.twice).or(missing))
			}
		}
		if v.def >= 0 {
			s.set(v.toks[v.def], all)
		}
	}
	s.addedWithCPUs()
}

func (s *search) set(tok int, set cpuBits) { s.value(tok, set.String()) }

// addedWithCPUs tries that an entry was added and its CPUs taken from the default set.
func (s *search) addedWithCPUs() {
	v := s.cpus()
	if v.def < 0 {
		return
	}
	def := &s.sk.tokens[v.toks[v.def]]
	for g := range s.sk.groups {
		group := &s.sk.groups[g]
		if !group.isMap || group.a < def.b {
			continue
		}
		next := 0
		for i := range group.entries {
			if s.d.stopped() {
				return
			}
			e := group.entries[i]
			var held cpuBits
			for next < len(v.toks) && s.sk.tokens[v.toks[next]].a < e.a {
				next++
			}
			for k := next; k < len(v.toks) && s.sk.tokens[v.toks[k]].b <= e.b; k++ {
				held = held.or(v.sets[k])
			}
			a, b := group.span(i, i)
			old := v.sets[v.def].or(held).String()
			s.tried++
			if text, ok := def.inText(old); ok && s.edits(edit{def.a, def.b, text}, edit{a, b, ""}) {
				s.hitAdded(group, i, i, []Change{{Path: def.path, Old: old, New: def.value}})
			}
		}
	}
}
