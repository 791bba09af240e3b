package kubelet

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestMigrateThereAndBack: whatever a kubelet writes, a migration to any other
// and back returns but for the losses that the way there reported.
func TestMigrateThereAndBack(t *testing.T) {
	t.Parallel()
	seeds := uint64(25)
	if testing.Short() {
		seeds = 5
	}
	whole, lossy := 0, 0
	for _, k := range tables {
		all := k.readers(&Options{})
		for _, w := range all {
			for seed := range seeds {
				rnd := newRandom(seed)
				blob, o := randomFile(t, k, w, rnd)
				r := all[rnd.IntN(len(all))]
				m, err := Migrate(blob, Target{Release: r.release.Name, Gates: r.gates}, o)
				if err != nil {
					t.Fatalf("%s of %v for %v, seed %d: %v\n%s", k.kind, w, r, seed, err, blob)
				}
				if m.Answer.Verdict == Refused {
					t.Errorf("%s of %v for %v, seed %d: refused: %s", k.kind, w, r, seed, m.Answer.Error)
				}
				last := all[rnd.IntN(len(all))]
				for _, amiss := range []string{thereAndBack(t, m, blob, w, o), byWayOf(m, blob, last, o), own(m, blob, o)} {
					if amiss != "" {
						t.Errorf("%s of %v for %v, seed %d: %s\n%.1000s\n%.1000s", k.kind, w, r, seed, amiss, blob, m.Bytes)
					}
				}
				if whole++; len(m.Losses) > 0 {
					lossy++
				}
			}
		}
	}
	t.Logf("%d files, %d of them with losses", whole, lossy)
}

// randomFile is a file that w wrote.
func randomFile(t *testing.T, k *kindTable, w reader, rnd *random) ([]byte, Options) {
	t.Helper()
	content := rnd.content(k.kind, w.release.Name)
	env := environment{policy: fullPolicy(k, content), containers: rnd.containers}
	hold := k.restore
	if k.hold != nil {
		hold = k.hold
	}
	held, no := hold(content, w, &env)
	if no != nil {
		t.Fatal(no.err)
	}
	blob, err := k.writtenBy(w).written(held, w.release.Name)
	if err != nil {
		t.Fatal(err)
	}
	return blob, Options{Kind: k.kind, Containers: rnd.containers}
}

// thereAndBack migrates m back to who wrote blob, and says what is amiss.
func thereAndBack(t *testing.T, m Migration, blob []byte, w reader, o Options) string {
	t.Helper()
	gates := maps.Clone(w.gates)
	if st, ok := m.Content.(*CPUState); ok && len(st.Baselines) == 0 {
		delete(gates, GateExclusiveCPUResize) // or it would make new ones
	}
	back, err := Migrate(m.Bytes, Target{Release: w.release.Name, Gates: gates}, o)
	if err != nil {
		return "back: " + err.Error()
	}
	gone := lostPaths(asRestored(m.Kind, m.Source.Content), back.Content)
	var lost []string
	for _, l := range m.Losses {
		if !slices.Contains(m.Answer.Lost, l.Path) { // else it is in the file
			lost = append(lost, strings.TrimPrefix(l.Path, "Data."))
		}
	}
	slices.Sort(gone)
	slices.Sort(lost)
	switch {
	case !slices.Equal(gone, lost):
		return "lost " + strings.Join(gone, ", ") + "; reported " + strings.Join(lost, ", ")
	case len(gone) == 0 && len(lostPaths(back.Content, asRestored(m.Kind, m.Source.Content))) > 0:
		return "came back with more"
	case reflect.DeepEqual(jsonTree(m.Source.Content), jsonTree(back.Content)) && !bytes.Equal(back.Bytes, blob):
		return "came back as other bytes: " + string(back.Bytes)
	}
	return ""
}

func asRestored(kind Kind, content any) any {
	if k := tableOf(kind); k.canonical != nil && len(content.(*CPUState).Containers) == 0 {
		return k.canonical(content)
	}
	return content
}

