package command

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	goodFile = "../../../testdata/kubelets/cpu/1.37/static-3pods.json"
	badFile  = "../../../testdata/reports/32-talos-7557-2containers.json"
)

// run runs args in an Env with a terminal of that many columns (0: none) and
// the variables vars.
func run(columns int, vars map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = Run(Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv:  func(name string) string { return vars[name] },
		Columns: columns,
	}, args)
	return code, out.String(), errs.String()
}

func TestColour(t *testing.T) {
	tests := []struct {
		name    string
		columns int
		vars    map[string]string
		args    []string
		want    bool
	}{
		{"terminal", 80, nil, nil, true},
		{"no terminal", 0, map[string]string{"TERM": "xterm-256color"}, nil, false},
		{"NO_COLOR", 80, map[string]string{"NO_COLOR": "1"}, nil, false},
		{"empty NO_COLOR is not set", 80, map[string]string{"NO_COLOR": ""}, nil, true},
		{"TERM=dumb", 80, map[string]string{"TERM": "dumb"}, nil, false},
		{"--no-color", 80, nil, []string{"--no-color"}, false},
	}
	for _, tt := range tests {
		for _, cmd := range []string{"verify", "explain"} {
			t.Run(tt.name+"/"+cmd, func(t *testing.T) {
				code, out, errs := run(tt.columns, tt.vars, append([]string{cmd, goodFile}, tt.args...)...)
				if code != exitGood || errs != "" {
					t.Fatalf("exit code %d, stderr %q", code, errs)
				}
				if got := strings.Contains(out, "\x1b["); got != tt.want {
					t.Errorf("colour: %t, want %t", got, tt.want)
				}
			})
		}
	}
}

func TestWidth(t *testing.T) {
	for _, columns := range []int{60, 80, 200} {
		_, out, _ := run(columns, map[string]string{"TERM": "dumb"}, "verify", goodFile, badFile)
		limit := columns
		for line := range strings.Lines(out) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > limit {
				t.Errorf("%d columns: a line has %d: %s", columns, n, line)
			}
		}
	}
}

// TestWholeNames: what a program searches has whole names, wherever they end.
func TestWholeNames(t *testing.T) {
	_, out, _ := run(0, nil, "verify", goodFile, badFile)
	for _, name := range []string{goodFile, badFile} {
		if !strings.Contains(out, " "+name+" ") {
			t.Errorf("%s is not in %s", name, out)
		}
	}
}

// brokenWriter takes a number of bytes and then no more, like a full disk.
type brokenWriter struct{ left int }

var errFull = errors.New("no space left on device")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		n := w.left
		w.left = 0
		return n, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

// An answer that could not be written was not given.
func TestWriteError(t *testing.T) {
	commands := [][]string{
		{"verify", goodFile}, {"verify", "-o", "json", goodFile}, {"verify", "-o", "jsonl", goodFile},
		{"verify", "-o", "wide", goodFile}, {"verify", "-o", "npd", goodFile}, {"verify", "-o", "prom", goodFile},
		{"explain", goodFile}, {"explain", goodFile, goodFile}, {"explain", "-o", "json", goodFile},
		{"dump", goodFile}, {"dump", "-o", "raw", goodFile}, {"dump", "-o", "json", goodFile},
		{"formats"}, {"formats", "cpu"}, {"formats", "-o", "json"}, {"version"},
	}
	for _, args := range commands {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			_, whole, _ := run(0, nil, args...)
			if len(whole) == 0 {
				t.Fatal("printed nothing")
			}
			for _, left := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
				var errs strings.Builder
				code := Run(Env{
					Stdin: strings.NewReader(""), Stdout: &brokenWriter{left}, Stderr: &errs,
					Getenv: func(string) string { return "" },
				}, args)
				if code != exitUndecided || !strings.Contains(errs.String(), errFull.Error()) {
					t.Errorf("after %d of %d bytes: exit code %d, stderr %q", left, len(whole), code, errs.String())
				}
			}
		})
	}
}

func TestRawDumpAvoidsTerminals(t *testing.T) {
	code, out, errs := run(80, nil, "dump", "-o", "raw", goodFile)
	if code != exitUsage || out != "" || !strings.Contains(errs, "not for a terminal") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out, errs)
	}
}

// A wrong command line is told before anything is read.
func TestFlagsFirst(t *testing.T) {
	const none = "no-such-file"
	for _, args := range [][]string{
		{"verify", "--quick"},
		{"verify", "-o", "xml"},
		{"verify", "--kind", "gpu"},
		{"explain", "-o", "xml"},
		{"explain", "--kubelet", "2.0"},
		{"state", "--as", "2.0", goodFile},
		{"state", goodFile},
		{"repair", goodFile},
		{"repair", "--in-place", "--gates", "X=true", goodFile},
		{"migrate", "--kubelet", "2.0", "--in-place", goodFile},
		{"migrate", "--kubelet", "1.37", "--output", "x", ".."},
		{"migrate", "--format", "cpu/v2", "--in-place", ".."},
		{"migrate", "--kubelet", "1.37", goodFile},
	} {
		code, out, errs := run(0, nil, append(args, "--containers", none)...)
		if code != exitUsage || out != "" || strings.Contains(errs, none+"\"") {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, out, errs)
		}
	}
}

func TestWorse(t *testing.T) {
	order := []int{exitGood, exitUndecided, exitBad}
	for i, a := range order {
		for j, b := range order {
			if got, want := worse(a, b), order[max(i, j)]; got != want {
				t.Errorf("worse(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// The manual names every command and every flag.
func TestManual(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../../../docs/cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	manual := string(text)
	for _, cmd := range New(Env{}).Commands() {
		if strings.HasPrefix(cmd.Use, "help") || strings.HasPrefix(cmd.Use, "completion") {
			continue
		}
		section, ok := section(manual, "## ckpt "+cmd.Name())
		if !ok {
			t.Errorf("docs/cli.md has no section on ckpt %s", cmd.Name())
			continue
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !strings.Contains(section, "`--"+f.Name) {
				t.Errorf("docs/cli.md does not say what ckpt %s --%s does", cmd.Name(), f.Name)
			}
		})
	}
}

func section(text, heading string) (string, bool) {
	_, after, ok := strings.Cut(text, "\n"+heading+"\n")
	before, _, _ := strings.Cut(after, "\n## ")
	return before, ok
}

// Help fits a terminal.
func TestHelp(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Long) {
			if n := len(strings.TrimRight(line, "\n")); n > 90 {
				t.Errorf("%s: a line of the help has %d characters: %s", cmd.CommandPath(), n, line)
			}
		}
		if cmd.Short == "" {
			t.Errorf("%s has no short description", cmd.CommandPath())
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(New(Env{}))
}
