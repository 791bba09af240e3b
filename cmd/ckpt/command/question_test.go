package command

import (
	"maps"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

func TestParseRelease(t *testing.T) {
	tests := []struct {
		text, want string
		ok         bool
	}{
		{"1.37", "1.37", true},
		{"v1.37", "1.37", true},
		{"v1.35.4", "1.35", true},
		{"1.35.4+k3s1", "1.35", true},
		{"1.2", "", false},
		{"1", "", false},
		{"", "", false},
		{"2.35", "", false},
		{"kubelet 1.35", "", false},
	}
	for _, tt := range tests {
		got, err := parseRelease(tt.text)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("parseRelease(%q) = %q, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}

func TestParseGate(t *testing.T) {
	tests := []struct {
		text string
		name string
		on   bool
		ok   bool
	}{
		{"PodLevelResourceManagers=true", "PodLevelResourceManagers", true, true},
		{"PodLevelResourceManagers=false", "PodLevelResourceManagers", false, true},
		{"PodLevelResourceManagers", "", false, false},
		{"PodLevelResourceManagers=yes", "", false, false},
		{"podlevelresourcemanagers=true", "", false, false},
		{"=true", "", false, false},
	}
	for _, tt := range tests {
		name, on, err := parseGate(tt.text)
		if name != tt.name || on != tt.on || (err == nil) != tt.ok {
			t.Errorf("parseGate(%q) = %q, %t, %v, want %q, %t", tt.text, name, on, err, tt.name, tt.on)
		}
	}
}

func TestSpelled(t *testing.T) {
	tests := []struct {
		policy string
		kind   kubelet.Kind
		want   string
	}{
		{"static", kubelet.CPU, "static"},
		{"Static", kubelet.CPU, "static"},
		{"static", kubelet.Memory, "Static"},
		{"none", kubelet.Memory, "None"},
		{"bestEffort", kubelet.Memory, "BestEffort"},
		{"BestEffort", kubelet.CPU, ""},
		{"static", kubelet.Device, ""},
		{"", kubelet.CPU, ""},
	}
	for _, tt := range tests {
		if got := spelled(tt.policy, tt.kind); got != tt.want {
			t.Errorf("spelled(%q, %q) = %q, want %q", tt.policy, tt.kind, got, tt.want)
		}
	}
}

func TestParseContainers(t *testing.T) {
	const list = `{"containers":[{"id":"abc","podSandboxId":"x","metadata":{"name":"app"},
		"labels":{"io.kubernetes.pod.uid":"u1","io.kubernetes.container.name":"app"}},{"id":"def"}]}`
	got, err := parseContainers([]byte(list))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]kubelet.ContainerRef{"abc": {PodUID: "u1", Name: "app"}, "def": {}}
	if !maps.Equal(got, want) {
		t.Errorf("parsed %v, want %v", got, want)
	}
	for _, bad := range []string{"", "[]", "{}", `{"containers":{}}`, `{"containers":null}`, "null"} {
		if got, err := parseContainers([]byte(bad)); err == nil {
			t.Errorf("parseContainers(%q) = %v, want an error", bad, got)
		}
	}
}