// byWayOf: what lost nothing on the way to m comes to last as if it had gone
// there at once.
func byWayOf(m Migration, blob []byte, last reader, o Options) string {
	if len(m.Losses) > 0 || !reflect.DeepEqual(jsonTree(m.Source.Content), jsonTree(m.Content)) {
		return ""
	}
	to := Target{Release: last.release.Name, Gates: last.gates}
	direct, err := Migrate(blob, to, o)
	if err != nil {
		return "at once: " + err.Error()
	}
	second, err := Migrate(m.Bytes, to, o)
	switch {
	case err != nil:
		return "by way of another: " + err.Error()
	case !bytes.Equal(second.Bytes, direct.Bytes):
		return "by way of another: " + string(second.Bytes) + "\nat once: " + string(direct.Bytes)
	}
	return ""
}

// own: the format that a file has holds all that it says.
func own(m Migration, blob []byte, o Options) string {
	same, err := Migrate(blob, Target{Format: m.From}, o)
	if err != nil {
		return "to its own format: " + err.Error()
	}
	if lossyFile(same) || len(same.Gaps) > 0 {
		return fmt.Sprint("its own format loses ", same.Losses, same.Gaps)
	}
	return ""
}

// TestMigrateRefuses: what cannot be migrated is told apart.
func TestMigrateRefuses(t *testing.T) {
	good := string(goldenByFile(t, "cpu/1.29/static-3pods.json").read(t))
	v1 := string(goldenByFile(t, "cpu/1.13/v1-static-6ctr.json").read(t))
	edit := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %s in %s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	to := Target{Release: "1.37"}
	for _, c := range []struct {
		name, blob string
		to         Target
		o          Options
		want       any
		text       string
	}{
		{"an edit", edit(`"app":"2-3"`, `"app":"2-5"`), to, Options{}, new(*BrokenError), "corrupt"},
		{"torn", good[:100], to, Options{}, new(*BrokenError), "damaged"},
		{"empty", "", to, Options{Kind: CPU}, new(*BrokenError), "empty"},
		{"wrong kind", good, to, Options{Kind: Memory}, new(*BrokenError), "good cpu file under the name of a memory file"},
		{"a new field and sum", edit(`"entries"`, `"fresh":1,"entries"`)[:60] + `"},"checksum":5}`, to, Options{Kind: CPU}, new(*BrokenError), ""},
		{"a newer layout", `{"policyName":"static","pools":{},"defaultCpuSet":"0","checksum":7}`, to, Options{Kind: CPU}, new(*LayoutError), "newer version: unknown pools"},
		{"another structure", `{"policyName":"static","defaultCpuSet":[0],"checksum":7}`, to, Options{Kind: CPU}, new(*LayoutError), "newer version"},
		{"no checkpoint", `{"a":1}`, to, Options{}, new(*LayoutError), "newer version"},
		{"no target", good, Target{}, Options{}, new(*TargetError), "want a release or a format"},
		{"unknown release", good, Target{Release: "1.99"}, Options{}, new(*TargetError), "not known"},
		{"unknown gate", good, Target{Release: "1.37", Gates: map[string]bool{"Fresh": false}}, Options{}, new(*TargetError), `the gate "Fresh" is not known`},
		{"gate of a later release", good, Target{Release: "1.35", Gates: map[string]bool{GatePodLevelResourceManagers: true}}, Options{}, new(*TargetError), "which came with 1.36"},
		{"unknown format", good, Target{Format: "cpu/v9"}, Options{}, new(*TargetError), "not known"},
		{"format of another kind", good, Target{Format: "memory/v1"}, Options{}, new(*TargetError), "memory"},
		{"format of no release", good, Target{Format: "cpu/v4draft"}, Options{}, new(*TargetError), "no release writes it"},
		{"format and release apart", good, Target{Format: "cpu/v2", Release: "1.37"}, Options{}, new(*TargetError), "writes cpu/v4"},
		{"no such file", memoryGolden(t), Target{Release: "1.13"}, Options{}, new(*TargetError), "no such file"},
		{"unknown container", v1, to, Options{}, new(*ContainersError), "not among the given"},
		{"containers twice", v1, to, Options{Containers: everyID(v1)}, new(*ContainersError), "2 of the given containers"},
		{"id of no container", good, Target{Format: "cpu/v1"}, Options{}, new(*ContainersError), "of pod"},
		{"another policy", good, to, Options{Policy: "none"}, new(*RefusedError), `configured policy "none"`},
	} {
		m, err := Migrate([]byte(c.blob), c.to, c.o)
		if err == nil || !errors.As(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %T %v, want %T with %q", c.name, err, err, c.want, c.text)
		}
		if m.Bytes != nil {
			t.Errorf("%s: bytes beside an error", c.name)
		}
	}
}

