package preflight_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// recordings is where the answers of real kubelets are.
var recordings = filepath.Join("..", "..", "..", "testdata", "start")

// recorded is a start, and how real kubelets ended it.
type recorded struct {
	ID         string               `json:"id"`
	Kind       kubelet.Kind         `json:"kind"`
	Machine    json.RawMessage      `json:"machine"`
	Config     json.RawMessage      `json:"config"`
	Gates      string               `json:"gates"`
	Containers map[string][2]string `json:"containers"`
	Content    map[string]string    `json:"content"`
	Kubelets   []ending             `json:"kubelets"`
}

// ending is what one kubelet answered.
type ending struct {
	Version      string            `json:"version"`
	Accepted     bool              `json:"accepted"`
	Error        string            `json:"error"`
	Stage        string            `json:"stage"`
	Panic        bool              `json:"panic"`
	Reservation  map[string]string `json:"reservation"`
	ReservedCPUs string            `json:"reservedCPUs"`
	Allocatable  json.RawMessage   `json:"allocatable"`
	State        json.RawMessage   `json:"state"`
	FileChanged  bool              `json:"fileChanged"`
	NotAllocated string            `json:"nodeAllocatableError"`
	Varies       []struct {
		Accepted bool   `json:"accepted"`
		Error    string `json:"error"`
	} `json:"varies"`
}

// TestRecordedStarts holds every answer against those of real kubelets of nine
// releases.
func TestRecordedStarts(t *testing.T) {
	c := checker{t: t}
	for _, r := range readRecorded(t, filepath.Join(recordings, "cases.jsonl.gz")) {
		c.check(r)
	}
	t.Logf("%d answers equal in all parts, %d more are random and all that was seen is possible", c.equal, c.random)
	if c.equal+c.random != 4485 || c.random != 54 {
		t.Errorf("%d answers, %d of them random, want 4485 and 54", c.equal+c.random, c.random)
	}
}

// TestRandomStarts holds the answers against those of real kubelets for
// machines, configurations and states made at random.
func TestRandomStarts(t *testing.T) {
	c := checker{t: t}
	for _, r := range readRecorded(t, filepath.Join(recordings, "extra.jsonl.gz")) {
		c.check(r)
	}
	t.Logf("%d answers equal in all parts, %d more are random and all that was seen is possible", c.equal, c.random)
	if c.equal+c.random != 16319 || c.random != 1009 {
		t.Errorf("%d answers, %d of them random, want 16319 and 1009", c.equal+c.random, c.random)
	}
}

func readRecorded(t testing.TB, name string) (out []recorded) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(zip)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var r recorded
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			out = append(out, r)
		}
		if err != nil {
			return out
		}
	}
}

// content is the file that a release finds.
func (r *recorded) content(release string) (content string, found bool) {
	if content, found = r.Content[release]; !found {
		content, found = r.Content["*"]
	}
	return content, found
}

// question is the start as one release is asked.
func (r *recorded) question(release string) (preflight.Question, error) {
	q := preflight.Question{Releases: []string{release}, Gates: map[string]bool{}, Only: r.Kind, Files: preflight.Files{}}
	for gate := range strings.SplitSeq(r.Gates, ",") {
		if name, value, ok := strings.Cut(gate, "="); ok {
			q.Gates[name] = value == "true"
		}
	}
	if content, found := r.content(release); found {
		name := preflight.CPUManagerState
		if r.Kind == kubelet.Memory {
			name = preflight.MemoryManagerState
		}
		q.Files[name] = []byte(content)
	}
	if len(r.Containers) > 0 {
		q.Containers = map[string]kubelet.ContainerRef{}
		for id, ref := range r.Containers {
			q.Containers[id] = kubelet.ContainerRef{PodUID: ref[0], Name: ref[1]}
		}
	}
	var err error
	if q.Machine, err = preflight.ParseMachine(r.Machine); err != nil {
		return q, err
	}
	q.Config, _ = preflight.ParseConfig(r.Config) // what is wrong with it, the kubelets say as well
	return q, nil
}

