package doctest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// notRun are commands that this test does not run, and why. Each must be in
// use.
var notRun = map[string]string{
	"git clone https://github.com/kubeckpt/ckpt": "needs the network; the test runs in such a clone",
	"cd ckpt":       "is about that clone",
	"go test ./...": "is what runs this test",
	"bash .ci/run":  "runs this test",
	"go install github.com/kubeckpt/ckpt/cmd/ckpt@latest":               "needs the network; the test builds the same package",
	"go test ./checkpoint/kubelet ./cmd/ckpt ./cmd/ckpt/render -update": "rewrites goldens",
	"go run -C tools ./fuzz -long 1h -short 10m":                        "takes hours; CI runs the same program",
}

// mayRun are the beginnings of commands that a document may run: none of them
// writes to the checkout.
var mayRun = []string{"ckpt ", "go run ./cmd/ckpt ", "cat ", "cd $(mktemp -d)", "echo ", "stat "}

// command is one command of a console block with what it should print.
type command struct {
	text string
	want []string
}

func commands(b block) ([]command, error) {
	var list []command
	more := false
	for _, line := range b.lines {
		text, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case more:
			list[len(list)-1].text += "\n" + line
			more = strings.HasSuffix(line, `\`)
		case isCommand:
			list = append(list, command{text: text})
			more = strings.HasSuffix(line, `\`)
		case len(list) == 0:
			return nil, fmt.Errorf("%s: begins with output, want a line that begins with \"$ \"", b)
		default:
			last := &list[len(list)-1]
			last.want = append(last.want, line)
		}
	}
	return list, nil
}

// mark stands alone on a line behind the output of each command.
const mark = "\x01"

// runConsole runs the block's commands in one shell and compares.
func runConsole(t *testing.T, b block, used map[string]bool) {
	list, err := commands(b)
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	var run []command
	for _, c := range list {
		if _, ok := notRun[c.text]; ok {
			used[c.text] = true
			continue
		}
		if !slices.ContainsFunc(mayRun, func(begin string) bool { return strings.HasPrefix(c.text, begin) }) {
			t.Fatalf("%s: $ %s\nis not a command that a document may run; see notRun", b, c.text)
		}
		run = append(run, c)
		// The mark must not change what a next "echo $?" prints.
		fmt.Fprintf(&script, "%s\nckpt_rc=$?; printf '\\n%s\\n'; (exit $ckpt_rc)\n", c.text, mark)
	}
	if run == nil {
		return
	}
	// The exit code is that of the last command, which may well be a failure.
	out, _ := shell(script.String())
	outputs := strings.Split(out, "\n"+mark+"\n")
	if len(outputs) != len(run)+1 {
		t.Fatalf("the shell stopped early and printed\n%s", out)
	}
	for i, c := range run {
		got := splitLines(outputs[i])
		if !matches(c.want, got) {
			t.Errorf("%s: $ %s\nprints\n%s\nthe document says\n%s", b, c.text, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func shell(script string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = root
	// Documents show what a plain terminal-less run prints.
	cmd.Env = append(os.Environ(), "NO_COLOR=", "COLUMNS=", "TERM=dumb")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// splitLines drops trailing blanks, which an author cannot see, and trailing
// empty lines.
func splitLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return trim(lines)
}

func trim(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// matches compares lines; "..." stands for any number of them.
func matches(want, got []string) bool {
	want = trim(want)
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "..." {
		for i := range len(got) + 1 {
			if matches(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && strings.TrimRight(want[0], " ") == got[0] && matches(want[1:], got[1:])
}

func TestMatches(t *testing.T) {
	tests := []struct {
		want, got string
		ok        bool
	}{
		{"a\nb", "a\nb", true},
		{"a", "a\nb", false},
		{"a\nb", "a", false},
		{"a\n...", "a\nb\nc", true},
		{"a\n...\nc", "a\nb\nc", true},
		{"a\n...\nc", "a\nc", true},
		{"a\n...\nd", "a\nb\nc", false},
		{"...\nc", "a\nb\nc", true},
		{"", "", true},
		{"", "a", false},
		{"...", "", true},
	}
	for _, tt := range tests {
		if ok := matches(strings.Split(tt.want, "\n"), splitLines(tt.got)); ok != tt.ok {
			t.Errorf("matches(%q, %q) = %t, want %t", tt.want, tt.got, ok, tt.ok)
		}
	}
}