func memoryGolden(t *testing.T) string {
	return string(goldenByFile(t, "memory/1.29/static-1numa-1pod.json").read(t))
}

// everyID gives each container of a cpu/v1 file the same name.
func everyID(blob string) map[string]ContainerRef {
	out := map[string]ContainerRef{}
	for id := range Judge([]byte(blob), Options{}).Content.(*CPUState).Containers {
		out[id] = ContainerRef{"pod", "app"}
	}
	return out
}

// TestMigrateUnsigned: what some kubelet accepts unseen may be migrated, and is
// said to be unsigned; what a kubelet cannot read back is mended.
func TestMigrateUnsigned(t *testing.T) {
	for file, code := range map[string]string{
		"cpu/1.29/derived-checksum-0.static-3pods.json":  codeMissing,
		"memory/1.36/static-pod-level-odd+PLRM.json":     codeOwnBug,
		"allocated/1.29/1pod-noncanonical-quantity.json": codeOwnBug,
		"cpu/1.37/derived-checksum-0.static-3pods.json":  codeLegacyMismatch,
	} {
		g := goldenByFile(t, file)
		m, err := Migrate(g.read(t), Target{Format: m0(g)}, g.options())
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if !slices.ContainsFunc(m.Source.Findings, func(f Finding) bool { return f.Code == code }) {
			t.Errorf("%s: no finding %s", file, code)
		}
		if v := Judge(m.Bytes, g.options()); v.State != StateOK || len(m.Losses) > 0 || m.Same {
			t.Errorf("%s: becomes %s, losses %v", file, v.State, m.Losses)
		}
	}
}

// m0 is the format that g has.
func m0(g golden) string {
	return wantFormat(g.Kind, releaseOf(g.Writers[0].Writer), strings.Contains(g.Writers[0].Case, "PLRM"))
}

// TestMigrateUnknownField: what no known kubelet reads is lost, and said to be.
func TestMigrateUnknownField(t *testing.T) {
	good := string(goldenByFile(t, "cpu/1.29/static-3pods.json").read(t))
	blob := strings.Replace(good, `"entries"`, `"pools":{},"entries"`, 1)
	m, err := Migrate([]byte(blob), Target{Release: "1.35"}, Options{})
	if err != nil || string(m.Bytes) != good || len(m.Losses) != 1 || m.Losses[0].Path != "pools" || m.Same {
		t.Errorf("%v, losses %v", err, m.Losses)
	}
}

// TestMigrateVersion: the target may be named by any version of its release.
func TestMigrateVersion(t *testing.T) {
	blob := goldenByFile(t, "cpu/1.37/static-3pods.json").read(t)
	for _, version := range []string{"1.35", "v1.35", "1.35.1", "v1.35.1", "v1.35.1-rc.0+abc"} {
		if m, err := Migrate(blob, Target{Release: version}, Options{}); err != nil || m.Release != "1.35" || m.To != "cpu/v2" {
			t.Errorf("%s: %s %s, %v", version, m.Release, m.To, err)
		}
	}
	for _, version := range []string{"1", "1.", "v", "vv1.35", "1.350", "1.35x", " 1.35"} {
		if r, ok := ParseRelease(version); ok {
			t.Errorf("%s: %v", version, r)
		}
	}
}
