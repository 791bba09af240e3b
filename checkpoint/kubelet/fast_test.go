package kubelet

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/kubeckpt/ckpt/internal/fastsum"
)

// compareRoads holds the sums of the fast road, where it takes blob for a file
// of f, against those of the decoder and the dump. It reports whether it does.
func compareRoads(t testing.TB, s *fastsum.Scanner, f *format, blob []byte) bool {
	t.Helper()
	r := f.road()
	if r.plan == nil || !s.Run(r.plan, blob) {
		return false
	}
	doc := f.fresh()
	if err := f.unmarshal(blob, doc); err != nil {
		t.Errorf("%s: the fast road takes what does not decode: %v\n%.400s", f.id, err, blob)
		return true
	}
	for i := range f.sums {
		sm := &f.sums[i]
		if got, want := s.Sums[i].Stored, sm.stored(doc); got != want {
			t.Errorf("%s: stored %s %d, want %d\n%.400s", f.id, sm.field, got, want, blob)
		}
		for j := range sm.spellings {
			p, ok := r.places[&sm.spellings[j]]
			if !ok {
				continue
			}
			want, err := sm.compute(&sm.spellings[j], doc)
			if got := uint64(s.Sums[p.sum].Computed[p.head]); err != nil || got != want {
				t.Errorf("%s: %s as %s is %d, want %d, %v\n%.400s", f.id, sm.field, sm.spellings[j].typeName, got, want, err, blob)
			}
		}
	}
	if f.inner != nil {
		if _, err := f.content(doc); err != nil {
			t.Errorf("%s: the inner document does not decode: %v\n%.400s", f.id, err, blob)
		}
		if n := newSession(blob).unknown(f); n > 0 {
			t.Errorf("%s: %d unknown members\n%.400s", f.id, n, blob)
		}
	}
	return true
}

// TestFastGoldens: the fast road takes nearly all that kubelets wrote, and sums
// it as the dump does.
func TestFastGoldens(t *testing.T) {
	var s fastsum.Scanner
	taken, total := map[FormatID]int{}, map[FormatID]int{}
	for _, g := range goldens(t) {
		blob := g.read(t)
		v := Judge(blob, g.options())
		for _, f := range tableOf(g.Kind).formats {
			if v.Format == f.id.String() && v.State == StateOK {
				total[f.id]++
			}
			if compareRoads(t, &s, f, blob) && v.Format == f.id.String() {
				taken[f.id]++
			}
		}
	}
	for id, n := range total {
		// Each format has a few files with odd names, which it leaves.
		if taken[id] == 0 || taken[id] < n/2 {
			t.Errorf("%s: %d of %d taken", id, taken[id], n)
		}
	}
}

// TestFastAllocations: the fast road allocates nothing.
func TestFastAllocations(t *testing.T) {
	for _, k := range tables {
		for _, f := range k.formats {
			if f.build == nil {
				continue
			}
			var s fastsum.Scanner
			blob := sampleFile(t, f, f.writes[0].span.From, 20)
			run := func() {
				if !s.Run(f.road().plan, blob) {
					t.Fatalf("%s: not taken: %.300s", f.id, blob)
				}
			}
			for range 1 + 100_000/len(blob) { // until the tables are built
				run()
			}
			if n := testing.AllocsPerRun(20, run); n > 0 {
				t.Errorf("%s: %v allocations", f.id, n)
			}
		}
	}
}

// TestRoadsAgree: a verdict does not depend on the road that was taken to it.
func TestRoadsAgree(t *testing.T) {
	agree := func(name string, blob []byte, o Options) {
		slow := newSession(blob)
		slow.slow = true
		got, want := Judge(blob, o), slow.judge(o)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nfast %+v\nslow %+v", name, got, want)
		}
	}
	for _, g := range goldens(t) {
		blob := g.read(t)
		o := g.options()
		agree(g.File, blob, o)
		agree(g.File+", no kind", blob, Options{})
		o.Policy, o.Releases = "other", []string{"1.35", "1.37"}
		agree(g.File+", other policy", blob, o)
	}
	for _, s := range sampleFormats {
		agree(s.name, sampleFile(t, s.format, s.release, 30), Options{})
	}
	for _, j := range readJudged(t, filepath.Join(testdata, "reports", "verdicts.jsonl.gz")) {
		agree("report", j.blob(), Options{})
	}
}
