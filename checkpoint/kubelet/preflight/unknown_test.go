package preflight_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// A file that cannot be read leaves what comes before it certain.
func TestUnreadFile(t *testing.T) {
	for _, test := range []struct {
		name, file, want string // the end, or ? and the stage at which nothing is known
		prepare          func(n *node)
	}{
		{"devices, last of all", preflight.DeviceCheckpoint, "?devices", func(*node) {}},
		{"devices, after a failure", preflight.DeviceCheckpoint, "cpu-start", func(n *node) { n.online("7") }},
		{"cpu, before a failure", preflight.CPUManagerState, "?cpu-start", func(n *node) { n.sizes("8589938688", "512") }},
		{"memory, after a failure", preflight.MemoryManagerState, "cpu-start", func(n *node) { n.online("7") }},
		{"claims, after a failure", preflight.DRAManagerState, "reservation", func(n *node) { n.config.EvictionHard = map[string]string{"memory.available": "x"} }},
		{"a file that this release does not read", preflight.PodStatusManager, "started", func(*node) {}},
		{"allocated pods", preflight.AllocatedPods, "?allocated", func(*node) {}},
	} {
		n := newNode(t)
		test.prepare(n)
		q := n.question()
		delete(q.Files, test.file)
		c := preflight.Circumstances{Unknown: preflight.Unknown{Files: map[string]string{test.file: "it is a named pipe"}}}
		before := startOne(t, q)
		steps := slices.Clone(before.Steps)
		a := c.Unknown.Limit([]preflight.Answer{before})[0]
		got := a.Stage
		if a.Undecided != "" {
			got = "?" + got
		}
		if got != test.want || a.Starts != (got == "started") || (a.Error != "") == (a.Starts || a.Undecided != "") {
			t.Errorf("%s: %s, want %s: %+v", test.name, got, test.want, a)
		}
		if !slices.Equal(before.Steps, steps) {
			t.Errorf("%s: the answer itself was changed", test.name)
		}
		unread := slices.ContainsFunc(a.Steps, func(st preflight.Step) bool { return st.Warning == "it is a named pipe" && !st.OK })
		if unread != (got != "started") {
			t.Errorf("%s: %+v", test.name, a.Steps)
		}
		report := preflight.Explain(q, []preflight.Answer{a}, c)
		for _, f := range report.Findings {
			if f.Code == "state-file-missing" {
				t.Errorf("%s: it is not missing: %+v", test.name, f)
			}
		}
	}
}

// Without the configuration, a file of another policy than the default one says
// that there is one, and nothing of the rest.
func TestUnknownConfig(t *testing.T) {
	n := newNode(t)
	n.config = preflight.Config{}
	u := preflight.Unknown{Config: "/c.yaml"}
	q := n.question()
	a := u.Limit([]preflight.Answer{startOne(t, q)})[0]
	if a.Starts || a.Error != "" || !strings.HasPrefix(a.Undecided, "/c.yaml does not exist, and the default configuration is not that of cpu_manager_state") {
		t.Errorf("%+v", a)
	}
	for _, st := range a.Steps[1:] {
		if st.Reached || st.Error != "" {
			t.Errorf("%+v", st)
		}
	}
	report := preflight.Explain(q, []preflight.Answer{a}, preflight.Circumstances{Unknown: u})
	if f := report.Findings; len(f) != 1 || f[0].Code != "start-undecided" || !strings.Contains(f[0].Hint, "--config=") || len(report.Advice) != 0 {
		t.Errorf("%+v", report)
	}
	n.cpu, n.memory = &kubelet.CPUState{PolicyName: "none"}, &kubelet.MemoryState{PolicyName: "None"}
	if a := u.Limit([]preflight.Answer{startOne(t, n.question())})[0]; !a.Starts {
		t.Errorf("%+v", a)
	}
}

// One of two files is gone: the pods of the other are not known to its manager.
func TestMissingFile(t *testing.T) {
	for file, other := range map[string]string{preflight.CPUManagerState: preflight.MemoryManagerState, preflight.MemoryManagerState: preflight.CPUManagerState} {
		n := newNode(t)
		q := n.question()
		delete(q.Files, file)
		codes := func() (all []string) {
			for _, f := range preflight.Explain(q, []preflight.Answer{startOne(t, q)}, preflight.Circumstances{}).Findings {
				all = append(all, f.Code+" "+f.Path)
			}
			return all
		}
		if got := codes(); !slices.Equal(got, []string{"state-file-missing " + file}) {
			t.Errorf("without %s: %q", file, got)
		}
		delete(q.Files, other)
		if got := codes(); got != nil {
			t.Errorf("without both: %q", got)
		}
	}
}

// The cause is said in words where the kubelet's text does not name it.
func TestCause(t *testing.T) {
	for want, prepare := range map[string]func(n *node){
		"CPU 7 of the file is not there":                func(n *node) { n.online("7") },
		"node 0 has 4096 bytes more than the file says": func(n *node) { n.sizes("8589938688,8589934592", "512") },
		"": func(*node) {},
	} {
		n := newNode(t)
		prepare(n)
		if got := startOne(t, n.question()).Cause(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
