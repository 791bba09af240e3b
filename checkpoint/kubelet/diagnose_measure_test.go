package kubelet

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An anEdit changes a document, and says which path had which value; path ""
// says that nothing was changed.
type anEdit[D any] struct {
	kind string
	make func(r *rand.Rand, d *D) (path, old string)
}

func pick[K ~string, V any](r *rand.Rand, m map[K]V) K {
	keys := slices.Sorted(maps.Keys(m))
	return keys[r.IntN(len(keys))]
}

func at(names ...string) (path string) {
	path = "entries"
	for _, n := range names {
		path += "[" + strconv.Quote(n) + "]"
	}
	return path
}

// onSet makes an edit of one container's CPUs.
func onSet(f func(r *rand.Rand, d *cpuV2, set string) string) func(*rand.Rand, *cpuV2) (string, string) {
	return func(r *rand.Rand, d *cpuV2) (string, string) {
		pod := pick(r, d.Entries)
		name := pick(r, d.Entries[pod])
		old := d.Entries[pod][name]
		d.Entries[pod][name] = f(r, d, old)
		return at(pod, name), old
	}
}

func topCPU(d *cpuV2) int {
	b, _ := bitsOf(d.DefaultCPUSet)
	for _, pod := range d.Entries {
		for _, set := range pod {
			c, _ := bitsOf(set)
			b = b.or(c)
		}
	}
	return len(b)*64 - 1
}

func otherChar(r *rand.Rand, s, letters string) string {
	i := r.IntN(len(s))
	for {
		if c := letters[r.IntN(len(letters))]; c != s[i] && s[i] != '-' {
			return s[:i] + string(c) + s[i+1:]
		}
		i = r.IntN(len(s))
	}
}

var cpuEdits = []anEdit[cpuV2]{
	{"policy", func(r *rand.Rand, d *cpuV2) (string, string) { d.PolicyName = "none"; return "policyName", "static" }},
	{"set of another", onSet(func(r *rand.Rand, d *cpuV2, _ string) string {
		pod := pick(r, d.Entries)
		return d.Entries[pod][pick(r, d.Entries[pod])]
	})},
	{"random range", onSet(func(r *rand.Rand, d *cpuV2, _ string) string {
		a := r.IntN(topCPU(d))
		return fmt.Sprintf("%d-%d", a, a+1+r.IntN(5))
	})},
	{"emptied", onSet(func(*rand.Rand, *cpuV2, string) string { return "" })},
	{"one CPU more or less", onSet(func(r *rand.Rand, d *cpuV2, set string) string {
		b, _ := bitsOf(set)
		var one cpuBits
		one.set(r.IntN(topCPU(d)))
		if b.and(one).empty() {
			return b.or(one).String()
		}
		return b.without(one).String()
	})},
	{"garbage", onSet(func(r *rand.Rand, _ *cpuV2, _ string) string { return fmt.Sprintf("x%d", r.IntN(1000)) })},
	{"default set", func(r *rand.Rand, d *cpuV2) (string, string) {
		old := d.DefaultCPUSet
		d.DefaultCPUSet = "0-" + strconv.Itoa(r.IntN(topCPU(d))+1)
		return "defaultCpuSet", old
	}},
	{"CPUs to the default set (pair)", func(r *rand.Rand, d *cpuV2) (string, string) {
		pod := pick(r, d.Entries)
		name := pick(r, d.Entries[pod])
		old := d.Entries[pod][name]
		b, ok := bitsOf(old)
		def, _ := bitsOf(d.DefaultCPUSet)
		if !ok || b.empty() || !def.and(b).empty() {
			return "", ""
		}
		d.DefaultCPUSet, d.Entries[pod][name] = def.or(b).String(), ""
		return at(pod, name), old
	}},
	{"sets exchanged", func(r *rand.Rand, d *cpuV2) (string, string) {
		p, q := pick(r, d.Entries), pick(r, d.Entries)
		a, b := pick(r, d.Entries[p]), pick(r, d.Entries[q])
		x, y := d.Entries[p][a], d.Entries[q][b]
		if x == y {
			return "", ""
		}
		d.Entries[p][a], d.Entries[q][b] = y, x
		return "*", "*" // either of the two may be named first
	}},
	{"UID, one character", func(r *rand.Rand, d *cpuV2) (string, string) {
		pod := pick(r, d.Entries)
		now := otherChar(r, pod, "0123456789abcdef")
		d.Entries[now] = d.Entries[pod]
		delete(d.Entries, pod)
		return at(now), pod
	}},
	{"name, one character", func(r *rand.Rand, d *cpuV2) (string, string) {
		pod := pick(r, d.Entries)
		name := pick(r, d.Entries[pod])
		now := otherChar(r, name, "0123456789abcdefghijklmnopqrstuvwxyz")
		if _, there := d.Entries[pod][now]; there {
			return "", ""
		}
		d.Entries[pod][now] = d.Entries[pod][name]
		delete(d.Entries[pod], name)
		return at(pod, now), name
	}},
	{"entry added", func(r *rand.Rand, d *cpuV2) (string, string) {
		pod := fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), r.Uint32())
		d.Entries[pod] = map[string]string{"app": strconv.Itoa(r.IntN(topCPU(d)))}
		return at(pod), ""
	}},
	{"entry added, CPUs from the default set", func(r *rand.Rand, d *cpuV2) (string, string) {
		pod := fmt.Sprintf("%08x-0000-4000-8000-%012x", r.Uint32(), r.Uint32())
		def, _ := bitsOf(d.DefaultCPUSet)
		for from := range def.ranges {
			var one cpuBits
			one.set(from)
			d.DefaultCPUSet, d.Entries[pod] = def.without(one).String(), map[string]string{"app": one.String()}
			break
		}
		return at(pod), ""
	}},
}

