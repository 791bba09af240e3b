package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// node is a kubelet's root directory on a bad day.
func node(t testing.TB) []File {
	files := []File{
		judged(t, "kubelets/dra/1.37/skip-node-ops.json"),
		judged(t, "kubelets/cpu/1.36/static-pod-level+PLRM.json"),
		judged(t, "kubelets/memory/1.29/static-2numa-hugepages.json"),
		judged(t, "kubelets/device/1.29/2resources-numa.json"),
		judged(t, "kubelets/allocated/1.35/claims.json"),
		judged(t, "reports/22-k8s-79823-1core.json"),
		judged(t, "reports/28-k8s-71622-prechecksum-offline.json"),
		{Name: "/var/lib/kubelet/actuated_pods_state", Verdict: kubelet.Verdict{Kind: kubelet.Allocated, State: kubelet.StateMissing},
			Failure: &Failure{"not-exist", "no such file"}},
		{Name: "/var/lib/kubelet/pod_status_manager_state", Verdict: kubelet.Verdict{State: kubelet.StateUnreadable},
			Failure: &Failure{"permission", "permission denied"}},
		{Name: "/var/lib/kubelet/memory_manager_state.old", Verdict: kubelet.Judge([]byte(`{"policyName":"Sta`), kubelet.Options{Kind: kubelet.Memory})},
		{Name: "-", Verdict: kubelet.Judge(nil, kubelet.Options{})},
	}
	files[5].Name += ".1core"
	files[6].Name += ".bak"
	return files
}

func TestVerify(t *testing.T) {
	files := node(t)
	// What standard input is called has no directory, and so is not below one.
	dir := files[:len(files)-1]
	for _, width := range []int{80, 160} {
		golden(t, fmt.Sprintf("verify/table.%d.txt", width), verified(t, Table, dir, Options{Width: width}))
	}
	golden(t, "verify/table.80.color.txt", verified(t, Table, files, Options{Color: true}))
	golden(t, "verify/wide.txt", verified(t, Wide, files, Options{}))
	golden(t, "verify/npd.txt", verified(t, NPD, files, Options{}))
	golden(t, "verify/prom.txt", verified(t, Prom, dir, Options{}))
	golden(t, "verify/jsonl.txt", verified(t, JSONL, files, Options{}))
	golden(t, "verify/json.txt", verified(t, JSON, files[2:4], Options{Content: true}))
}

func TestVerifyNothing(t *testing.T) {
	for format, want := range map[Format]string{
		Table: "", Wide: "", JSONL: "", JSON: "[]\n", NPD: "no kubelet checkpoint file was given\n",
	} {
		if got := verified(t, format, nil, Options{}); got != want {
			t.Errorf("%s: got %q, want %q", format, got, want)
		}
	}
	if err := Verify(nil, "yaml", nil, Options{}); err == nil || !strings.Contains(err.Error(), `"yaml"`) {
		t.Errorf("got %v for an unknown format", err)
	}
	for _, f := range Formats() {
		if got, err := ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
}

// The worst comes first, whatever the order of the files.
func TestNPD(t *testing.T) {
	good := judged(t, "reports/01-numa-blog-none-default.json")
	corrupt := judged(t, "reports/22-k8s-79823-1core.json")
	files := node(t)
	unreadable, other := files[8], judged(t, "reports/56-k8stest-cpu-v4-first-reverted-shape.json")
	other.Verdict.Findings = nil
	tests := []struct {
		files []File
		want  string
	}{
		{[]File{good}, "1 kubelet checkpoint file is good"},
		{[]File{good, good}, "2 kubelet checkpoint files are good"},
		{[]File{good, files[7], good}, "actuated_pods_state missing: no such file"},
		{[]File{good, unreadable, other, corrupt}, "cpu_manager_state corrupt: checksum does not match; refused by 1.29... (+2 more)"},
		{[]File{good, other, unreadable}, "pod_status_manager_state unreadable: permission denied (+1 more)"},
		{[]File{good, other}, "cpu_manager_state other: not corrupt, but of layout cpu/v4draft, which 1.29-1..."},
		{[]File{{Name: "漢字_state", Verdict: kubelet.Verdict{State: kubelet.StateDamaged}}}, "??_state damaged: it cannot be decoded"},
	}
	for _, tt := range tests {
		if got := verified(t, NPD, tt.files, Options{}); got != tt.want+"\n" {
			t.Errorf("got  %swant %s", got, tt.want)
		}
	}
}

func TestJSONIsNeverNull(t *testing.T) {
	f := File{Name: "x", Verdict: kubelet.Verdict{State: kubelet.StateMissing, Kubelets: []kubelet.Answer{{Release: "1.37"}}}}
	want := `{"schemaVersion":1,"file":"x","kind":"unknown","format":"","state":"missing","policy":"","checksums":[],` +
		`"kubelets":[{"release":"1.37","gates":{},"verdict":"","error":"","lost":[],"measured":false}],"findings":[],"written":[]}` + "\n"
	if got := verified(t, JSONL, []File{f}, Options{}); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestSecretsAreHidden(t *testing.T) {
	f := File{Name: "x", Verdict: kubelet.Verdict{State: kubelet.StateOK, Content: &kubelet.DeviceState{
		PodDeviceEntries: []kubelet.DeviceEntry{{ResourceName: "r", AllocResp: secretResponse}}}}}
	raw, _ := json.Marshal(secretResponse) // base64
	for _, secret := range []string{"hunter2", strings.Trim(string(raw), `"`)} {
		if page := explained(t, f, Options{}) + verified(t, JSONL, []File{f}, Options{Content: true}); strings.Contains(page, secret) {
			t.Errorf("%q is shown", secret)
		}
	}
	shown := Options{Content: true, ShowSecrets: true}
	if page := explained(t, f, shown); strings.Count(page, "hunter2") != 3 || strings.Contains(page, "hidden") {
		t.Errorf("secrets that were asked for are not shown:\n%s", page)
	}
	if line := verified(t, JSONL, []File{f}, shown); strings.Count(line, "hunter2") != 3 || !strings.Contains(line, strings.Trim(string(raw), `"`)) {
		t.Errorf("secrets that were asked for are not in JSON: %s", line)
	}
}

func TestLooksSecret(t *testing.T) {
	secret := [][2]string{{"DB_PASSWORD", "x"}, {"dbPassword", "x"}, {"API-KEY", "x"}, {"auth.header", "x"}, {"AWS_SECRET_ACCESS_KEY", "x"},
		{"", "-----BEGIN RSA PRIVATE KEY-----"}, {"", "Bearer eyJhbGciOiJ.eyJzdWIi.c2ln"}, {"", "AKIAIOSFODNN7EXAMPLE"},
		{"", "ghp_0123456789abcdefghijklmn"}, {"", "postgres://u:p@db/x"}, {"LICENSE_KEY", "x"}}
	for _, kv := range secret {
		if !looksSecret(kv[0], kv[1]) {
			t.Errorf("%q=%q is shown", kv[0], kv[1])
		}
	}
	plain := [][2]string{{"NVIDIA_VISIBLE_DEVICES", "GPU-8f1d6c3e-0000-1111"}, {"AUTHOR", "x"}, {"PCIDEVICE_INTEL_COM_SRIOV", "0000:3b:02.1"},
		{"", "https://example.com/a@b:c"}, {"PASSTHROUGH", "1"}, {"DB_PASSWORD", ""}, {"KEYBOARD", "us"}, {"", "sk-short"}}
	for _, kv := range plain {
		if looksSecret(kv[0], kv[1]) {
			t.Errorf("%q=%q is hidden", kv[0], kv[1])
		}
	}
}
