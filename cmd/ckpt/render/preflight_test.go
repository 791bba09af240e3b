package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// nasty is a node of which every name is meant to harm a terminal.
func nasty(t testing.TB) Preflight {
	t.Helper()
	const evil = "\x1b[2J\u202epod\n\"\\\u2028"
	failed := preflight.Step{Stage: preflight.StageCPUStart, Error: "pod: " + evil + " overlaps", Path: "entries." + evil, File: evil, Machine: strings.Repeat("1,", 400) + "1"}
	passed := preflight.Step{Stage: preflight.StageConfig, OK: true}
	warned := preflight.Step{Stage: preflight.StageDevices, OK: true, Path: evil, Warning: "the kubelet forgets " + evil}
	a := preflight.Answer{Release: "1.36", Error: failed.Error, Stage: failed.Stage, Steps: []preflight.Step{passed, failed, failed, failed, failed, warned}}
	b := a
	b.Release = "1.37"
	c := preflight.Answer{Release: "1.35", Starts: true, Stage: preflight.StageStarted, ReservedCPUs: evil, Steps: []preflight.Step{passed, warned}}
	d := preflight.Answer{Release: "1.34", Random: true, Error: evil, Possible: []string{evil, ""}, Stage: failed.Stage, Steps: []preflight.Step{failed}}
	e := preflight.Answer{Release: "1.33", Undecided: evil, Steps: []preflight.Step{{Stage: preflight.StageCPUNew, Warning: evil}}}
	f := preflight.Answer{Release: "1.32", Error: "panic: " + evil, Panics: true, Steps: []preflight.Step{failed}}
	var lost []preflight.Holder
	for range maxHolders + 3 {
		lost = append(lost, preflight.Holder{Pod: evil, CPUs: evil, Memory: map[string]uint64{evil: 1 << 30}, Devices: map[string]int{evil: 3}})
	}
	return Preflight{Answers: []preflight.Answer{f, e, d, c, a, b}, Plan: []string{evil}, Now: []preflight.Answer{c},
		Report: preflight.Report{
			Findings: []kubelet.Finding{{Code: "some-code", Severity: kubelet.SeverityError, Message: evil}, {Code: "other-code", Severity: kubelet.SeverityWarning, Message: evil, Hint: evil}},
			Advice:   []preflight.Advice{{Code: "some-code", File: evil, Do: evil, Instead: []string{evil}, Deleting: evil, Lost: lost}},
		}}
}

func TestPreflightSafety(t *testing.T) {
	pf := nasty(t)
	for _, width := range []int{40, 80, 200} {
		var page bytes.Buffer
		if err := WritePreflight(&page, Table, pf, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		checkText(t, page.String(), width)
	}
	var line, metrics, doc bytes.Buffer
	for form, out := range map[Format]*bytes.Buffer{NPD: &line, Prom: &metrics, JSON: &doc} {
		if err := WritePreflight(out, form, pf, Options{}); err != nil {
			t.Fatal(err)
		}
		checkText(t, out.String(), 0)
	}
	if n := line.Len() - 1; n > npdBytes || strings.Count(line.String(), "\n") != 1 {
		t.Errorf("%d bytes for node-problem-detector: %q", n, line.String())
	}
	for _, r := range line.String() {
		if r > '~' {
			t.Errorf("%q is not ASCII", r)
		}
	}
	if strings.Contains(metrics.String(), "pod") {
		t.Errorf("a pod's name in a metric:\n%s", metrics.String())
	}
	var back struct {
		Kubelets []preflight.Answer
	}
	if err := json.Unmarshal(doc.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if got, want := back.Kubelets[0].Error, pf.Answers[0].Error; got != want {
		t.Errorf("JSON changes the error to %q from %q", got, want)
	}
}

// The first line says it all.
func TestPreflightHeadline(t *testing.T) {
	ok := preflight.Answer{Starts: true, Stage: preflight.StageStarted, Steps: []preflight.Step{{Stage: preflight.StageConfig, OK: true}}}
	bad := preflight.Answer{Error: "no", Stage: preflight.StageCPUNew, Steps: []preflight.Step{{Stage: preflight.StageCPUNew, Error: "no"}}}
	but := preflight.Answer{Starts: true, Steps: []preflight.Step{{Stage: preflight.StageDevices, OK: true, Warning: "the kubelet forgets x"}}}
	chance := preflight.Answer{Random: true, Error: "no", Stage: preflight.StageMemoryStart, Possible: []string{"no", ""}, Steps: []preflight.Step{{Stage: preflight.StageMemoryStart, Error: "no"}}}
	release := func(a preflight.Answer, name string) preflight.Answer { a.Release = name; return a }
	for _, test := range []struct {
		answers []preflight.Answer
		want    string
		line    string
	}{
		{[]preflight.Answer{release(ok, "1.37")}, "kubelet 1.37 starts.", "kubelet 1.37 starts with these files here"},
		{[]preflight.Answer{release(bad, "1.37")}, "kubelet 1.37 does not start: no.", "kubelet 1.37 does not start (cpu-new): no"},
		{[]preflight.Answer{release(but, "1.37")}, "kubelet 1.37 starts, but it forgets x.", "kubelet 1.37 starts with these files here"},
		{[]preflight.Answer{release(chance, "1.37")}, "kubelet 1.37 may or may not start, by chance: no.", "kubelet 1.37 may or may not start, by chance (memory-start): no"},
		{[]preflight.Answer{release(bad, "1.35"), release(ok, "1.36"), release(ok, "1.37")}, "kubelets 1.36–1.37 start; kubelet 1.35 does not start: no.", "kubelet 1.35 does not start (cpu-new): no"},
		{[]preflight.Answer{release(ok, "1.30"), release(ok, "1.37")}, "kubelets 1.30 and 1.37 start.", "kubelets 1.30 and 1.37 start with these files here"},
	} {
		var page bytes.Buffer
		if err := WritePreflight(&page, Table, Preflight{Answers: test.answers}, Options{}); err != nil {
			t.Fatal(err)
		}
		if first, _, _ := strings.Cut(page.String(), "\n"); first != test.want {
			t.Errorf("%q, want %q", first, test.want)
		}
		if line := preflightLine(Preflight{Answers: test.answers}); line != test.line {
			t.Errorf("%q, want %q", line, test.line)
		}
	}
}

func TestMachineSafety(t *testing.T) {
	m := Machine{NoNUMA: true, Lost: "\x1b[2J", Notes: []string{"a\nb\u202e"}}
	for i := range 300 {
		m.Nodes = append(m.Nodes, preflight.Node{ID: i, Cores: []preflight.Core{{Socket: i, Threads: []int{2 * i}}}})
	}
	for _, width := range []int{40, 80} {
		var out bytes.Buffer
		if err := MachineTable(&out, m, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		checkText(t, out.String(), width)
	}
}