var memoryEdits = []anEdit[memoryV1]{
	{"policy", func(r *rand.Rand, d *memoryV1) (string, string) { d.PolicyName = "None"; return "policyName", "Static" }},
	{"block, MiB", onBlock(func(r *rand.Rand, _ uint64) uint64 { return uint64(r.IntN(4096)+1) << 20 })},
	{"block, some pages", onBlock(func(r *rand.Rand, n uint64) uint64 { return n + uint64(r.IntN(64)+1)*4096 })},
	{"block, times 1024", onBlock(func(r *rand.Rand, n uint64) uint64 { return n * 1024 })},
	{"field of a table, times 1024", onTable(func(r *rand.Rand, n uint64) uint64 { return n * 1024 })},
	{"field of a table, random", onTable(func(r *rand.Rand, _ uint64) uint64 { return r.Uint64N(1 << 40) })},
	{"number of assignments", func(r *rand.Rand, d *memoryV1) (string, string) {
		for id, node := range d.MachineState {
			old := node.NumberOfAssignments
			node.NumberOfAssignments += 1 + r.IntN(20)
			return fmt.Sprintf("machineState[\"%d\"].numberOfAssignments", id), strconv.Itoa(old)
		}
		return "", ""
	}},
	{"NUMA node of a block", func(r *rand.Rand, d *memoryV1) (string, string) {
		path, b := someBlock(r, d)
		if b == nil || len(b.NUMAAffinity) != 1 {
			return "", ""
		}
		old := b.NUMAAffinity[0]
		b.NUMAAffinity = []int{1 - min(old, 1)}
		return path + ".numaAffinity", strconv.Itoa(old)
	}},
	{"block, reserved and free together", func(r *rand.Rand, d *memoryV1) (string, string) {
		path, b := someBlock(r, d)
		if b == nil || len(b.NUMAAffinity) != 1 {
			return "", ""
		}
		t, old, now := d.MachineState[b.NUMAAffinity[0]].MemoryMap[b.Type], b.Size, uint64(r.IntN(2048)+1)<<20
		if old == now || t.Reserved < old || t.Free+old < now {
			return "", ""
		}
		b.Size, t.Reserved, t.Free = now, t.Reserved-old+now, t.Free+old-now
		return path + ".size", strconv.FormatUint(old, 10)
	}},
}

func someBlock(r *rand.Rand, d *memoryV1) (string, *Block) {
	pod := pick(r, d.Entries)
	name := pick(r, d.Entries[pod])
	blocks := d.Entries[pod][name]
	if len(blocks) == 0 {
		return "", nil
	}
	i := r.IntN(len(blocks))
	return at(pod, name) + "[" + strconv.Itoa(i) + "]", &blocks[i]
}

func onBlock(f func(*rand.Rand, uint64) uint64) func(*rand.Rand, *memoryV1) (string, string) {
	return func(r *rand.Rand, d *memoryV1) (string, string) {
		path, b := someBlock(r, d)
		if b == nil {
			return "", ""
		}
		old := b.Size
		b.Size = f(r, old)
		return path + ".size", strconv.FormatUint(old, 10)
	}
}

func onTable(f func(*rand.Rand, uint64) uint64) func(*rand.Rand, *memoryV1) (string, string) {
	return func(r *rand.Rand, d *memoryV1) (string, string) {
		ids := slices.Sorted(maps.Keys(d.MachineState))
		id := ids[r.IntN(len(ids))]
		resource := pick(r, d.MachineState[id].MemoryMap)
		t := d.MachineState[id].MemoryMap[resource]
		i := r.IntN(5)
		field := []*uint64{&t.TotalMemSize, &t.SystemReserved, &t.Allocatable, &t.Reserved, &t.Free}[i]
		name := []string{"total", "systemReserved", "allocatable", "reserved", "free"}[i]
		old := *field
		*field = f(r, old)
		return fmt.Sprintf("machineState[\"%d\"].memoryMap[%q].%s", id, resource, name), strconv.FormatUint(old, 10)
	}
}

