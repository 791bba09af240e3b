//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Whenever a repair is killed, the broken file is still there as it was: under
// its name, or as the backup beside the mended one.
func TestRepairKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mended, err := os.ReadFile("../../testdata/kubelets/cpu/1.37/static-3pods.json")
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Replace(mended, []byte(`\"2-3\"`), []byte(`\"2-4\"`), 1)
	repair := func(dir string, after time.Duration) {
		path := filepath.Join(dir, "cpu_manager_state")
		if err := os.WriteFile(path, broken, 0o640); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "repair", "--in-place", path)
		cmd.Args[0] = "ckpt" // as which TestMain runs the command
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if after > 0 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		}
		_ = cmd.Wait() // killed, or not
	}
	start := time.Now()
	dir := t.TempDir()
	repair(dir, 0)
	whole := time.Since(start)
	if got, err := os.ReadFile(filepath.Join(dir, "cpu_manager_state")); err != nil || !bytes.Equal(got, mended) {
		t.Fatalf("not mended: %q, %v", got, err)
	}

	n := 30
	if many, err := strconv.Atoi(os.Getenv("CKPT_MEASURE")); err == nil {
		n = many
	}
	kept, replaced := 0, 0
	for range n {
		dir := t.TempDir()
		// Most of the time goes by before anything is written.
		repair(dir, whole/2+time.Duration(rand.Int64N(int64(whole))))
		got, err := os.ReadFile(filepath.Join(dir, "cpu_manager_state"))
		switch {
		case err != nil:
			t.Fatal(err)
		case bytes.Equal(got, broken):
			kept++
			continue
		case !bytes.Equal(got, mended):
			t.Fatalf("half a file: %q", got)
		}
		replaced++
		backups, _ := filepath.Glob(filepath.Join(dir, "cpu_manager_state.ckpt-backup-*"))
		if len(backups) != 1 {
			t.Fatalf("backups: %q", backups)
		}
		if old, err := os.ReadFile(backups[0]); err != nil || !bytes.Equal(old, broken) {
			t.Fatalf("%s: %q, %v", backups[0], old, err)
		}
	}
	t.Logf("%d kills: %d left the file as it was, %d came after it was replaced", n, kept, replaced)
}
