package kubelet

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Of a file that breaks off in its data half, the legacy half is a file by
// itself. It holds less, and so is taken only if it is chosen.
func TestRepairTakesHalf(t *testing.T) {
	for _, name := range []string{"cpu/1.37/static-3pods.json", "memory/1.37/static-2numa-hugepages.json", "cpu/1.37/static-pod-level-baselines+PLRM+EXCL.json"} {
		old := goldenByFile(t, name).read(t)
		content := Judge(old, Options{}).Content
		start := bytes.Index(old, []byte(`"data":`))
		for cut := start + 8; cut < len(old)-1; cut += 23 {
			blob := old[:cut]
			o := Options{Releases: []string{"1.37"}}
			fix := Fix{Explanations: Diagnose(context.Background(), blob, DiagnoseOptions{})}
			var no *RepairError
			if _, err := Repair(blob, fix, o); !errors.As(err, &no) || no.Reason != RepairHalf || len(no.Gone) == 0 {
				t.Errorf("%s cut at %d, unchosen: %v", name, cut, err)
			}
			fix.Apply = 1
			out, err := Repair(blob, fix, o)
			if err != nil {
				t.Fatalf("%s cut at %d: %v", name, cut, err)
			}
			if !accepted(out.Bytes, o) || len(out.Gone) == 0 || !out.Half {
				t.Errorf("%s cut at %d: %v", name, cut, out.Gone)
			}
			for _, c := range Changes(content, out.After.Content) {
				if !strings.HasPrefix(c.Path, "podEntries") && !strings.HasPrefix(c.Path, "baselines") {
					t.Errorf("%s cut at %d: %+v", name, cut, c)
				}
			}
		}
	}
}

// What is still legible of the other half is named, before and behind the damage.
func TestRepairNamesLost(t *testing.T) {
	const pod = `data.podEntries["922acc1f-d886-5cc8-b44f-9ca08bae216a"]: 2-9`
	old := goldenByFile(t, "cpu/1.37/static-pod-level-baselines+PLRM+EXCL.json").read(t)
	for _, tt := range []struct {
		name, zero string
		want       []string
	}{
		{"behind", `baseline\":\"`, []string{pod, `data.baselines["922acc1f-d886-5cc8-b44f-9ca08bae216a"], which is damaged itself`}},
		{"within", `\"2-9`, []string{`data.podEntries["922acc1f-d886-5cc8-b44f-9ca08bae216a"], which is damaged itself`}},
		{"before", `podEntries`, []string{pod}},
	} {
		blob := bytes.Replace(old, []byte(tt.zero), bytes.Repeat([]byte{0}, len(tt.zero)), 1)
		fix := Fix{Explanations: Diagnose(context.Background(), blob, DiagnoseOptions{}), Apply: 1}
		out, err := Repair(blob, fix, Options{})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if want := append(tt.want, onlyInData(CPU)); !slices.Equal(out.Gone, want) {
			t.Errorf("%s: gone %q, want %q", tt.name, out.Gone, want)
		}
	}
}

// A result at which a kubelet stops must be chosen, and tells its faults.
func TestRepairFaulty(t *testing.T) {
	old := goldenByFile(t, "memory/1.37/static-pod-level+PLRM.json").read(t)
	blob := old[:bytes.Index(old, []byte(`"data"`))+200]
	list := Diagnose(context.Background(), blob, DiagnoseOptions{})
	var no *RepairError
	if _, err := Repair(blob, Fix{Explanations: list}, Options{}); !errors.As(err, &no) || len(no.Faults) != 1 {
		t.Errorf("unchosen: %v", err)
	}
	out, err := Repair(blob, Fix{Explanations: list, Apply: 1}, Options{})
	if err != nil || len(out.Faults()) != 1 || out.Faults()[0].Code != codeMachineState {
		t.Errorf("chosen: %v, %+v", err, out.Faults())
	}

	// Not only halves: here the edit is certain, and what was there before it is wrong.
	twice := replacing(`"0-1,4-15"`, `"0-15"`)(goldenByFile(t, "cpu/1.29/static-1pod-1ctr.json").read(t))
	sealed, err := Repair(twice, Fix{Reseal: true}, Options{})
	if err != nil || len(sealed.Faults()) == 0 {
		t.Fatalf("resealed: %v, %+v", err, sealed.Faults())
	}
	blob = sealed.Bytes[:len(sealed.Bytes)-1]
	list = Diagnose(context.Background(), blob, DiagnoseOptions{})
	if _, err := Repair(blob, Fix{Explanations: list}, Options{}); !errors.As(err, &no) || no.Reason != RepairFaulty || len(no.Faults) != 1 {
		t.Errorf("bracket of a faulty file: %v", err)
	}
	// What was wrong already, and could be seen, is no reason to refuse.
	blob = replacing("2-3", "2-4")(sealed.Bytes)
	list = Diagnose(context.Background(), blob, DiagnoseOptions{})
	if out, err := Repair(blob, Fix{Explanations: list}, Options{}); err != nil || len(out.Faults()) != 1 || !bytes.Equal(out.Bytes, sealed.Bytes) {
		t.Errorf("edit over a fault: %v", err)
	}
}

// The last bracket alone belongs to no half, unless the file lacks CPUs as well.
func TestRepairLastBracket(t *testing.T) {
	half := goldenByFile(t, "cpu/1.37/static-pod-level+PLRM.json").read(t)
	for name, tt := range map[string]struct {
		blob []byte
		want string
	}{
		"older file":     {goldenByFile(t, "cpu/1.29/static-3pods.json").read(t), ""},
		"newer file":     {half, ""},
		"half of a file": {append(bytes.Clone(half[:bytes.Index(half, []byte(`,"data"`))]), '}'), RepairHalf},
	} {
		blob := tt.blob[:len(tt.blob)-1]
		list := Diagnose(context.Background(), blob, DiagnoseOptions{})
		out, err := Repair(blob, Fix{Explanations: list}, Options{})
		var no *RepairError
		switch {
		case tt.want == "" && (err != nil || out.Half || !bytes.Equal(out.Bytes, tt.blob)):
			t.Errorf("%s: %v, %.300s", name, err, out.Bytes)
		case tt.want != "" && (!errors.As(err, &no) || no.Reason != tt.want):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An explanation that nothing can be undone by is not offered.
func TestRepairOffersNothingLost(t *testing.T) {
	blob := goldenByFile(t, "cpu/1.29/static-1pod-1ctr.json").read(t)
	missing := Explanation{Kind: KindMissing, Path: "entries", Confidence: Possible, Offset: -1}
	value := Explanation{Kind: KindValue, Path: "policyName", Old: "static", Confidence: Possible, Offset: -1}
	broken := replacing(`"static"`, `"statig"`)(blob)
	var no *RepairError
	if _, err := Repair(broken, Fix{Explanations: []Explanation{missing}}, Options{}); !errors.As(err, &no) || no.Reason != RepairLost {
		t.Errorf("one, lost: %v", err)
	}
	if _, err := Repair(broken, Fix{Explanations: []Explanation{missing, value}}, Options{}); !errors.As(err, &no) || no.Reason != RepairSeveral || !slices.Equal(no.Lost, []int{1}) {
		t.Errorf("two, one lost: %v, %v", err, no.Lost)
	}
}
