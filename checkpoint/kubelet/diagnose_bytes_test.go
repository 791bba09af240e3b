package kubelet

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// measuring returns how many edits of a kind to make: few, or as many as
// CKPT_MEASURE says.
func measuring(few int) int {
	if n, err := strconv.Atoi(os.Getenv("CKPT_MEASURE")); err == nil && n > 0 {
		return n
	}
	return few
}

// byteGoldens are files of all kinds and formats.
var byteGoldens = []string{
	"cpu/1.29/static-1pod-1ctr.json", "cpu/1.29/static-3pods.json", "cpu/1.29/static-odd-names.json",
	"cpu/1.36/static-pod-level+PLRM.json", "cpu/1.37/static-3pods.json", "cpu/1.37/static-pod-level-baselines+PLRM+EXCL.json",
	"cpu/1.13/v1-static-6ctr.json",
	"memory/1.29/static-1numa-1pod.json", "memory/1.29/static-2numa-hugepages.json", "memory/1.29/static-cross-numa.json",
	"memory/1.36/static-pod-level+PLRM.json", "memory/1.37/static-2numa-hugepages.json",
	"device/1.29/2resources-numa.json", "device/1.29/odd-names.json",
	"dra/1.29/2claims.json", "dra/1.30/2claims.json", "dra/1.35/2claims.json",
	"allocated/1.29/2pods.json", "allocated/1.32/2pods.json", "allocated/1.35/2pods.json",
}

// placeOf returns the innermost value or name of a file that byte i is in.
func placeOf(blob []byte, i int) (path, value string, key, ok bool) {
	d := &diagnosis{blob: blob, s: newSession(blob), v: Judge(blob, Options{})}
	if d.k = tableOf(d.v.Kind); d.k == nil {
		return
	}
	d.makePlaces()
	inner := ""
	if f := d.s.identify(d.k).format; f != nil && f.inner != nil {
		inner = f.inner.field
	}
	size := math.MaxInt
	for p, n := range d.places {
		text := func(a, b int) string {
			if inner != "" && strings.HasPrefix(p, inner+".") {
				return unquote([]byte(unquote(blob[a:b])))
			}
			return unquote(blob[a:b])
		}
		if n.keyB > 0 && n.keyA <= i && i < n.keyB && n.keyB-n.keyA < size {
			path, value, key, ok, size = p, text(n.keyA, n.keyB), true, true, n.keyB-n.keyA
		}
		if n.kind != '{' && n.kind != '[' && n.a <= i && i < n.b && n.b-n.a < size {
			path, value, key, ok, size = p, text(n.a, n.b), false, true, n.b-n.a
		}
	}
	return
}

// TestDiagnoseBytes changes single bytes of values and names so that the file
// still decodes, and asks for them back.
func TestDiagnoseBytes(t *testing.T) {
	n := measuring(12)
	all, found, first := 0, 0, 0
	for _, name := range byteGoldens {
		old := goldenByFile(t, name).read(t)
		r := rand.New(rand.NewPCG(1, uint64(len(old))))
		edits, paths, olds, wrong := 0, 0, 0, []string{}
		var took time.Duration
		for tries := 0; edits < n && tries < 100*n; tries++ {
			i := r.IntN(len(old))
			blob := bytes.Clone(old)
			if blob[i] = byte(r.IntN(256)); blob[i] == old[i] {
				continue
			}
			if v := Judge(blob, Options{}); v.State != StateCorrupt {
				continue
			}
			path, was, key, ok := placeOf(old, i)
			if !ok {
				continue
			}
			edits++
			now, _, _, _ := placeOf(blob, i)
			start := time.Now()
			got := Diagnose(context.Background(), blob, DiagnoseOptions{})
			took += time.Since(start)
			// A name stands in the file as it is now, and so does its path.
			right := func(e Explanation) bool {
				return e.Path == path || e.Path == now || key && e.Kind == KindKey && e.Old == was ||
					e.Old == "["+was+"]" && e.Path == parentPath(path) // the only element of a list
			}
			for _, e := range got {
				if right(e) && e.Kind != KindUnknown {
					paths++
					break
				}
			}
			if len(got) > 0 && right(got[0]) && (got[0].Old == was || got[0].Old == "["+was+"]" || strings.Contains(path, "AllocResp") || got[0].Kind == KindByte && got[0].Old == string(old[i])) {
				olds++
			} else {
				if len(got) > 0 && got[0].Confidence == Certain && got[0].Kind != KindUnknown && !right(got[0]) {
					t.Errorf("%s: byte %d from %q to %q: certain, and wrong: %+v", name, i, old[i], blob[i], got[0])
				}
				wrong = append(wrong, fmt.Sprintf("byte %d %s from %q to %q (was %q): %+v", i, path, old[i], blob[i], was, got))
			}
		}
		all, found, first = all+edits, found+paths, first+olds
		t.Logf("%-60s %4d edits, path found %6.2f %%, old value first %6.2f %%, %v each", name, edits, percent(paths, edits), percent(olds, edits), (took / time.Duration(max(edits, 1))).Round(time.Microsecond))
		for i, w := range wrong {
			if i < 3 {
				t.Logf("  %.700s", w)
			}
		}
	}
	t.Logf("all: %d edits, path found %.3f %%, old value first %.3f %%", all, percent(found, all), percent(first, all))
	if percent(found, all) < 99.5 || percent(first, all) < 99.5 {
		t.Errorf("of %d edits, the path of %.2f %% was found, and the old value of %.2f %% stood first", all, percent(found, all), percent(first, all))
	}
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}
