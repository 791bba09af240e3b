package preflight_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// TestGateFaults holds the texts for what cannot be set. Of several gates, any
// comes first, and from 1.31 on all that are met are printed together.
func TestGateFaults(t *testing.T) {
	const (
		unknown = "unrecognized feature gate: "
		locked  = "cannot set feature gate CPUManagerPolicyOptions to false, feature is locked to true"
		needs   = "PodLevelResourceManagers is enabled, but depends on features that are disabled: [PodLevelResources]"
	)
	for _, c := range []struct {
		releases, gates string
		want            []string
	}{
		{"1.29 1.33 1.37", "NoSuchGate", []string{unknown + "NoSuchGate"}},
		{"1.29 1.33 1.37", "NoSuchGate=false", []string{unknown + "NoSuchGate"}},
		{"1.36 1.37", "MemoryManager", []string{unknown + "MemoryManager"}},
		{"1.29 1.35", "MemoryManager", nil},
		{"1.29 1.37", "LoggingAlphaOptions,ContextualLogging,AllAlpha=false", nil},
		{"1.33 1.37", "CPUManagerPolicyOptions=false", []string{locked}},
		{"1.29 1.32", "CPUManagerPolicyOptions=false", nil},
		{"1.36 1.37", "PodLevelResourceManagers", nil},
		{"1.36", "PodLevelResourceManagers,PodLevelResources=false,InPlacePodLevelResourcesVerticalScaling=false", []string{needs}},
		{"1.30", "A,B", []string{unknown + "A", unknown + "B"}},
		{"1.33", "A,B", []string{unknown + "A", unknown + "B"}},
		{"1.33", "A,CPUManagerPolicyOptions=false", []string{unknown + "A", "[" + locked + ", " + unknown + "A]"}},
	} {
		for release := range strings.FieldsSeq(c.releases) {
			q := preflight.Question{Releases: []string{release}, Machine: preflight.Machine{CPUs: 1, MemoryCapacity: 1 << 30}}
			q.Config.FeatureGates = gates(c.gates)
			a := startOne(t, q)
			got := a.Possible
			if !a.Random && !a.Starts {
				got = []string{a.Error}
			}
			for i := range got {
				got[i] = strings.TrimPrefix(got[i], "failed to set feature gates from initial flags-based config: ")
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s on %s (-want +got):\n%s", c.gates, release, diff)
			}
		}
	}
}

// TestStages: AllAlpha and AllBeta stand for the gates that are not set
// themselves, and the command line is above the file.
func TestStages(t *testing.T) {
	for _, c := range []struct{ release, flags, file, want string }{
		{"1.31", "", "AllAlpha", "CPUManagerPolicyAlphaOptions,DynamicResourceAllocation,InPlacePodVerticalScaling,TopologyManagerPolicyAlphaOptions"},
		{"1.31", "", "AllAlpha,InPlacePodVerticalScaling=false,DynamicResourceAllocation=false", "CPUManagerPolicyAlphaOptions,TopologyManagerPolicyAlphaOptions"},
		{"1.37", "", "AllBeta=false", "CPUManagerPolicyBetaOptions=false,TopologyManagerPolicyBetaOptions=false"},
		{"1.37", "PodLevelResourceManagers=false", "AllBeta", ""},
		{"1.37", "", "AllBeta", "PodLevelResourceManagers"},
		{"1.36", "", "AllBeta", ""},
		{"1.37", "CPUManagerPolicyAlphaOptions=false", "CPUManagerPolicyAlphaOptions", ""},
		{"1.37", "CPUManagerPolicyAlphaOptions", "CPUManagerPolicyAlphaOptions=false", "CPUManagerPolicyAlphaOptions"},
		{"1.37", "AllAlpha=false", "AllAlpha", ""},
	} {
		q := preflight.Question{Releases: []string{c.release}, Gates: gates(c.flags), Machine: preflight.Machine{CPUs: 1, MemoryCapacity: 1 << 30}}
		q.Config.FeatureGates = gates(c.file)
		if diff := cmp.Diff(gates(c.want), startOne(t, q).Gates); diff != "" {
			t.Errorf("--feature-gates %q over %q on %s (-want +got):\n%s", c.flags, c.file, c.release, diff)
		}
	}
}

// gates reads A,B=false.
func gates(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.SplitSeq(list, ",") {
		if name, value, _ := strings.Cut(word, "="); name != "" {
			out[name] = value != "false"
		}
	}
	return out
}

// TestGateTable: whoever adds a release finds each line in its form, sorted,
// and no gate that needs one that is not there.
func TestGateTable(t *testing.T) {
	text, err := os.ReadFile("feature_gates.txt")
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^[A-Z]\w+( 1\.\d\d=((alpha|beta|ga|deprecated),(on|off)(,locked)?(,needs:[A-Z]\w+(\+[A-Z]\w+)*)?|gone))+$`)
	var names, needed []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !form.MatchString(line) {
			t.Errorf("%q is not of the form %s", line, form)
		}
		name, _, _ := strings.Cut(line, " ")
		names = append(names, name)
		for _, needs := range regexp.MustCompile(`needs:([^\s,]+)`).FindAllStringSubmatch(line, -1) {
			needed = append(needed, strings.Split(needs[1], "+")...)
		}
	}
	if !slices.IsSorted(names) {
		t.Error("the gates are not sorted")
	}
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("a gate has two lines")
	}
	for _, name := range needed {
		if _, found := slices.BinarySearch(names, name); !found {
			t.Errorf("%s is needed, and has no line", name)
		}
	}
}
