package render

import (
	"bytes"
	"os"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Pages on files that were broken in the ways that people and disks break them.
// A person has read them.
func TestExplainBroken(t *testing.T) {
	replace := func(old, now string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(now), 1) }
	}
	tests := []struct {
		name, path string
		edit       func([]byte) []byte
	}{
		{"broken-cpuset", "kubelets/cpu/1.29/static-3pods.json", replace(`"worker":"8,10,12"`, `"worker":"8-12"`)},
		{"broken-policy", "kubelets/cpu/1.29/static-110pods.json", replace(`"static"`, `"none"`)},
		{"broken-uid", "kubelets/cpu/1.29/static-3pods.json", replace("39e8f42e", "59e8f42e")},
		{"broken-pair", "kubelets/cpu/1.29/static-3pods.json", func(b []byte) []byte {
			b = bytes.Replace(b, []byte(`"sidecar":"4"`), []byte(`"sidecar":"0,4"`), 1)
			return bytes.Replace(b, []byte(`"defaultCpuSet":"0-1,`), []byte(`"defaultCpuSet":"1,`), 1)
		}},
		{"broken-added", "kubelets/cpu/1.29/static-3pods.json", replace(`"entries":{`, `"entries":{"11111111-2222-3333-4444-555555555555":{"app":"0"},`)},
		{"broken-memory", "kubelets/memory/1.29/static-2numa-hugepages.json", replace(`"size":4294967296`, `"size":8589934592`)},
		{"broken-half", "kubelets/cpu/1.37/static-3pods.json", replace(`\"sidecar\":\"4\"`, `\"sidecar\":\"5\"`)},
		{"broken-legacy-half", "kubelets/cpu/1.37/static-3pods.json", replace(`"sidecar":"4"`, `"sidecar":"5"`)},
		{"broken-sum", "kubelets/memory/1.29/static-1numa-1pod.json", replace(`"checksum":17`, `"checksum":71`)},
		{"broken-field", "kubelets/cpu/1.29/static-3pods.json", replace(`"policyName"`, `"policyNme"`)},
		{"broken-truncated", "kubelets/memory/1.37/static-2numa-hugepages.json", func(b []byte) []byte { return b[:2700] }},
		{"broken-nul", "kubelets/cpu/1.29/static-3pods.json", func(b []byte) []byte {
			return append(b[:200:200], make([]byte, len(b)-200)...)
		}},
		{"broken-bom", "kubelets/cpu/1.29/static-3pods.json", replace("{", "\xef\xbb\xbf{")},
		{"broken-quote", "kubelets/cpu/1.29/static-3pods.json", replace(`"entries":{`, `"entries":[`)},
		{"broken-twice", "kubelets/cpu/1.29/static-3pods.json", func(b []byte) []byte {
			return replace(`"app":"2-3"`, `"app":"0,7"`)(replace(`"worker":"8,10,12"`, `"worker":"1"`)(b))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := brokenFile(t, tt.path, tt.edit)
			golden(t, "explain/"+tt.name+".80.txt", explained(t, f, Options{}))
		})
	}
	t.Run("broken-splice", func(t *testing.T) {
		long, err := os.ReadFile(corpus + "kubelets/allocated/1.35/2pods.json")
		if err != nil {
			t.Fatal(err)
		}
		f := brokenFile(t, "kubelets/allocated/1.35/1pod.json", func(b []byte) []byte { return append(b, long[len(b):]...) })
		golden(t, "explain/broken-splice.80.txt", explained(t, f, Options{}))
	})
}

func brokenFile(t *testing.T, path string, edit func([]byte) []byte) File {
	t.Helper()
	blob, err := os.ReadFile(corpus + path)
	if err != nil {
		t.Fatal(err)
	}
	name := judged(t, path).Name
	old := string(blob)
	if blob = edit(blob); string(blob) == old {
		t.Fatal("the edit changes nothing")
	}
	f := File{Name: name, Verdict: kubelet.Judge(blob, kubelet.Options{FileName: name})}
	f.explain(blob)
	return f
}
