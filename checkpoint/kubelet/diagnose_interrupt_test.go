package kubelet

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// Whenever the context ends, no stage begins after that, and what is said tells
// that the search was stopped.
func TestDiagnoseInterrupted(t *testing.T) {
	for _, name := range []string{"cpu/1.36/static-pod-level+PLRM.json", "memory/1.29/static-2numa-hugepages.json"} {
		g := goldenByFile(t, name)
		s := newSession(g.read(t))
		f := s.identify(tableOf(g.Kind)).format
		doc := s.decode(f).doc
		f.sums[0].set(doc, 3141592653)
		blob, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		for stop := 1; ; stop++ {
			ctx, cancel := context.WithCancel(context.Background())
			begun := 0
			list := Diagnose(ctx, blob, DiagnoseOptions{Options: Options{Kind: g.Kind}, Progress: func(string) {
				if begun++; begun == stop {
					cancel()
				}
			}})
			cancel()
			if begun < stop {
				if stop < 10 {
					t.Errorf("%s: %d stages only", name, begun)
				}
				break
			}
			last := list[len(list)-1]
			if begun > stop || last.Kind != KindUnknown || !strings.Contains(last.Text, "stopped before its end") {
				t.Errorf("%s: stopped at stage %d of %d begun: %+v", name, stop, begun, last)
			}
		}
	}
}
