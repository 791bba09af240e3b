package kubelet

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// removing takes pods out of a file, and asks what happened with and without the
// names that the node's other files hold, among which are those of strangers.
func removing[D any](t *testing.T, file string, n int, remove func(r *rand.Rand, d *D) (pod string)) {
	blob := goldenByFile(t, file).read(t)
	hints := HintsOf(Judge(blob, Options{}).Content, Judge(goldenByFile(t, "allocated/1.37/110pods.json").read(t), Options{}).Content)
	classified, named, certain, mended := 0, 0, 0, 0
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		d := new(D)
		if err := json.Unmarshal(blob, d); err != nil {
			t.Fatal(err)
		}
		pod := remove(r, d)
		edited, _ := json.Marshal(d)
		for _, e := range Diagnose(context.Background(), edited, DiagnoseOptions{}) {
			if e.Confidence == Certain {
				t.Errorf("%s: certain without hints: %+v", file, e)
			}
			if e.Kind == KindMissing {
				classified++
				break
			}
		}
		list := Diagnose(context.Background(), edited, DiagnoseOptions{Hints: hints})
		e := list[0]
		switch right := e.Kind == KindMissing && e.Path == at(pod); {
		case right:
			named++
			if e.Confidence == Certain {
				certain++
			}
			if out, err := Repair(edited, Fix{Explanations: list, Apply: 1}, Options{}); err == nil && string(out.Bytes) == string(blob) {
				mended++
			}
		case e.Confidence == Certain:
			t.Errorf("%s: certain, and wrong: %+v", file, e)
		}
	}
	t.Logf("%s: %d pods removed: classified %.1f %%, named with hints %.1f %% (certain %.1f %%), repaired byte for byte %.1f %%",
		file, n, percent(classified, n), percent(named, n), percent(certain, n), percent(mended, n))
	if percent(classified, n) < 90 || percent(named, n) < 90 || mended < named {
		t.Errorf("%s: of %d, %d were classified, %d named and %d repaired", file, n, classified, named, mended)
	}
}

// A removed entry is not in the file any more: it is classified, and named with
// what the node's other files say.
func TestDiagnoseRemoved(t *testing.T) {
	n := measuring(3)
	removing(t, "cpu/1.29/static-110pods.json", n, func(r *rand.Rand, d *cpuV2) string {
		pod := pick(r, d.Entries)
		delete(d.Entries, pod)
		return pod
	})
	remove := func(r *rand.Rand, d *memoryV1) string {
		pod := pick(r, d.Entries)
		delete(d.Entries, pod)
		return pod
	}
	removing(t, "memory/1.29/static-110pods.json", n, remove)
	removing(t, "memory/1.29/static-1numa-1pod.json", 1, remove)
}
