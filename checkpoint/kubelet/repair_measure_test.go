package kubelet

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
)

// mend diagnoses a file and undoes the first explanation, certain or not.
func mend(blob []byte, o DiagnoseOptions) (Repaired, []Explanation, error) {
	list := Diagnose(context.Background(), blob, o)
	fix := Fix{Explanations: list}
	if len(list) > 0 {
		fix.Apply = 1
	}
	out, err := Repair(blob, fix, o.Options)
	return out, list, err
}

// accepted reports whether a kubelet takes the result.
func accepted(blob []byte, o Options) bool {
	return slices.ContainsFunc(Judge(blob, o).Kubelets, func(a Answer) bool { return a.Verdict != Refused })
}

// TestRepairBytes changes single bytes anywhere in files and mends them. What
// Repair returns must be accepted, always, and mostly be the file as it was.
func TestRepairBytes(t *testing.T) {
	n := measuring(12)
	all, repaired, same, meaning := 0, 0, 0, 0
	for _, name := range byteGoldens {
		g := goldenByFile(t, name)
		old := g.read(t)
		if !accepted(old, g.options()) {
			continue
		}
		before := Judge(old, g.options())
		r := rand.New(rand.NewPCG(5, uint64(len(old))))
		for edits, tries := 0, 0; edits < n && tries < 100*n; tries++ {
			i := r.IntN(len(old))
			blob := bytes.Clone(old)
			if blob[i] = byte(r.IntN(256)); blob[i] == old[i] {
				continue
			}
			if s := Judge(blob, g.options()).State; s == StateOK || s == StateUnsigned {
				continue
			}
			edits++
			all++
			out, list, err := mend(blob, DiagnoseOptions{Options: g.options()})
			if err != nil {
				t.Logf("%s, byte %d from %q to %q: %v: %.300v", name, i, old[i], blob[i], err, list[0])
				continue
			}
			repaired++
			if !accepted(out.Bytes, g.options()) {
				t.Errorf("%s, byte %d from %q to %q: nobody accepts the result", name, i, old[i], blob[i])
			}
			if len(Changes(before.Content, out.After.Content)) == 0 {
				meaning++
			} else if list[0].Confidence == Certain && len(out.Gone) == 0 {
				t.Errorf("%s, byte %d from %q to %q: another meaning by %+v", name, i, old[i], blob[i], list[0])
			}
			if bytes.Equal(out.Bytes, old) {
				same++
			} else {
				t.Logf("%s, byte %d from %q to %q: not the same bytes by %.300v", name, i, old[i], blob[i], list[0])
			}
		}
	}
	t.Logf("%d bytes changed: repaired %.2f %%, byte for byte %.2f %%, in meaning %.2f %%", all, percent(repaired, all), percent(same, all), percent(meaning, all))
	if percent(repaired, all) < 90 || percent(same, repaired) < 98 {
		t.Errorf("of %d, %d were repaired, %d byte for byte", all, repaired, same)
	}
}

// repairEdits makes the edits of a kind and undoes them.
func repairEdits[D any](t *testing.T, file string, edits []anEdit[D], n int) {
	old := goldenByFile(t, file).read(t)
	content := Judge(old, Options{}).Content
	made, repaired, same, meaning := 0, 0, 0, 0
	for _, kind := range edits {
		r := rand.New(rand.NewPCG(1, 2))
		for edit, tries := 0, 0; edit < n && tries < 20*n; tries++ {
			d := new(D)
			if err := json.Unmarshal(old, d); err != nil {
				t.Fatal(err)
			}
			path, _ := kind.make(r, d)
			blob, _ := json.Marshal(d)
			if path == "" || Judge(blob, Options{}).State == StateOK {
				continue
			}
			edit++
			made++
			out, list, err := mend(blob, DiagnoseOptions{})
			if err != nil {
				t.Logf("%s, %s: %v: %.300v", file, kind.kind, err, list[0])
				continue
			}
			repaired++
			if !accepted(out.Bytes, Options{}) {
				t.Errorf("%s, %s: nobody accepts the result", file, kind.kind)
			}
			if bytes.Equal(out.Bytes, old) {
				same++
			}
			if len(Changes(content, out.After.Content)) == 0 {
				meaning++
			} else {
				t.Errorf("%s, %s: another meaning by %.300v", file, kind.kind, list[0])
			}
		}
	}
	t.Logf("%s: %d edits, repaired %.2f %%, byte for byte %.2f %%, in meaning %.2f %%", file, made, percent(repaired, made), percent(same, made), percent(meaning, made))
	if percent(repaired, made) < 95 {
		t.Errorf("%s: %d of %d edits were undone", file, repaired, made)
	}
}

func TestRepairEdits(t *testing.T) {
	n := measuring(4)
	repairEdits(t, "cpu/1.29/static-3pods.json", cpuEdits, n)
	repairEdits(t, "memory/1.29/static-2numa-hugepages.json", memoryEdits, n)
}
