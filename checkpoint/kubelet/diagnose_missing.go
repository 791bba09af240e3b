package kubelet

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// lostPod is what a pod may have held: its containers as they stand in the
// hashed text, and as JSON.
type lostPod struct{ text, json string }

// missing puts pods that the hints name where they would stand, with what nobody
// holds though somebody should.
func (s *search) missing() {
	if len(s.d.o.Hints.PodUIDs) == 0 {
		return
	}
	var pods []lostPod
	switch st := s.d.v.Content.(type) {
	case *CPUState:
		v := s.cpus()
		if none := upTo(v.top + 1).without(v.once); v.def >= 0 && !none.empty() {
			pods = s.lostCPUs(none)
		}
	case *MemoryState:
		pods = s.lostMemory(st)
	}
	entries := "entries"
	if s.inner != nil {
		entries = join(s.inner.field, entries)
	}
	var groups []*group
	for g := range s.sk.groups {
		if group := &s.sk.groups[g]; group.isMap && group.schema == entries {
			groups = append(groups, group)
		}
	}
	for i := range s.sk.tokens { // no entry is left
		if t := &s.sk.tokens[i]; t.schema == entries && t.value == "{}" {
			groups = append(groups, &group{a: t.b - 1, b: t.b - 1, path: t.path})
		}
	}
	for _, group := range groups {
		for _, uid := range s.d.o.Hints.PodUIDs {
			i := s.rank(group, uid)
			if i < 0 || s.d.stopped() {
				continue
			}
			for _, p := range pods {
				if s.d.stopped() {
					return
				}
				s.tried++
				if s.inserts(group, i, uid, p.text) {
					s.hit(hit{kind: KindMissing, tok: -1, path: group.path + fmt.Sprintf("[%q]", uid), old: p.json}, true)
				}
			}
		}
	}
}

// inserts tries an entry more in front of the i-th of a group.
func (s *search) inserts(g *group, i int, key, value string) bool {
	key, sep := key+":", " "
	if s.sk.json >= 0 {
		key, sep = `"`+key[:len(key)-1]+`":`, ","
	}
	at, before, after := g.b, sep, ""
	switch {
	case len(g.entries) == 0:
		before = ""
	case i < len(g.entries):
		at, before, after = g.entries[i].a, "", sep
	}
	h := s.text.Run(s.text.Run(s.text.At(at), before), key)
	return s.text.Ends(at, s.text.Run(s.text.Run(h, value), after))
}

// lostPodOf spells the containers of a pod, whose values are spelled already.
func (s *search) lostPodOf(names, texts, jsons []string) lostPod {
	var text, doc []string
	for i, name := range names {
		text = append(text, name+":"+texts[i])
		doc = append(doc, fmt.Sprintf("%q:%s", name, jsons[i]))
	}
	p := lostPod{text: "map[" + strings.Join(text, " ") + "]", json: "{" + strings.Join(doc, ",") + "}"}
	if s.sk.json >= 0 {
		p.text = p.json
	}
	return p
}

// lostCPUs returns the pods that hold these CPUs in up to four containers, in the
// order of their names or in reverse.
func (s *search) lostCPUs(cpus cpuBits) (pods []lostPod) {
	const (
		most    = 20_000
		longest = 64 // CPUs
	)
	var list []int
	for from, to := range cpus.ranges {
		for cpu := from; cpu <= to; cpu++ {
			list = append(list, cpu)
		}
	}
	if len(list) > longest {
		return nil
	}
	names := slices.Sorted(slices.Values(s.d.o.Hints.Containers))
	var held, sets, jsons []string
	var add func(first int, rest []int, back bool)
	add = func(first int, rest []int, back bool) {
		if len(rest) == 0 {
			pods = append(pods, s.lostPodOf(held, sets, jsons))
			return
		}
		for i := first; i < len(names) && len(held) < 4 && len(pods) < most; i++ {
			for n := 1; n <= len(rest); n++ {
				part, left := rest[:n], rest[n:]
				if back {
					part, left = rest[len(rest)-n:], rest[:len(rest)-n]
				}
				var set cpuBits
				for _, cpu := range part {
					set.set(cpu)
				}
				held, sets, jsons = append(held, names[i]), append(sets, set.String()), append(jsons, `"`+set.String()+`"`)
				add(i+1, left, back)
				held, sets, jsons = held[:len(held)-1], sets[:len(sets)-1], jsons[:len(jsons)-1]
			}
		}
	}
	add(0, list, false)
	add(0, list, true)
	return pods
}

