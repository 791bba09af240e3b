package render

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const corpus = "../../../testdata/"

// judged returns a file of the corpus as ckpt would have it: found under the
// name that a kubelet gives it.
func judged(t testing.TB, path string) File {
	t.Helper()
	blob, err := os.ReadFile(filepath.FromSlash(corpus + path))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{
		"cpu": "cpu_manager_state", "memory": "memory_manager_state", "dra": "dra_manager_state",
		"device": "device-plugins/kubelet_internal_checkpoint", "allocated": "allocated_pods_state",
	}
	kind := ""
	if parts := strings.Split(path, "/"); parts[0] == "kubelets" {
		kind = parts[1]
	}
	file := names[kind]
	if strings.HasPrefix(path, "kubelets/allocated/1.29/") || strings.HasPrefix(path, "kubelets/allocated/1.32/") {
		file = "pod_status_manager_state"
	}
	v := kubelet.Judge(blob, kubelet.Options{FileName: file})
	if file == "" {
		file = names[string(v.Kind)]
	}
	f := File{Name: "/var/lib/kubelet/" + file, Verdict: v}
	if v.State != kubelet.StateOK {
		f.explain(blob)
	}
	return f
}

// explain adds what may have happened to the file, as the command does.
func (f *File) explain(blob []byte) {
	f.Explanations = kubelet.Diagnose(context.Background(), blob, kubelet.DiagnoseOptions{
		Options: kubelet.Options{FileName: f.Name, Kind: f.Verdict.Kind}})
	if len(f.Explanations) > 0 {
		f.Excerpt = ExcerptOf(blob, f.Explanations[0])
	}
}

// corpusFiles returns the paths of all genuine and reported files.
func corpusFiles(t testing.TB) (paths []string) {
	t.Helper()
	for _, pattern := range []string{"kubelets/*/*/*.json", "reports/*.json"} {
		found, err := filepath.Glob(corpus + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no files match %s (%v)", pattern, err)
		}
		for _, path := range found {
			paths = append(paths, strings.TrimPrefix(filepath.ToSlash(path), corpus))
		}
	}
	return paths
}

func explained(t testing.TB, f File, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Explain(&b, f, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func verified(t testing.TB, format Format, files []File, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Verify(&b, format, files, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares got with testdata/name, or rewrites it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got), rewrite it with -update if it is better now:\n%s", name, diff)
	}
}