// checker counts the answers that are as recorded.
type checker struct {
	t             *testing.T
	equal, random int
}

func (c *checker) check(r recorded) {
	for _, endings := range r.alike() {
		q, err := r.question(endings[0].Version)
		if err != nil {
			c.t.Errorf("%s: %v", r.ID, err)
			continue
		}
		for _, want := range endings[1:] {
			q.Releases = append(q.Releases, want.Version)
		}
		answers, err := preflight.Start(q)
		if err != nil || len(answers) != len(endings) {
			c.t.Errorf("%s: %v, %d answers, want %d", r.ID, err, len(answers), len(endings))
			continue
		}
		for i, want := range endings {
			got := answers[i]
			if faults := compare(r.Kind, got, want); len(faults) > 0 {
				c.t.Errorf("%s on %s:\n\t%s", r.ID, want.Version, strings.Join(faults, "\n\t"))
			} else if got.Random {
				c.random++
			} else {
				c.equal++
			}
		}
	}
}

// alike returns the endings of the starts with the same file, in the order of
// the releases.
func (r *recorded) alike() (all [][]ending) {
	at := map[string]int{}
	for _, e := range r.Kubelets {
		content, found := r.content(e.Version)
		key := fmt.Sprint(found, content)
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], e)
	}
	for _, endings := range all {
		slices.SortFunc(endings, func(a, b ending) int { return strings.Compare(a.Version, b.Version) })
	}
	return all
}

func compare(kind kubelet.Kind, got preflight.Answer, want ending) (faults []string) {
	differ := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			g, _ := json.Marshal(got)
			w, _ := json.Marshal(want)
			faults = append(faults, what+" is "+string(g)+", want "+string(w))
		}
	}
	if got.Undecided != "" {
		return []string{"undecided: " + got.Undecided}
	}
	differ("reservation", emptied(got.Reservation), emptied(want.Reservation))
	differ("reserved CPUs", got.ReservedCPUs, want.ReservedCPUs)
	if len(want.Varies) > 0 || got.Random {
		differ("random", got.Random, true)
		for _, seen := range append(want.Varies, struct {
			Accepted bool   `json:"accepted"`
			Error    string `json:"error"`
		}{want.Accepted, want.Error}) {
			if !slices.Contains(got.Possible, seen.Error) {
				faults = append(faults, "not possible: "+seen.Error)
			}
		}
		if len(want.Varies) == 0 {
			faults = append(faults, "random where nothing varied: "+strings.Join(got.Possible, " | "))
		}
		return faults
	}
	differ("starts", got.Starts, want.Accepted)
	differ("error", got.Error, want.Error)
	differ("stage", got.Stage, want.Stage)
	differ("panics", got.Panics, want.Panic)
	if want.Stage != preflight.StageStarted {
		return faults
	}
	var allocatable, state any
	if kind == kubelet.CPU {
		allocatable, state = got.AllocatableCPUs, got.CPU
	} else {
		allocatable, state = got.AllocatableMemory, got.Memory
	}
	if got.CPUWritten || got.MemoryWritten {
		differ("file written", true, want.FileChanged)
	}
	if want.Allocatable != nil || got.AllocatableCPUs != "" || len(got.AllocatableMemory) > 0 {
		differ("allocatable", plain(allocatable), plain(want.Allocatable))
	}
	differ("state", plain(state), plain(want.State))
	return faults
}

func emptied(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}

// plain is a value as JSON decodes it. Some lists of NUMA nodes of the recorded
// states were sorted in place by the kubelet's comparison, after all else.
func plain(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var out any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return err
	}
	return sortNodes(out)
}

func sortNodes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if list, ok := e.([]any); ok && k == "numaAffinity" {
				slices.SortFunc(list, func(a, b any) int {
					return strings.Compare(string(a.(json.Number)), string(b.(json.Number)))
				})
			}
			v[k] = sortNodes(e)
		}
	case []any:
		for i := range v {
			v[i] = sortNodes(v[i])
		}
	}
	return v
}
