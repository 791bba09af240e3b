package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// interrupter is a writer during whose first write the interrupt comes.
type interrupter struct {
	io.Writer
	interrupt func()
}

func (w *interrupter) Write(p []byte) (int, error) {
	w.interrupt()
	return w.Writer.Write(p)
}

// An interrupt changes the exit code only of what it cuts short.
func TestInterrupts(t *testing.T) {
	dir := t.TempDir()
	good, err := os.ReadFile(goodFile)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		room int // bytes that standard output takes
		code int
		errs string
		says string // once
	}{
		{"after the end", []string{"version"}, 1 << 20, exitGood, "", "ckpt "},
		{"after a write", []string{"migrate", "--kubelet", "1.35", "--in-place", "DIR/cpu_manager_state"}, 1 << 20, exitGood, "", "ckpt-backup-"},
		{"before a failure", []string{"migrate", "--kubelet", "1.35", "--in-place", "DIR/cpu_manager_state"}, 0, exitUndecided, "ckpt: no space left on device\n", ""},
		{"between files", []string{"explain", goodFile, goodFile, goodFile}, 1 << 20, exitInterrupted, "ckpt: interrupted; what was printed is not all\n", "is good"},
		{"during a read", []string{"verify", "-o", "wide", goodFile, "-"}, 1 << 20, exitInterrupted, "ckpt: interrupted; what was printed is not all\n", ""},
		{"of the only read", []string{"dump", "-"}, 1 << 20, exitInterrupted, "ckpt: \"-\" cannot be read: context canceled\ninterrupted; what was printed is not all\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "cpu_manager_state"), good, 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			var out, errs strings.Builder
			wait, end := io.Pipe()
			defer end.Close()
			env := Env{
				Stdin:  io.MultiReader(&interruptReader{interrupt}, wait),
				Stdout: &interrupter{io.MultiWriter(&brokenWriter{tt.room}, &out), interrupt}, Stderr: &errs,
				Getenv: func(string) string { return "" },
			}
			var args []string
			for _, a := range tt.args {
				args = append(args, strings.Replace(a, "DIR", dir, 1))
			}
			if code := runUntil(ctx, env, args); code != tt.code || errs.String() != tt.errs {
				t.Errorf("exit code %d, want %d; stderr %q, stdout %q", code, tt.code, &errs, &out)
			}
			if n := strings.Count(out.String(), tt.says); tt.says != "" && n != 1 {
				t.Errorf("says %q %d times: %s", tt.says, n, &out)
			}
		})
	}
}

// interruptReader is a reader that holds nothing, but is interrupted.
type interruptReader struct{ interrupt func() }

func (r *interruptReader) Read([]byte) (int, error) {
	r.interrupt()
	return 0, io.EOF
}
