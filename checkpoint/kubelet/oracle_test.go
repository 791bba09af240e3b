package kubelet

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testdata = "../../testdata"

// judged is a file with what real kubelets answered.
type judged struct {
	Name       string               `json:"name"`
	Base       string               `json:"base"`
	FileName   string               `json:"fileName"`
	Kind       Kind                 `json:"kind"`
	Policy     string               `json:"policy"`
	Containers map[string][2]string `json:"containers"`
	Content    *string              `json:"content"`
	B64        []byte               `json:"b64"`
	Kubelets   map[string]struct {
		Accepted  bool   `json:"accepted"`
		Error     string `json:"error"`
		SameState bool   `json:"sameStateAsUnmutated"`
		Panic     bool   `json:"panic"`
	} `json:"kubelets"`
}

func (j *judged) blob() []byte {
	if j.Content != nil {
		return []byte(*j.Content)
	}
	return j.B64
}

func (j *judged) options() Options {
	o := Options{Kind: j.Kind, FileName: j.FileName, Policy: j.Policy, Containers: map[string]ContainerRef{}}
	for id, ref := range j.Containers {
		o.Containers[id] = ContainerRef{ref[0], ref[1]}
	}
	return o
}

func readJudged(t testing.TB, file string) []judged {
	t.Helper()
	return readLines[judged](t, file)
}

// readLines reads a compressed file of one JSON value a line.
func readLines[T any](t testing.TB, file string) (all []T) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, v)
	}
	if lines.Err() != nil || len(all) == 0 {
		t.Fatalf("%s: %d lines, %v", file, len(all), lines.Err())
	}
	return all
}

// label is how the tables name a kubelet: "1.37[PX]".
func (a Answer) label() string {
	letters := ""
	if a.Gates[GatePodLevelResourceManagers] {
		letters = "P"
	}
	if a.Gates[GateExclusiveCPUResize] {
		letters += "X"
	}
	if letters == "" {
		return a.Release
	}
	return a.Release + "[" + letters + "]"
}

// base reads the unchanged file, which lies under the oldest release that
// wrote the same bytes.
func readBase(t testing.TB, index map[string]golden, base string) []byte {
	g, ok := index[base]
	if !ok {
		t.Fatalf("no golden for %s", base)
	}
	return g.read(t)
}

// golden is a file written by real kubelets.
type golden struct {
	File    string `json:"file"`
	Kind    Kind   `json:"kind"`
	Policy  string `json:"policy"`
	Writers []struct {
		Writer string `json:"writer"`
		Case   string `json:"case"`
		Gates  string `json:"gates"`
		Origin string `json:"origin"`
	} `json:"writers"`
	State      json.RawMessage      `json:"state"`
	Containers map[string][2]string `json:"containers"`
}

func (g golden) read(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testdata, "kubelets", g.File))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (g golden) options() Options {
	return (&judged{Kind: g.Kind, Policy: g.Policy, Containers: g.Containers}).options()
}

func goldens(t testing.TB) []golden {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testdata, "kubelets", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// goldensByWriter indexes them as KIND/PATCH/CASE.json.
func goldensByWriter(t testing.TB) map[string]golden {
	out := map[string]golden{}
	for _, g := range goldens(t) {
		for _, w := range g.Writers {
			out[string(g.Kind)+"/"+w.Writer+"/"+w.Case+".json"] = g
		}
	}
	return out
}

// TestMutations holds every answer against that of the real kubelet.
func TestMutations(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testdata, "mutations", "*.jsonl.gz"))
	if len(files) < 18 {
		t.Fatalf("%d files of mutations", len(files))
	}
	index := goldensByWriter(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), func(t *testing.T) {
			t.Parallel()
			for _, j := range readJudged(t, file) {
				base := map[string]string{}
				for _, a := range Judge(readBase(t, index, j.Base), j.options()).Kubelets {
					base[a.label()] = stateText(t, a)
				}
				compareAnswers(t, &j, base)
			}
		})
	}
}

func TestReports(t *testing.T) {
	for _, j := range readJudged(t, filepath.Join(testdata, "reports", "verdicts.jsonl.gz")) {
		onDisk, err := os.ReadFile(filepath.Join(testdata, "reports", j.Name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(onDisk, j.blob()) {
			t.Errorf("%s is not the file that was judged", j.Name)
		}
		compareAnswers(t, &j, nil)
	}
}

// compareAnswers compares our answers with the kubelets'. base holds the
// states restored from the unchanged file.
func compareAnswers(t *testing.T, j *judged, base map[string]string) {
	t.Helper()
	v := Judge(j.blob(), j.options())
	if len(v.Kubelets) != len(j.Kubelets) {
		t.Errorf("%s: %d answers, kubelets gave %d", j.Name, len(v.Kubelets), len(j.Kubelets))
	}
	for _, a := range v.Kubelets {
		want, ok := j.Kubelets[a.label()]
		if !ok {
			t.Errorf("%s: no kubelet %s was asked", j.Name, a.label())
			continue
		}
		name := j.Base + " " + j.Name + " " + a.label()
		if accepted := a.Verdict != Refused; accepted != want.Accepted {
			t.Errorf("%s: %s (%s), the kubelet: accepted %v %s", name, a.Verdict, a.Error, want.Accepted, want.Error)
			continue
		}
		if a.Panics != want.Panic {
			t.Errorf("%s: panics %v, the kubelet: %v", name, a.Panics, want.Panic)
		}
		if a.Error != want.Error && !(a.Random && sameButNames(a.Error, want.Error)) {
			t.Errorf("%s:\n    %s\nthe kubelet:\n    %s", name, a.Error, want.Error)
		}
		if base != nil && want.Accepted {
			if same := stateText(t, a) == base[a.label()]; same != want.SameState {
				t.Errorf("%s: same state %v, the kubelet: %v\n    %.300s\n    %.300s", name, same, want.SameState, stateText(t, a), base[a.label()])
			}
		}
	}
}

// sameButNames compares errors that name one of several offenders by map order.
func sameButNames(a, b string) bool {
	cut := func(s string) string {
		parts := strings.FieldsFunc(s, func(r rune) bool { return r == '"' || r == '\'' })
		for i := 1; i < len(parts); i += 2 {
			parts[i] = ""
		}
		if len(parts) > 0 {
			parts[len(parts)-1] = ""
		}
		return strings.Join(parts, "'")
	}
	return strings.HasPrefix(b, cutAt(a, "parse")) || cut(a) == cut(b)
}

func cutAt(s, word string) string {
	before, _, _ := strings.Cut(s, word)
	return before + word
}

func stateText(t testing.TB, a Answer) string {
	t.Helper()
	if a.State() == nil {
		return ""
	}
	b, err := json.Marshal(a.State())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
