package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

// nodeFiles makes a kubelet's directory of 1.37, and returns what is in it.
func nodeFiles(t *testing.T) (dir string, held map[string]string) {
	t.Helper()
	dir, held = t.TempDir(), map[string]string{}
	for name, from := range map[string]string{
		"dra_manager_state":    "dra/1.37/1claim.json",
		"cpu_manager_state":    "cpu/1.37/static-3pods.json",
		"memory_manager_state": "memory/1.37/static-1numa-1pod.json",
	} {
		b, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", from))
		if errors.Is(err, os.ErrNotExist) { // the same bytes as an older release
			b, err = os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", strings.Replace(from, "1.37", "1.35", 1)))
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		held[filepath.Join(dir, name)] = string(b)
	}
	return dir, held
}

func planFor(t *testing.T, dir string) *plan {
	t.Helper()
	p := &plan{to: kubelet.Target{Release: "1.34"}, inPlace: true}
	r := &input.Reader{Known: []string{"dra_manager_state", "cpu_manager_state", "memory_manager_state"}}
	if err := p.make(r, dir, true, kubelet.Options{}); err != nil {
		t.Fatal(err)
	}
	if code := p.judge(); code != exitGood || len(p.steps) != 3 {
		t.Fatalf("code %d, %d steps: %v", code, len(p.steps), p.says)
	}
	return p
}

// TestMigrateFails: whichever write fails, all files are as they were.
func TestMigrateFails(t *testing.T) {
	for i := 0; ; i++ {
		dir, held := nodeFiles(t)
		p := planFor(t, dir)
		n := 0
		code := p.write(func(path string, old, data []byte) (rewrite.Done, error) {
			if n++; n == i+1 {
				return rewrite.Done{}, errFull
			}
			return rewrite.InPlace(path, old, data)
		})
		if n <= i {
			if code != exitGood || i != 3 {
				t.Errorf("no write failed: code %d after %d writes", code, i)
			}
			return
		}
		if code != exitUndecided || len(p.says) != 1+i || !strings.Contains(p.says[0], errFull.Error()) {
			t.Errorf("write %d: code %d, says %v", i, code, p.says)
		}
		for path, want := range held {
			if got, err := os.ReadFile(path); err != nil || string(got) != want {
				t.Errorf("write %d: %s has changed: %v", i, path, err)
			}
		}
		// What is left behind holds the old bytes, and is named.
		left, _ := filepath.Glob(filepath.Join(dir, "*.ckpt-backup-*"))
		for _, path := range left {
			of, _, _ := strings.Cut(path, ".ckpt-backup-")
			if b, err := os.ReadFile(path); err != nil || string(b) != held[of] || !strings.Contains(strings.Join(p.says, "\n"), path) {
				t.Errorf("write %d leaves %s: %v; said is %q", i, path, err, p.says)
			}
		}
		if len(left) != i {
			t.Errorf("write %d leaves %q", i, left)
		}
		for j, s := range p.steps {
			if s.Written != (j < i) || s.Restored != (j < i) || (s.Error != "") != (j == i) || (s.Backup != "") != (j < i) {
				t.Errorf("write %d, file %d: %+v", i, j, s.Migrated)
			}
		}
	}
}

// TestMigrateCannotUndo: what could not be put back is said, with its backup.
func TestMigrateCannotUndo(t *testing.T) {
	dir, _ := nodeFiles(t)
	p := planFor(t, dir)
	n := 0
	code := p.write(func(path string, old, data []byte) (rewrite.Done, error) {
		if n++; n > 2 {
			return rewrite.Done{}, errFull
		}
		return rewrite.InPlace(path, old, data)
	})
	said := strings.Join(p.says, "\n")
	if code != exitUndecided || len(p.says) != 3 || !strings.Contains(said, "may be left changed") ||
		!strings.Contains(said, p.steps[0].Backup) || !strings.Contains(said, p.steps[1].Backup) {
		t.Errorf("code %d, says %s", code, said)
	}
	if !p.steps[0].Written || p.steps[0].Restored {
		t.Errorf("%+v", p.steps[0].Migrated)
	}
}

// TestMigrateUnclear: a write of which nobody knows whether it took place is
// undone too, and a file that reads back as something else is an error.
func TestMigrateUnclear(t *testing.T) {
	dir, held := nodeFiles(t)
	p := planFor(t, dir)
	n := 0
	code := p.write(func(path string, old, data []byte) (rewrite.Done, error) {
		done, err := rewrite.InPlace(path, old, data)
		if n++; n == 2 {
			err = &filestore.NotDurableError{Path: path, Err: errFull}
		}
		return done, err
	})
	if code != exitUndecided || len(p.says) != 3 || !p.steps[1].Restored {
		t.Errorf("code %d, says %v, %+v", code, p.says, p.steps[1].Migrated)
	}
	for path, want := range held {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s has changed: %v", path, err)
		}
	}
	p = planFor(t, dir)
	code = p.write(func(path string, old, data []byte) (rewrite.Done, error) {
		return rewrite.Done{Path: path, Bytes: []byte("else")}, nil
	})
	if code != exitUndecided || !strings.Contains(p.says[0], "does not hold what was written to it") {
		t.Errorf("code %d, says %v", code, p.says)
	}
}

// TestMigrateWriteError: a result that could not be written, or told of, is an
// error.
func TestMigrateWriteError(t *testing.T) {
	for _, args := range [][]string{
		{"migrate", "--kubelet", "1.35", "-o", "-", goodFile},
		{"migrate", "--kubelet", "1.35", "--dry-run", goodFile},
		{"migrate", "--kubelet", "1.35", "--dry-run", "--json", goodFile},
	} {
		var errs strings.Builder
		code := Run(Env{Stdin: strings.NewReader(""), Stdout: &brokenWriter{10}, Stderr: &errs, Getenv: func(string) string { return "" }}, args)
		if code != exitUndecided || !strings.Contains(errs.String(), errFull.Error()) {
			t.Errorf("%v: exit code %d, stderr %q", args, code, errs.String())
		}
	}
}