// heldBytes are amounts of memory by where they are from.
type heldBytes map[memorySource]uint64

type memorySource struct {
	node     int
	resource ResourceName
}

// lostMemory returns pods like those of the file, and pods whose containers hold
// together what is reserved for nobody, in blocks like those of the file.
func (s *search) lostMemory(st *MemoryState) (pods []lostPod) {
	const most = 5000
	rest := heldBytes{}
	for id, node := range st.MachineState {
		if node == nil {
			continue
		}
		for resource, t := range node.MemoryMap {
			if t != nil && t.Reserved > 0 {
				rest[memorySource{id, resource}] = t.Reserved
			}
		}
	}
	lists := map[string][]Block{} // by their JSON
	like := map[string]lostPod{}
	// In order: where more is held than is reserved, not everything can be taken.
	for _, uid := range slices.Sorted(maps.Keys(st.Entries)) {
		containers := st.Entries[uid]
		var names, texts, jsons []string
		for _, name := range slices.Sorted(maps.Keys(containers)) {
			text, doc := blockTexts(containers[name])
			names, texts, jsons = append(names, name), append(texts, text), append(jsons, doc)
			lists[doc] = containers[name]
			rest.take(containers[name])
		}
		p := s.lostPodOf(names, texts, jsons)
		like[p.json] = p
	}
	for _, doc := range slices.Sorted(maps.Keys(like)) {
		pods = append(pods, like[doc])
	}
	if rest.zero() {
		return nil
	}
	if all := rest.blocks(); len(all) > 0 {
		_, doc := blockTexts(all)
		lists[doc] = all
	}
	docs := slices.Sorted(maps.Keys(lists))
	names := slices.Sorted(slices.Values(s.d.o.Hints.Containers))
	var held, texts, jsons []string
	var add func(first int)
	add = func(first int) {
		if rest.zero() {
			if p := s.lostPodOf(held, texts, jsons); like[p.json].json == "" {
				pods = append(pods, p)
			}
			return
		}
		for i := first; i < len(names) && len(held) < 4; i++ {
			for _, doc := range docs {
				if len(pods) >= most || s.d.stopped() {
					return
				}
				if !rest.take(lists[doc]) {
					continue
				}
				text, _ := blockTexts(lists[doc])
				held, texts, jsons = append(held, names[i]), append(texts, text), append(jsons, doc)
				add(i + 1)
				held, texts, jsons = held[:len(held)-1], texts[:len(texts)-1], jsons[:len(jsons)-1]
				rest.give(lists[doc])
			}
		}
	}
	add(0)
	return pods
}

// take subtracts blocks, if all of them are there. Those of several nodes are
// left out: how they are shared is not in the file.
func (a heldBytes) take(blocks []Block) bool {
	for i, b := range blocks {
		if len(b.NUMAAffinity) != 1 {
			continue
		}
		key := memorySource{b.NUMAAffinity[0], b.Type}
		if a[key] < b.Size {
			a.give(blocks[:i])
			return false
		}
		a[key] -= b.Size
	}
	return true
}

func (a heldBytes) give(blocks []Block) {
	for _, b := range blocks {
		if len(b.NUMAAffinity) == 1 {
			a[memorySource{b.NUMAAffinity[0], b.Type}] += b.Size
		}
	}
}

func (a heldBytes) zero() bool {
	for _, n := range a {
		if n > 0 {
			return false
		}
	}
	return true
}

// blocks are the amounts as one container holds them, by resource; none if they
// are of several nodes.
func (a heldBytes) blocks() (list []Block) {
	for key, n := range a {
		if n > 0 {
			list = append(list, Block{NUMAAffinity: []int{key.node}, Type: key.resource, Size: n})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Type < list[j].Type })
	for _, b := range list {
		if b.NUMAAffinity[0] != list[0].NUMAAffinity[0] {
			return nil
		}
	}
	return list
}

// blockTexts spells blocks as the dump does, and as JSON.
func blockTexts(blocks []Block) (dumped, doc string) {
	var list []string
	for _, b := range blocks {
		nodes := fmt.Sprint(b.NUMAAffinity)
		list = append(list, fmt.Sprintf("{NUMAAffinity:([]int)%s Type:(v1.ResourceName)%s Size:(uint64)%d}", nodes, b.Type, b.Size))
	}
	j, err := json.Marshal(blocks)
	if err != nil {
		return "", "null"
	}
	return "[" + strings.Join(list, " ") + "]", string(j)
}
