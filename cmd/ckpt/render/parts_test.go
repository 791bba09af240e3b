package render

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

func TestCollapse(t *testing.T) {
	on := func(names ...string) map[string]bool {
		gates := map[string]bool{}
		for _, n := range names {
			gates[n] = true
		}
		return gates
	}
	answer := func(release string, o kubelet.Outcome, err string, gates map[string]bool, lost ...string) kubelet.Answer {
		return kubelet.Answer{Release: release, Verdict: o, Error: err, Gates: gates, Lost: lost, Measured: true}
	}
	tests := []struct {
		name    string
		answers []kubelet.Answer
		want    []string
	}{
		{"none", nil, nil},
		{"a gap", []kubelet.Answer{answer("1.13", "accepted", "", nil), answer("1.29", "accepted", "", nil), answer("1.30", "accepted", "", nil)},
			[]string{"1.13 accepted", "1.29–1.30 accepted"}},
		{"out of order", []kubelet.Answer{answer("1.30", "accepted", "", nil), answer("1.29", "accepted", "", nil)}, []string{"1.29–1.30 accepted"}},
		{"other errors", []kubelet.Answer{answer("1.35", "refused", "a", nil), answer("1.36", "refused", "b", nil), answer("1.37", "refused", "b", nil)},
			[]string{"1.35 refused a", "1.36–1.37 refused b"}},
		{"other losses", []kubelet.Answer{answer("1.36", "lossy", "", nil, "x"), answer("1.37", "lossy", "", nil, "y")},
			[]string{"1.36 lossy", "1.37 lossy"}},
		{"a gate that changes nothing", []kubelet.Answer{answer("1.37", "accepted", "", nil), answer("1.37", "accepted", "", on("P"))},
			[]string{"1.37 accepted"}},
		{"a gate in two releases", []kubelet.Answer{answer("1.36", "refused", "", nil), answer("1.36", "accepted", "", on("P")),
			answer("1.37", "refused", "", nil), answer("1.37", "accepted", "", on("P"))},
			[]string{"1.36–1.37 refused", "1.36–1.37 accepted P"}},
		{"two gates of which one decides", []kubelet.Answer{answer("1.37", "refused", "", nil), answer("1.37", "refused", "", on("X")),
			answer("1.37", "accepted", "", on("P")), answer("1.37", "accepted", "", on("P", "X"))},
			[]string{"1.37 refused", "1.37 accepted P"}},
		{"two gates that need each other", []kubelet.Answer{answer("1.37", "refused", "", nil), answer("1.37", "refused", "", on("X")),
			answer("1.37", "refused", "", on("P")), answer("1.37", "accepted", "", on("P", "X"))},
			[]string{"1.37 refused", "1.37 accepted P and X"}},
		{"gates that were asked for", []kubelet.Answer{answer("1.36", "accepted", "", on("P")), answer("1.37", "accepted", "", on("P"))},
			[]string{"1.36–1.37 accepted P"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range Collapse(tt.answers) {
				s := r.Releases() + " " + string(r.Verdict) + " " + r.Error + gateNames(r.Gates)
				got = append(got, strings.TrimSpace(s))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseCPUs(t *testing.T) {
	tests := []struct {
		in, want string
		count    int
		ok       bool
	}{
		{"", "", 0, true}, {"0", "0", 1, true}, {"0-3,8", "0-3,8", 5, true}, {"8,0-3,4", "0-4,8", 6, true}, {"1-3,2-5", "1-5", 5, true},
		{"9-3", "", 0, false}, {"1,x,3", "1,3", 2, false}, {"-1", "", 0, false}, {"1,", "1", 1, false},
		{"0-1073741823", "0-1073741823", 1 << 30, true}, {"0-1073741824", "", 0, false},
	}
	for _, tt := range tests {
		got, ok := parseCPUs(tt.in)
		if string(got.text()) != tt.want || got.count() != tt.count || ok != tt.ok {
			t.Errorf("parseCPUs(%q) = %s (%d), %v", tt.in, got.text(), got.count(), ok)
		}
	}
}

// Segments agree with counting CPU by CPU.
func TestSegments(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	set := func() (l cpuList) {
		for range random.IntN(4) {
			from := random.IntN(40)
			l = append(l, cpuRange{from, from + random.IntN(6)})
		}
		return l.normal()
	}
	for round := range 2000 {
		pool := set()
		list := make([]holder, random.IntN(5))
		for i := range list {
			exclusive, all := set(), set()
			list[i].owned = exclusive.union(all)
			list[i].lent = all.without(exclusive)
		}
		next := 0
		for _, s := range segments(list, pool) {
			if s.from != next || s.to < s.from {
				t.Fatalf("round %d: segment %d-%d follows %d", round, s.from, s.to, next-1)
			}
			for cpu := s.from; cpu <= s.to; cpu++ {
				want := segment{cpuRange: s.cpuRange, holder: -1, shared: pool.has(cpu)}
				count := 0
				for i, h := range list {
					if h.owned.has(cpu) {
						count++
						want.holder, want.lent = i, h.lent.has(cpu)
					}
				}
				if count > 1 {
					want.holder, want.lent = -1, false
				}
				want.clash = count > 1 || count == 1 && want.shared
				if s != want {
					t.Fatalf("round %d, CPU %d: got %+v, want %+v", round, cpu, s, want)
				}
			}
			next = s.to + 1
		}
	}
}

func TestCode(t *testing.T) {
	for _, tt := range []struct {
		i, n int
		want text
	}{{0, 1, "A"}, {25, 26, "Z"}, {0, 27, "AA"}, {26, 27, "BA"}, {675, 676, "ZZ"}, {676, 5000, "BAA"}} {
		if got := code(tt.i, tt.n); got != tt.want {
			t.Errorf("code(%d, %d) = %q, want %q", tt.i, tt.n, got, tt.want)
		}
	}
}

func TestApportion(t *testing.T) {
	tests := []struct {
		values []uint64
		n      int
		want   []int
	}{
		{[]uint64{1, 1}, 10, []int{5, 5}}, {[]uint64{0, 7}, 10, []int{0, 10}}, {[]uint64{1, 1 << 40}, 10, []int{1, 9}},
		{[]uint64{0, 0}, 10, []int{0, 0}}, {[]uint64{math.MaxUint64, math.MaxUint64, 1}, 9, []int{4, 4, 1}}, {[]uint64{3, 3, 3}, 10, []int{4, 3, 3}},
	}
	for _, tt := range tests {
		if got := apportion(tt.values, tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("apportion(%v, %d) = %v, want %v", tt.values, tt.n, got, tt.want)
		}
	}
}

func TestSizes(t *testing.T) {
	for n, want := range map[uint64]text{
		0: "0", 1: "1 B", 1023: "1023 B", 1536: "1.50 KiB", 1 << 20: "1 MiB", 512 << 20: "512 MiB", 1 << 30: "1.00 GiB",
		9 << 40: "9216.00 GiB", 11 << 40: "11.00 TiB", math.MaxUint64: "16.00 EiB",
	} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
	for _, tt := range []struct {
		part, whole uint64
		want        text
	}{{0, 0, "0%"}, {0, 9, "0%"}, {1, 1 << 40, "1%"}, {1<<40 - 1, 1 << 40, "99%"}, {5, 5, "100%"}, {6, 5, ">100%"}, {1, 0, ">100%"}} {
		if got := share(tt.part, tt.whole); got != tt.want {
			t.Errorf("share(%d, %d) = %q, want %q", tt.part, tt.whole, got, tt.want)
		}
	}
}

func TestIDRuns(t *testing.T) {
	tests := []struct{ in, want []string }{
		{nil, nil},
		{[]string{"kvm10", "kvm9", "kvm8", "kvm7"}, []string{"kvm7..kvm10"}},
		{[]string{"a1", "a2"}, []string{"a1", "a2"}},
		{[]string{"a01", "a02", "a03"}, []string{"a01", "a02", "a03"}},
		{[]string{"x", "", "7", "8", "9"}, []string{"", "7..9", "x"}},
		{[]string{"a1", "a1", "a2", "a3"}, []string{"a1", "a1..a3"}},
		{[]string{"n99999999999999999999"}, []string{"n99999999999999999999"}},
	}
	for _, tt := range tests {
		if got := idRuns(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("idRuns(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		in   text
		w    int
		want []text
	}{
		{"", 10, []text{""}},
		{"one two three", 7, []text{"one two", "three"}},
		{"0-3,8-11,20-23", 9, []text{"0-3,8-11,", "20-23"}},
		{"abcdefghij", 4, []text{"abcd", "efgh", "ij"}},
		{"漢字漢字", 3, []text{"漢", "字", "漢", "字"}},
		{"a b", 0, []text{"a"}},
	}
	for _, tt := range tests {
		got := tt.in.wrap(tt.w)
		if tt.w == 0 {
			got = got[:1]
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", tt.in, tt.w, got, tt.want)
		}
	}
	if n := len(text(strings.Repeat("x", 1<<20)).wrap(10)); n > maxWrapped {
		t.Errorf("a long word fills %d lines, want at most %d", n, maxWrapped)
	}
}

// A page stays a page, and is made in no time, however large the file.
func TestLargeFiles(t *testing.T) {
	cpu := &kubelet.CPUState{DefaultCPUSet: "0-7", Entries: map[string]map[string]string{}, PodEntries: map[string]string{}}
	memory := &kubelet.MemoryState{MachineState: kubelet.NUMANodes{}, Entries: kubelet.ContainerMemory{}}
	device := &kubelet.DeviceState{RegisteredDevices: map[string][]string{"r": numberedIDs("d", 100_000)}}
	dra := &kubelet.DRAState{}
	allocated := &kubelet.AllocatedState{Pods: map[string]kubelet.PodResources{}}
	verdict := kubelet.Verdict{State: kubelet.StateOK}
	for i := range 5000 {
		pod := fmt.Sprintf("%08d-0000-0000-0000-000000000000", i)
		cpu.Entries[pod] = map[string]string{"app": fmt.Sprintf("%d", 8+i)}
		cpu.PodEntries[pod] = "0-2147483647"
		memory.Entries[pod] = map[string][]kubelet.Block{"app": make([]kubelet.Block, 50)}
		device.PodDeviceEntries = append(device.PodDeviceEntries, kubelet.DeviceEntry{PodUID: pod, ResourceName: "r",
			DeviceIDs: kubelet.DevicesPerNUMA{0: {fmt.Sprint("d", i)}}})
		dra.ClaimInfoStateList = append(dra.ClaimInfoStateList, kubelet.Claim{ClaimUID: pod})
		allocated.Pods[pod] = kubelet.PodResources{}
		verdict.Findings = append(verdict.Findings, kubelet.Finding{Code: fmt.Sprint(i % 100), Severity: kubelet.SeverityError, Hint: pod})
	}
	for i := range 64 {
		memory.MachineState[i] = &kubelet.NUMANode{NumberOfAssignments: i % 2, MemoryMap: map[kubelet.ResourceName]*kubelet.MemoryTable{"memory": {Free: 1}}}
	}
	for _, content := range []any{cpu, memory, device, dra, allocated} {
		verdict.Content = content
		start := time.Now()
		page := explained(t, File{Name: "x", Verdict: verdict}, Options{})
		if n := strings.Count(page, "\n"); n > 3000 {
			t.Errorf("%T: %d lines", content, n)
		}
		if !strings.Contains(page, "more") {
			t.Errorf("%T: the page does not say that something is left out", content)
		}
		checkText(t, page, 80)
		t.Logf("%T: %d lines in %v", content, strings.Count(page, "\n"), time.Since(start))
	}
}
