package kubelet

import (
	"bytes"
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