func measure[D any](t *testing.T, golden string, edits []anEdit[D], n int) {
	blob := goldenByFile(t, golden).read(t)
	for _, kind := range edits {
		r := rand.New(rand.NewPCG(1, 2))
		made, first, wrong := 0, 0, 0
		var took, longest time.Duration
		example := ""
		for tries := 0; made < n && tries < 20*n; tries++ {
			d := new(D)
			if err := json.Unmarshal(blob, d); err != nil {
				t.Fatal(err)
			}
			path, old := kind.make(r, d)
			edited, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if path == "" || Judge(edited, Options{}).State == StateOK {
				continue
			}
			made++
			start := time.Now()
			got := Diagnose(context.Background(), edited, DiagnoseOptions{})
			took += time.Since(start)
			longest = max(longest, time.Since(start))
			e := got[0]
			same := e.Old == old || e.Old == "["+old+"]"
			switch {
			case (strings.HasPrefix(e.Path, path) && same || path == "*" && (e.Kind == KindSwapped || e.Kind == KindPair)) && e.Kind != KindUnknown:
				first++
			case e.Confidence == Certain:
				wrong++
				t.Errorf("%s, %s: %s was %s; certain, and wrong: %+v", golden, kind.kind, path, old, e)
			default:
				example = fmt.Sprintf("; %s was %s: %.300v", path, old, e)
			}
		}
		t.Logf("%-40s %-40s %5d edits, first %6.2f %%, mean %v, longest %v%s", golden, kind.kind, made, percent(first, made),
			(took / time.Duration(max(made, 1))).Round(time.Microsecond), longest.Round(time.Millisecond), example)
		if made > 0 && percent(first, made) < 80 {
			t.Errorf("%s, %s: old value first in %d of %d", golden, kind.kind, first, made)
		}
	}
}

// TestDiagnoseEdits makes random edits and asks for them back.
func TestDiagnoseEdits(t *testing.T) {
	n := measuring(8)
	measure(t, "cpu/1.29/static-3pods.json", cpuEdits, n)
	measure(t, "memory/1.29/static-2numa-hugepages.json", memoryEdits, n)
	measure(t, "cpu/1.29/static-110pods.json", cpuEdits, max(n/20, 1))
	measure(t, "memory/1.29/static-110pods.json", memoryEdits, max(n/20, 1))
}

// A wrong sum that nobody's edit explains must not be called certain.
func TestDiagnoseRandomSums(t *testing.T) {
	n := measuring(10)
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"cpu/1.29/static-3pods.json", "memory/1.29/static-1numa-1pod.json", "device/1.29/2resources-numa.json"} {
		g := goldenByFile(t, name)
		claims := 0
		for range n {
			s := newSession(g.read(t))
			f := s.identify(tableOf(g.Kind)).format
			doc := s.decode(f).doc
			f.sums[0].set(doc, uint64(r.Uint32()))
			edited, _ := json.Marshal(doc)
			for _, e := range Diagnose(context.Background(), edited, DiagnoseOptions{}) {
				if e.Kind != KindUnknown && e.Kind != KindMissing {
					claims++
				}
				if e.Confidence == Certain {
					t.Errorf("%s: a random sum is certain: %+v", name, e)
				}
			}
		}
		t.Logf("%s: %d claims for %d random sums", name, claims, n)
	}
}

// Cutting a file off anywhere, the entries that are listed are those that end
// before the cut.
func TestDiagnoseTruncated(t *testing.T) {
	step := 1
	if measuring(0) == 0 {
		step = 23
	}
	cuts := 0
	for _, name := range byteGoldens[1:11] {
		g := goldenByFile(t, name)
		blob := g.read(t)
		d := &diagnosis{blob: blob, s: newSession(blob), k: tableOf(g.Kind), v: Judge(blob, g.options())}
		d.makePlaces()
		for cut := 2; cut < len(blob); cut += step {
			got := Diagnose(context.Background(), blob[:cut], DiagnoseOptions{Options: Options{Kind: g.Kind}})
			cuts++
			want := 0
			for _, n := range d.places {
				end := n.b
				if n.kind == '"' {
					end++
				}
				if len(wholeEntries([]node{n})) == 1 && end <= cut {
					want++
				}
			}
			if len(got) == 0 || got[0].Kind != KindTruncated || len(got[0].Whole) != want {
				if cut > 20 {
					t.Fatalf("%s cut at %d: %d entries are whole, got %+v", name, cut, want, got)
				}
			}
		}
	}
	t.Logf("%d cuts", cuts)
}

// A new document over a longer old one: the cut must be exact.
func TestDiagnoseSplices(t *testing.T) {
	splices := 0
	all := goldens(t)
	for i, a := range all {
		for j, b := range all {
			if a.Kind != b.Kind || measuring(0) == 0 && (i*7+j)%41 != 0 {
				continue
			}
			head, tail := a.read(t), b.read(t)
			if len(head) >= len(tail) || Judge(head, a.options()).State != StateOK {
				continue
			}
			splices++
			got := Diagnose(context.Background(), slices.Concat(head, tail[len(head):]), DiagnoseOptions{Options: Options{Kind: a.Kind}})
			if len(got) != 1 || got[0].Kind != KindTrailing || got[0].Offset != int64(len(head)) || got[0].Confidence != Certain {
				t.Errorf("%s over %s: %+v", a.File, b.File, got)
			}
		}
	}
	t.Logf("%d splices", splices)
}
