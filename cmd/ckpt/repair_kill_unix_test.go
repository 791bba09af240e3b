//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whenever a repair is killed, the broken file is still there as it was: under
// its name, or as the backup beside the mended one. The n-th kill comes when the
// n-th change of the directory has been seen, so that it falls into the write.
func TestRepairKilled(t *testing.T) {
	mended, err := os.ReadFile("../../testdata/kubelets/cpu/1.37/static-3pods.json")
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Replace(mended, []byte(`\"2-3\"`), []byte(`\"2-4\"`), 1)
	want := 10
	if many, err := strconv.Atoi(os.Getenv("CKPT_MEASURE")); err == nil {
		want = many
	}
	kept, replaced, tries := 0, 0, 0
	for at := 1; kept+replaced < want || kept == 0 || replaced == 0; at++ {
		if tries++; tries > 10*want {
			t.Fatalf("of %d repairs %d were killed before and %d after the file was replaced, want both", tries, kept, replaced)
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "cpu_manager_state")
		if err := os.WriteFile(path, broken, 0o640); err != nil {
			t.Fatal(err)
		}
		killed, err := repairKilledAt(path, at)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		switch {
		case err != nil:
			t.Fatal(err)
		case bytes.Equal(got, mended):
			backups, _ := filepath.Glob(path + ".ckpt-backup-*")
			if len(backups) != 1 {
				t.Fatalf("backups: %q", backups)
			}
			if old, err := os.ReadFile(backups[0]); err != nil || !bytes.Equal(old, broken) {
				t.Fatalf("%s: %q, %v", backups[0], old, err)
			}
		case !bytes.Equal(got, broken):
			t.Fatalf("half a file: %q", got)
		}
		switch {
		case !killed && !bytes.Equal(got, mended):
			t.Fatal("not mended, although nothing killed it")
		case !killed:
			at = 0 // there are no more changes than that
		case bytes.Equal(got, broken):
			kept++
		default:
			replaced++
		}
	}
	t.Logf("%d kills left the file as it was, %d came after it was replaced; %d repairs", kept, replaced, tries)
}

// repairKilledAt repairs the file at path until its directory has been seen to
// change n times, and reports whether the repair was still running then.
func repairKilledAt(path string, n int) (killed bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	cmd := exec.Command(self, "repair", "--in-place", path)
	cmd.Args[0] = "ckpt" // as which TestMain runs the command
	was := directory(path)
	if err := cmd.Start(); err != nil {
		return false, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // killed, or not
	}()
	stuck := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	for seen := 0; ; {
		select {
		case <-ended:
			return !cmd.ProcessState.Exited(), nil
		default:
		}
		time.Sleep(50 * time.Microsecond) // or the repair has to wait for this
		if is := directory(path); is != was {
			was = is
			if seen++; seen == n {
				_ = cmd.Process.Kill()
				<-ended
			}
		}
	}
}

// directory says what is to be seen of the directory that path is in.
func directory(path string) string {
	var b strings.Builder
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			fmt.Fprintln(&b, e.Name(), info.Size(), info.Sys().(*syscall.Stat_t).Ino)
		}
	}
	return b.String()
}
