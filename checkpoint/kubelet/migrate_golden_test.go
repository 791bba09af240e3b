package kubelet

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// releaseOf is the release of a writer: 1.35 of 1.35.4.
func releaseOf(writer string) string { return writer[:strings.LastIndexByte(writer, '.')] }

// gatesOf returns the gates under which writer wrote a case.
func (g golden) gatesOf(writer, c string) map[string]bool {
	gates := map[string]bool{}
	for _, w := range g.Writers {
		if w.Writer != writer || w.Case != c {
			continue
		}
		for _, gate := range strings.Split(w.Gates, ",") {
			if name, value, _ := strings.Cut(gate, "="); name != "" {
				gates[name] = value == "true"
			}
		}
	}
	return gates
}

// unreadable are the cases whose files no kubelet reads back, not even the one
// that wrote them.
func unreadable(kind Kind, writer string, c string) bool {
	release := minor(releaseOf(writer))
	switch kind {
	case Allocated:
		return release < 32 && (strings.Contains(c, "noncanonical") || c == "odd-quantities")
	case DRA:
		return release < 31 && c == "fresh"
	case Memory:
		return release == 36 && c == "static-pod-level-odd+PLRM"
	}
	return false
}

// lineage tells apart the releases whose files of a kind say different things,
// so that a case of the same name is not the same case.
func lineage(kind Kind, writer string) bool {
	release := minor(releaseOf(writer))
	return kind == DRA && release >= 31 || kind == Allocated && release >= 32
}

// migrations remembers what a file becomes: many releases write the same.
type migrations map[string]Migration

func (done migrations) migrate(g golden, blob []byte, to Target) (Migration, error) {
	key := g.File + " " + to.String()
	if m, ok := done[key]; ok {
		return m, nil
	}
	m, err := Migrate(blob, to, g.options())
	if err == nil {
		done[key] = m
	}
	return m, err
}

// lossyFile: there are losses but those of entries that stay in the file.
func lossyFile(m Migration) bool { return len(m.Losses) > len(m.Answer.Lost) }

// TestMigrateGoldens: the file of one kubelet becomes byte for byte that which
// another wrote in the same case.
func TestMigrateGoldens(t *testing.T) {
	t.Parallel()
	index := goldensByWriter(t)
	done := migrations{}
	same, own, other := 0, 0, 0
	for _, from := range goldens(t) {
		blob := from.read(t)
		for _, w := range from.Writers {
			for _, rel := range Releases() {
				to, ok := index[string(from.Kind)+"/"+rel.Patch+"/"+w.Case+".json"]
				if !ok || strings.HasPrefix(w.Case, "derived-") { // made by hand
					continue
				}
				name := from.File + " by " + w.Writer + " for " + rel.Name
				m, err := done.migrate(from, blob, Target{Release: rel.Name, Gates: to.gatesOf(rel.Patch, w.Case)})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if m.Answer.Verdict == Refused || len(m.Answer.Lost) > len(m.Losses) {
					t.Errorf("%s: the target has %s it: %s", name, m.Answer.Verdict, m.Answer.Error)
				}
				want := to.read(t)
				switch {
				case unreadable(from.Kind, rel.Patch, w.Case) || unreadable(from.Kind, w.Writer, w.Case):
					own++
				case lineage(from.Kind, w.Writer) == lineage(from.Kind, rel.Patch):
					same++
					if lossyFile(m) || len(m.Gaps) > 0 || !bytes.Equal(m.Bytes, want) {
						t.Errorf("%s: losses %v\n got %.700s\nwant %.700s", name, m.Losses, m.Bytes, want)
					}
				default:
					other++
					// A kubelet with no claims writes null at its start, and later [].
					atStart := from.Kind == DRA && bytes.Contains(want, []byte(`ClaimInfoStateList\":null`))
					if len(m.Losses)+len(m.Gaps) == 0 && !bytes.Equal(m.Bytes, want) && !atStart {
						t.Errorf("%s:\n got %.700s\nwant %.700s", name, m.Bytes, want)
					}
				}
			}
		}
	}
	t.Logf("%d pairs the same byte for byte, %d for which the kubelet's own is unreadable, %d of other content", same, own, other)
	if same < 4000 {
		t.Errorf("only %d pairs compared", same)
	}
}

