package filestore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/crashfs"
)

// blocks makes a value of n blocks of the crash model that no other has.
func blocks(name string, n int) string {
	return name + strings.Repeat("."+name, 8*n)[:16*n-len(name)]
}

// named are the workloads of docs/durability.md.
func named() []workload {
	overwrites := func(n int) (steps []step) {
		for i := range n {
			steps = append(steps, put("k", blocks(fmt.Sprint("v", i), 4)))
		}
		return steps
	}
	one := state{"k": "old"}
	two := state{"k": "old", "l": "other"}
	return []workload{
		{name: "first put", before: state{}, steps: []step{put("k", "new")}},
		{name: "overwrite", before: one, steps: []step{put("k", "new")}},
		{name: "overwrite, 4 blocks", before: one, steps: overwrites(1)},
		{name: "overwrite ×2, 4 blocks", before: one, steps: overwrites(2)},
		{name: "overwrite ×3, 4 blocks", before: one, steps: overwrites(3)},
		{name: "delete", before: one, steps: []step{del("k")}},
		{name: "two keys", before: two, steps: []step{put("k", "new"), put("l", "newer")}},
		{name: "put, delete, put", before: state{}, steps: []step{put("k", "1"), del("k"), put("k", "2")}},
		{name: "new directory ×3", before: state{}, noDir: true,
			steps: []step{put("k", "1"), put("k", "2"), put("l", "3")}},
	}
}

// bounded lists every sequence of at most three operations of a small alphabet,
// from three beginnings. Published bugs of file systems needed no more (Mohan et
// al., "Finding Crash-Consistency Bugs with Bounded Black-Box Crash Testing",
// OSDI 2018).
func bounded() []workload {
	alphabet := []step{put("k", "a"), put("k", blocks("b", 2)), put("l", "c"), del("k"), del("l")}
	var all []workload
	for _, before := range []state{{}, {"k": "a"}, {"k": "old", "l": "other"}} {
		for _, steps := range sequences(alphabet, 3) {
			all = append(all, workload{name: fmt.Sprint(before, steps), before: before, steps: steps})
		}
	}
	return all
}

func sequences(alphabet []step, most int) [][]step {
	var all [][]step
	last := [][]step{nil}
	for range most {
		var next [][]step
		for _, s := range last {
			for _, a := range alphabet {
				next = append(next, append(slices.Clip(s), a))
			}
		}
		all = append(all, next...)
		last = next
	}
	return all
}

// exploreAll adds up the reports of several workloads.
func exploreAll(ws []workload, open opener, m crashfs.Model) (crashfs.Report, error) {
	var sum crashfs.Report
	for _, w := range ws {
		r, err := w.explore(open, m, 1)
		if err != nil {
			return sum, err
		}
		sum.Add(r)
	}
	return sum, nil
}

func TestCrashAnywhere(t *testing.T) {
	sequential(t)
	for _, w := range named() {
		for model, m := range models {
			r, err := w.explore(ours, m, 1)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-24s %-11s %3d points %4d images", w.name, model, r.Points, r.Images)
			if r.Violations != 0 {
				t.Errorf("%s, %s: %d violations: %v", w.name, model, r.Violations, r.First)
			}
		}
	}
	r, err := exploreAll(bounded(), ours, crashfs.AnySubset)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("every sequence of at most 3 operations: %d points, %d images", r.Points, r.Images)
	if r.Violations != 0 {
		t.Errorf("%d violations: %v", r.Violations, r.First)
	}
	if r.Images < 10_000 {
		t.Errorf("only %d images: the exploration has lost its reach", r.Images)
	}
}

var models = map[string]crashfs.Model{
	"any subset": crashfs.AnySubset,
	"prefix":     crashfs.Prefix,
	"synced":     crashfs.Synced,
}

// The control: the same tests find what the kubelet's order can lose.
func TestCrashKubeletOrder(t *testing.T) {
	for _, w := range named() {
		lost, err := w.explore(kubelets, crashfs.AnySubset, anyLeftovers)
		if err != nil {
			t.Fatal(err)
		}
		all, err := w.explore(kubelets, crashfs.AnySubset, 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-24s %3d points %4d images %4d with a lost or torn value, %4d with leftovers too",
			w.name, all.Points, all.Images, lost.Violations, all.Violations)
		if lost.Violations == 0 {
			t.Errorf("%s: no loss found", w.name)
		}
	}
}

// Rename has to be atomic. What happens where it is not is told, not prevented.
func TestSplitRenameIsAnAssumption(t *testing.T) {
	r, err := named()[1].explore(ours, crashfs.SplitRename, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Violations == 0 {
		t.Error("a rename in parts does no harm: doc.go and docs/durability.md say it does")
	}
}

// recoveries crashes the recovery of every image of a workload at every point,
// and recovers again.
func recoveries(w workload) (crashfs.Report, error) {
	fs, err := w.run(ours)
	if err != nil {
		return crashfs.Report{}, err
	}
	var sum crashfs.Report
	states := w.states()
	for img := range fs.Images(crashfs.AnySubset, crashfs.Outcomes{}) {
		acked := len(img.Acked)
		if _, err := filestore.Open(storeDir, filestore.WithFS(img.FS)); err != nil {
			return sum, err
		}
		sum.Add(crashfs.Explore(img.FS, crashfs.AnySubset, crashfs.Outcomes{}, func(again crashfs.Image) error {
			return recovered(again.FS, 1, states[acked:min(acked+2, len(states))]...)
		}))
	}
	return sum, nil
}

func TestCrashInRecovery(t *testing.T) {
	sequential(t)
	for _, w := range named() {
		r, err := recoveries(w)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-24s %5d points %5d images", w.name, r.Points, r.Images)
		if r.Violations != 0 {
			t.Errorf("%s: I9: %d violations: %v", w.name, r.Violations, r.First)
		}
	}
}
