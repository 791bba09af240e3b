package command

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

// renamed makes a kubelet's directory of 1.33 whose allocated_pods_state becomes
// a file of another name, and cpu_manager_state after it.
func renamed(t *testing.T) (dir string, p *plan) {
	t.Helper()
	dir = t.TempDir()
	return dir, renamedIn(t, dir)
}

func renamedIn(t *testing.T, dir string) *plan {
	t.Helper()
	for name, from := range map[string]string{
		"allocated_pods_state": "allocated/1.33/1pod.json",
		"cpu_manager_state":    "cpu/1.37/static-3pods.json",
	} {
		b, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", from))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p := &plan{to: kubelet.Target{Release: "1.32"}, inPlace: true}
	r := &input.Reader{Known: []string{"allocated_pods_state", "cpu_manager_state"}}
	if err := p.make(r, dir, true, kubelet.Options{}); err != nil {
		t.Fatal(err)
	}
	if code := p.judge(); code != exitGood || len(p.steps) != 2 || p.steps[0].fresh == "" {
		t.Fatalf("code %d, %+v: %v", code, p.steps, p.says)
	}
	return p
}

func full(string, []byte, []byte) (rewrite.Done, error) { return rewrite.Done{}, errFull }

// TestMigrateRemovesNew: a file that was made goes again if another cannot be
// written, unless it has changed meanwhile.
func TestMigrateRemovesNew(t *testing.T) {
	dir, p := renamed(t)
	if code := p.write(full); code != exitUndecided || !p.steps[0].Written || !p.steps[0].Restored {
		t.Errorf("code %d, %+v", code, p.steps[0].Migrated)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "[a-z]*")); err != nil || len(left) != 2 {
		t.Errorf("left is %q, %v", left, err)
	}
	_, p = renamed(t)
	code := p.write(func(string, []byte, []byte) (rewrite.Done, error) {
		return rewrite.Done{}, os.WriteFile(p.steps[0].fresh, []byte("else"), 0o600)
	})
	if b, err := os.ReadFile(p.steps[0].fresh); code != exitUndecided || p.steps[0].Restored || err != nil || string(b) != "else" ||
		!strings.Contains(strings.Join(p.says, "\n"), "was not there and may be left") {
		t.Errorf("code %d, says %v, %q, %v", code, p.says, b, err)
	}
}

// TestMigrateNeverOver: what is there by the time of the write is not replaced.
func TestMigrateNeverOver(t *testing.T) {
	dir, p := renamed(t)
	if err := os.WriteFile(p.steps[0].fresh, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code := p.write(rewrite.InPlace)
	if code != exitUndecided || len(p.says) != 1 || !strings.Contains(p.says[0], filestore.ErrChanged.Error()) {
		t.Errorf("code %d, says %v", code, p.says)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*backup*")); err != nil || len(left) > 0 {
		t.Errorf("left is %q, %v", left, err)
	}
}

// TestMigrateWhileRunning: under a kubelet that runs nothing is written.
func TestMigrateWhileRunning(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells who listens")
	}
	for _, socket := range []string{"pod-resources/kubelet.sock", "device-plugins/kubelet.sock"} {
		dir, err := os.MkdirTemp("/tmp", "a blank") // the name of a socket is short
		if err != nil {
			t.Skip(err)
		}
		defer os.RemoveAll(dir)
		renamedIn(t, dir)
		before, err := os.ReadFile(filepath.Join(dir, "cpu_manager_state"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, filepath.Dir(socket)), 0o700); err != nil {
			t.Fatal(err)
		}
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socket)})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		if all, err := os.ReadFile("/proc/net/unix"); err != nil || !strings.Contains(string(all), dir) {
			t.Skip("this machine does not tell who listens")
		}
		migrate := func(flags ...string) (int, string) {
			var out, errs strings.Builder
			env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
			return Run(env, append([]string{"migrate", "--kubelet", "1.32", dir}, flags...)), errs.String()
		}
		if code, said := migrate("--dry-run"); code != exitGood {
			t.Errorf("%s: dry run: code %d, %s", socket, code, said)
		}
		code, said := migrate("--in-place")
		if code != exitUndecided || !strings.Contains(said, "a kubelet listens at") || !strings.Contains(said, socket) {
			t.Errorf("%s: code %d, %s", socket, code, said)
		}
		if after, err := os.ReadFile(filepath.Join(dir, "cpu_manager_state")); err != nil || string(after) != string(before) {
			t.Errorf("%s: written, %v", socket, err)
		}
		l.Close()
		if code, said := migrate("--in-place"); code != exitGood {
			t.Errorf("%s: after it: code %d, %s", socket, code, said)
		}
	}
}
