package kubelet

import "testing"

// Every text of every golden must be taken apart, and each value must stand
// where its token says.
func TestSketches(t *testing.T) {
	texts := 0
	for _, g := range goldens(t) {
		s := newSession(g.read(t))
		k := tableOf(g.Kind)
		id := s.identify(k)
		if id.format == nil || s.decode(id.format).err != nil {
			continue
		}
		for i := range id.format.sums {
			sm := &id.format.sums[i]
			sk, err := s.sketchOf(g.Kind, id.format, sm, &sm.spellings[0])
			if err != nil {
				t.Errorf("%s: %v", g.File, err)
				continue
			}
			texts++
			if len(sk.tokens) == 0 {
				t.Errorf("%s: the text of %q was not taken apart:\n%.300s", g.File, sm.field, sk.text)
			}
			for _, tok := range sk.tokens {
				if tok.role == roleOpaque {
					continue
				}
				if tok.role == roleNothing {
					continue
				}
				if got, ok := tok.inText(tok.value); !ok || got != string(sk.text[tok.a:tok.b]) {
					t.Errorf("%s: %s: %q stands in the text as %q, the token says %q", g.File, tok.path, tok.value, sk.text[tok.a:tok.b], got)
				}
			}
		}
	}
	if texts < 150 {
		t.Errorf("only %d texts", texts)
	}
}
