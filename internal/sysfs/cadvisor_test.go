package sysfs

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// TestCadvisor reads machines that were made at random, some of them broken,
// and holds them against what cadvisor itself read there: 0.48.1, 0.52.1, 0.56.2
// and 0.60.5, with which kubelets 1.29, 1.33, 1.36 and 1.37 are built, agree.
func TestCadvisor(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "cadvisor.jsonl.gz"))
	must(t, err)
	defer f.Close()
	zip, err := gzip.NewReader(f)
	must(t, err)
	lines := bufio.NewScanner(zip)
	lines.Buffer(nil, 1<<20)
	machines, lost := 0, 0
	for lines.Scan() {
		var r struct {
			Files, Links map[string]string
			Dirs         []string
			Lost         bool
			Machine      preflight.Machine
		}
		must(t, json.Unmarshal(lines.Bytes(), &r))
		root := fstest.MapFS{}
		for _, path := range r.Dirs {
			root[path] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
		}
		for path, text := range r.Files {
			root[path] = &fstest.MapFile{Data: []byte(text), Mode: 0o444}
		}
		for path, target := range r.Links {
			root[path] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
		}
		sys, err := fs.Sub(root, "sys")
		must(t, err)
		proc, err := fs.Sub(root, "proc")
		must(t, err)
		got, err := Read(sys, proc)
		if err != nil {
			t.Errorf("machine %d: %v", machines, err)
		}
		if r.Lost != (got.Lost != nil) {
			t.Errorf("machine %d: lost %t, and here: %v", machines, r.Lost, got.Lost)
		}
		if diff := cmp.Diff(r.Machine, got.Machine); diff != "" {
			t.Errorf("machine %d (-want +got):\n%s", machines, diff)
		}
		if machines++; r.Lost {
			lost++
		}
	}
	must(t, lines.Err())
	t.Logf("%d machines, of %d of them the topology is lost", machines, lost)
	if machines != 250 || lost == 0 || lost == machines {
		t.Errorf("%d machines, %d of them lost; want 250, and some of either", machines, lost)
	}
}
