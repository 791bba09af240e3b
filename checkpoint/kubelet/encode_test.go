package kubelet

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestEncode writes what each golden means in its own format, and gets the
// bytes that the kubelet wrote.
func TestEncode(t *testing.T) {
	n := 0
	for _, g := range goldens(t) {
		if strings.Contains(g.File, "/derived-") {
			continue // edited by hand
		}
		blob := g.read(t)
		s := newSession(blob)
		for _, w := range g.Writers {
			release := w.Writer[:strings.LastIndexByte(w.Writer, '.')]
			k := tableOf(g.Kind)
			f := k.writtenBy(reader{Release{Name: release}, map[string]bool{
				GatePodLevelResourceManagers: strings.Contains(w.Gates, GatePodLevelResourceManagers+"=true"),
			}})
			d := s.decode(f)
			if d.err != nil {
				t.Errorf("%s: does not decode as %s: %v", g.File, f.id, d.err)
				continue
			}
			content, err := f.content(d.doc)
			if err != nil {
				t.Errorf("%s: %v", g.File, err)
				continue
			}
			got, err := f.encode(content, release)
			if err != nil {
				t.Errorf("%s: %v", g.File, err)
				continue
			}
			if Judge(blob, g.options()).State == StateCorrupt {
				continue // the kubelet itself does not get these sums back
			}
			if n++; !bytes.Equal(got, blob) {
				t.Errorf("%s by %s as %s:\n got %.600s\nwant %.600s", g.File, w.Writer, f.id, got, blob)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d files compared", n)
	}
}

// TestMarshal: what is written does not depend on the road to its sums.
func TestMarshal(t *testing.T) {
	n := 0
	for _, k := range tables {
		for _, f := range k.formats {
			if f.build == nil {
				continue
			}
			for _, pods := range []int{0, 1, 30} {
				doc, err := f.build(sample(t, k.kind, pods), f.writes[0].span.From)
				if err != nil {
					t.Fatal(err)
				}
				got, err := f.marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				for i := range f.sums {
					sm := &f.sums[i]
					v, err := sm.compute(&sm.spellings[0], doc)
					if err != nil {
						t.Fatal(err)
					}
					sm.set(doc, v)
				}
				want, err := json.Marshal(doc)
				if n++; err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %v\n got %.600s\nwant %.600s", f.id, err, got, want)
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("%d documents", n)
	}
}
