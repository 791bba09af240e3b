package kubelet

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzMigrate holds whatever comes to the promises of Migrate. A file is given
// a good sum first, as a format that it decodes as, or hardly any would be let in.
func FuzzMigrate(f *testing.F) {
	for i, g := range goldens(f) {
		if b := g.read(f); len(b) < 4<<10 {
			f.Add(b, string(g.Kind), uint8(i), uint8(i))
		}
	}
	for _, j := range readJudged(f, filepath.Join(testdata, "reports", "verdicts.jsonl.gz")) {
		f.Add(j.blob(), "", uint8(0), uint8(3))
	}
	var targets []Target
	for _, k := range tables {
		for _, r := range k.readers(&Options{}) {
			targets = append(targets, Target{Release: r.release.Name, Gates: r.gates})
		}
		for _, fm := range k.formats {
			targets = append(targets, Target{Format: fm.id.String()})
		}
	}
	f.Fuzz(func(t *testing.T, blob []byte, kind string, sign, to uint8) {
		if k := tableOf(Kind(kind)); k != nil {
			blob = signed(blob, k.formats[int(sign)%len(k.formats)])
		}
		o := Options{Kind: Kind(kind), Containers: fullContainers}
		m, err := Migrate(blob, targets[int(to)%len(targets)], o)
		if err != nil {
			var (
				broken     *BrokenError
				layout     *LayoutError
				target     *TargetError
				containers *ContainersError
				refused    *RefusedError
			)
			if !errors.As(err, &broken) && !errors.As(err, &layout) && !errors.As(err, &target) &&
				!errors.As(err, &containers) && !errors.As(err, &refused) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if m.Answer.Verdict == Refused || len(m.Answer.Lost) > len(m.Losses) {
			t.Fatalf("for %s: %+v, losses %v", m.Release, m.Answer, m.Losses)
		}
		if o.Kind = m.Kind; len(m.Losses) > 0 || m.From == cpuV4DraftFormat.id.String() {
			return
		}
		back, err := Migrate(m.Bytes, Target{Format: m.From}, o)
		if err != nil {
			t.Fatalf("from %s to %s and not back: %v", m.From, m.To, err)
		}
		was, is := asRestored(m.Kind, m.Source.Content), asRestored(m.Kind, back.Content)
		lost, more := lostPaths(was, is), lostPaths(is, was)
		if m.Gates[GateExclusiveCPUResize] && slices.Equal(more, []string{"baselines"}) {
			more = nil // a kubelet with the gate makes them where there are none
		}
		if len(lost)+len(more) > 0 {
			t.Fatalf("from %s to %s and back: lost %v, more %v", m.From, m.To, lost, more)
		}
	})
}

// signed returns blob with the sums that it should have as f, if it is one.
func signed(blob []byte, f *format) []byte {
	doc := f.fresh()
	if syntaxDamage(blob) != nil || tooManyCPUs(blob) || f.unmarshal(blob, doc) != nil {
		return blob
	}
	out, err := f.marshal(doc)
	if err != nil {
		return blob
	}
	return out
}
