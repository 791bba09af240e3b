package preflight_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// FuzzParseConfig: any text is decided on, and what is refused starts nowhere.
func FuzzParseConfig(f *testing.F) {
	for _, r := range readRecorded(f, filepath.Join(recordings, "cases.jsonl.gz"))[:100] {
		f.Add([]byte(r.Config))
	}
	for _, s := range []string{"", "null", "[]", "{", `{"evictionHard":null}`, `{"evictionHard":{}} x`, `{"featureGates":{"MemoryManager":false}}`,
		`{"reservedMemory":[null,{"numaNode":1e9,"limits":{"memory":"1Gi"}}]}`, `{"reservedSystemCPUs":"0-999999999999"}`, `{"cpuManagerPolicy":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		c, err := preflight.ParseConfig(doc)
		answers, fault := preflight.Start(preflight.Question{Config: c, Machine: preflight.Machine{CPUs: 2, Sockets: 1,
			Nodes: []preflight.Node{{Memory: 1 << 30, Cores: []preflight.Core{{Threads: []int{0}}, {Threads: []int{1}}}}}}})
		if fault != nil {
			t.Fatal(fault)
		}
		for _, a := range answers {
			sound(t, a)
			if err != nil && (a.Starts || a.Stage != preflight.StageConfig) {
				t.Errorf("refused (%v), and yet %s goes on to %s", err, a.Release, a.Stage)
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is not one line", err)
		}
	})
}

// FuzzStart: any machine, configuration and files are decided on.
func FuzzStart(f *testing.F) {
	for i, r := range readRecorded(f, filepath.Join(recordings, "cases.jsonl.gz")) {
		if i%5 == 0 {
			f.Add([]byte(r.Machine), []byte(r.Config), []byte(r.Content["*"]), r.Kind == kubelet.CPU, r.Gates != "")
		}
	}
	f.Fuzz(func(t *testing.T, machine, config, file []byte, cpu, gates bool) {
		m, err := preflight.ParseMachine(machine)
		if err != nil || len(file) > 1<<16 {
			return
		}
		q := preflight.Question{Machine: m, Files: preflight.Files{}, Gates: map[string]bool{}}
		q.Config, _ = preflight.ParseConfig(config)
		if q.Only = kubelet.Memory; cpu {
			q.Only = kubelet.CPU
		}
		for _, name := range []string{preflight.CPUManagerState, preflight.MemoryManagerState, preflight.AllocatedPods} {
			if len(file) > 0 {
				q.Files[name] = file
			}
		}
		for _, gate := range []string{"CPUManagerPolicyAlphaOptions", "PodLevelResourceManagers"} {
			q.Gates[gate] = gates
		}
		answers, err := preflight.Start(q)
		if err != nil {
			t.Fatal(err) // what ParseMachine takes is not too large
		}
		for _, a := range answers {
			sound(t, a)
		}
		adoptSoundly(t, q)
		q.Only = ""
		all, err := preflight.Start(q)
		if err != nil || len(all) != len(answers) {
			t.Fatalf("%d answers, %v", len(all), err)
		}
		for i, a := range all {
			if sound(t, a); a.Starts && !answers[i].Starts && answers[i].Stage != preflight.StageDisabled {
				t.Errorf("%s starts as a whole, but not %s alone", a.Release, q.Only)
			}
		}
	})
}

// adoptSoundly: what is adopted was refused and is accepted, and nothing that is
// held has moved.
func adoptSoundly(t *testing.T, q preflight.Question) {
	t.Helper()
	q.Releases = []string{"1.37"}
	for _, file := range []string{preflight.CPUManagerState, preflight.MemoryManagerState} {
		a, err := preflight.Adopt(q, file)
		if err != nil {
			continue
		}
		if a.Before.Starts || !a.After.Starts || len(a.Bytes) == 0 {
			t.Errorf("adopted %s: before %q, after %q", file, a.Before.Error, a.After.Error)
		}
		for _, c := range a.Changes {
			if strings.HasPrefix(c.Path, "entries") || strings.HasPrefix(c.Path, "podEntries") {
				t.Errorf("adopted %s by moving %+v", file, c)
			}
		}
	}
}

// sound holds an answer against itself.
func sound(t *testing.T, a preflight.Answer) {
	t.Helper()
	fails := slices.ContainsFunc(a.Steps, func(s preflight.Step) bool { return !s.OK })
	switch {
	case a.Undecided != "":
		if a.Starts || a.Error != "" {
			t.Errorf("undecided (%s), yet %+v", a.Undecided, a)
		}
	case a.Starts == (a.Error != ""), a.Starts == fails, a.Stage == "":
		t.Errorf("starts %t at %q with %q, steps fail %t", a.Starts, a.Stage, a.Error, fails)
	case a.Random != (len(a.Possible) > 1), a.Random && !slices.Contains(a.Possible, a.Error):
		t.Errorf("random %t, %q of %q", a.Random, a.Error, a.Possible)
	}
	if strings.HasPrefix(a.Error, "panic: ") != a.Panics {
		t.Errorf("panics %t with %q", a.Panics, a.Error)
	}
}