// TestMigrateRoundtrip holds what becomes of a file in another kubelet and back
// against the kubelets' own.
func TestMigrateRoundtrip(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile(filepath.Join(testdata, "kubelets", "roundtrip.json"))
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Rows []struct {
			Kind    Kind
			Writer  string
			Cases   []string
			Answers map[string]string
		}
	}
	if err := json.Unmarshal(b, &table); err != nil {
		t.Fatal(err)
	}
	index := goldensByWriter(t)
	done := migrations{}
	count := map[string]int{}
	for _, row := range table.Rows {
		for _, c := range row.Cases {
			g := index[string(row.Kind)+"/"+row.Writer+"/"+c+".json"]
			blob := g.read(t)
			for label, want := range row.Answers {
				got := done.there(t, g, blob, row.Writer, c, label)
				if count[got]++; got != want && !(got == "kept" && want == "LOSSY") {
					t.Errorf("%s/%s/%s through %s: %s, want %s", row.Kind, row.Writer, c, label, got, want)
				}
			}
		}
	}
	t.Logf("%v", count)
	// Kubelet 1.36 with the gate reads the legacy half of a newer file, which has
	// no podEntries, although it could hold them: a migration keeps them.
	if count["kept"] != 5 || count["="]+count["ok"]+count["LOSSY"]+count["R"]+count["W"] != 5935 {
		t.Errorf("the kubelets gave 5940 answers, and lose in 5 what a migration keeps: %v", count)
	}
}

// there answers as roundtrip.json does: what the writer finds after the kubelet
// of label has rewritten its file.
func (done migrations) there(t *testing.T, g golden, blob []byte, writer, c, label string) string {
	t.Helper()
	release, letters, _ := strings.Cut(strings.TrimSuffix(label, "]"), "[")
	to := Target{Release: release, Gates: map[string]bool{
		GatePodLevelResourceManagers: strings.Contains(letters, "P"),
		GateExclusiveCPUResize:       strings.Contains(letters, "X"),
	}}
	ask := func(blob []byte, release string, gates map[string]bool) Answer {
		o := g.options()
		o.Releases, o.Gates = []string{release}, gates
		if v := Judge(blob, o); len(v.Kubelets) == 1 {
			return v.Kubelets[0]
		}
		return Answer{Verdict: Refused}
	}
	reads := ask(blob, to.Release, to.Gates)
	if reads.Verdict == Refused {
		return "R"
	}
	m, err := done.migrate(g, blob, to)
	if err != nil {
		return err.Error()
	}
	if bytes.Equal(m.Bytes, blob) {
		return "="
	}
	back := ask(m.Bytes, releaseOf(writer), g.gatesOf(writer, c))
	switch {
	case back.Verdict == Refused:
		return "W"
	case len(tableOf(g.Kind).comparer(m.Source.Content)(back.State())) > 0:
		return "LOSSY"
	case reads.Verdict == Lossy && !dropsEntries(reads):
		return "kept"
	}
	return "ok"
}

// TestMigrateLosses: where a kubelet reads the file of another and forgets part
// of it, a migration to it names just that, or keeps it.
func TestMigrateLosses(t *testing.T) {
	same, kept := 0, 0
	for _, g := range goldens(t) {
		blob := g.read(t)
		for _, a := range Judge(blob, g.options()).Kubelets {
			if a.Verdict != Lossy || g.Kind == Allocated && takesForEmpty(a) {
				continue
			}
			name := g.File + " for " + a.label()
			m, err := Migrate(blob, Target{Release: a.Release, Gates: a.Gates}, g.options())
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			lost := []string{}
			for _, l := range m.Losses {
				lost = append(lost, l.Path)
				if l.Reason == "" {
					t.Errorf("%s: no reason for %s", name, l.Path)
				}
			}
			if gone := tableOf(g.Kind).comparer(m.Source.Content)(m.Answer.State()); !slices.Equal(lost, append([]string{}, gone...)) {
				t.Errorf("%s: loses %v, but what is gone is %v", name, lost, gone)
			}
			switch {
			case slices.Equal(lost, a.Lost):
				same++
			case strings.Contains(a.label(), "P") && slices.Equal(append(lost, "podEntries"), a.Lost):
				kept++ // what the kubelet would find, if it did not read the legacy half, or check the sum
			default:
				t.Errorf("%s: loses %v, the kubelet %v", name, lost, a.Lost)
			}
		}
	}
	if t.Logf("%d lists of losses are the kubelets', %d shorter", same, kept); same != 156 || kept != 16 {
		t.Error("want 156 and 16")
	}
}

// takesForEmpty: between 1.32 and 1.33 each takes the other's file for empty,
// and a migration does not.
func takesForEmpty(a Answer) bool {
	return strings.HasPrefix(a.Lost[0], "allocationEntries") || a.Release == "1.32"
}
