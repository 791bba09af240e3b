package preflight_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// notReached are the stages that are not judged, or not to their end.
func notReached(a preflight.Answer) (stages []string) {
	for _, s := range a.Steps {
		if !s.Reached {
			stages = append(stages, s.Stage)
		}
		if s.OK && (!s.Reached || s.Error != "") || !s.Reached && s != (preflight.Step{Stage: s.Stage}) {
			stages = append(stages, "contradiction in "+s.Stage)
		}
	}
	return stages
}

// TestReached: what cannot be judged is not called good, and what can be is.
func TestReached(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(n *node)
		open    []string
		failing []string // stages
	}{
		{"all is good", func(*node) {}, nil, nil},
		{"unknown CPU option", func(n *node) { n.option("bogus") }, []string{"cpu-new", "cpu-start"}, []string{"cpu-new"}},
		{"unknown CPU option, overlap", func(n *node) {
			n.option("bogus")
			n.cpu.DefaultCPUSet = "0-15"
		}, []string{"cpu-new", "cpu-start"}, []string{"cpu-new", "cpu-start"}},
		{"unknown CPU policy", func(n *node) { n.config.CPUManagerPolicy = "x" }, []string{"cpu-start"}, []string{"cpu-new"}},
		{"unknown memory policy", func(n *node) { n.config.MemoryManagerPolicy = "x" }, []string{"memory-start"}, []string{"memory-new"}},
		{"bad threshold", func(n *node) { n.config.EvictionHard["memory.available"] = "x" },
			[]string{"memory-new", "node-allocatable"}, []string{"reservation"}},
		{"bad threshold, less memory", func(n *node) {
			n.config.EvictionHard["memory.available"] = "x"
			n.sizes("8589930496", "512")
		}, []string{"memory-new", "node-allocatable"}, []string{"reservation", "memory-start"}},
		{"bad CPUs", func(n *node) { n.config.SystemReserved["cpu"] = "x" },
			[]string{"cpu-new", "cpu-start", "node-allocatable"}, []string{"reservation"}},
		{"no memory reserved", func(n *node) { n.config.ReservedMemory = nil }, []string{"memory-start"}, []string{"memory-new"}},
	} {
		n := newNode(t)
		c.prepare(n)
		a := startOne(t, n.question())
		if diff := cmp.Diff(c.open, notReached(a)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		var failed []string
		for _, s := range a.Steps {
			if s.Reached && !s.OK {
				failed = append(failed, s.Stage)
			}
		}
		if diff := cmp.Diff(c.failing, slices.Compact(failed)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestBrokenConfigJudgesNoFile: of a configuration that no kubelet reads,
// nothing follows for the state files.
func TestBrokenConfigJudgesNoFile(t *testing.T) {
	q := newNode(t).question()
	q.Files[preflight.DeviceCheckpoint] = []byte("no")
	for name, config := range map[string]preflight.Config{
		"empty": preflight.Broken("was empty", false),
		"a number": func() preflight.Config {
			c, _ := preflight.ParseConfig([]byte(`{"systemReserved":{"memory":0.5}}`))
			return c
		}(),
	} {
		q.Config = config
		a := startOne(t, q)
		if a.Starts || a.Stage != preflight.StageConfig || len(a.Steps) != 12 || len(notReached(a)) != 11 {
			t.Errorf("%s: %+v", name, a)
		}
		report := preflight.Explain(q, []preflight.Answer{a}, preflight.Circumstances{})
		if len(report.Findings) != 1 || len(report.Advice) != 1 || report.Findings[0].Code != "config-refused" || strings.Contains(report.Advice[0].Do, "delete") {
			t.Errorf("%s: %+v", name, report)
		}
	}
}
