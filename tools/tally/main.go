// Command tally reads the output of go test -json and prints what a person
// wants of it: a line for each package as go test would print it, everything
// that a failed test said, every skipped test with its reason, and the
// numbers. It exits with 1 if anything failed or if no test ran at all.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is one line of go test -json; see "go doc test2json".
type event struct {
	Action     string
	Package    string
	ImportPath string // of build-output and build-fail
	Test       string
	Output     string
}

type tally struct {
	out                     io.Writer
	said                    map[string][]string // package and test → its output
	passed, failed, skipped int
	skips                   []string
	broken                  bool // a package failed, with or without a test
}

func main() {
	t := &tally{out: os.Stdout, said: make(map[string][]string)}
	if err := t.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
	if !t.close() {
		os.Exit(1)
	}
}

func (t *tally) read(r io.Reader) error {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(t.out, "%s", line)
			} else {
				t.add(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *tally) add(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		if e.Test == "" && closing(e.Output) {
			fmt.Fprint(t.out, e.Output)
			return
		}
		t.said[key] = append(t.said[key], e.Output)
		return
	case "build-output":
		fmt.Fprint(t.out, e.Output)
		return
	case "build-fail":
		t.broken = true
		return
	case "pass":
		if e.Test != "" {
			t.passed++
		}
	case "skip":
		if e.Test != "" {
			t.skipped++
			t.skips = append(t.skips, fmt.Sprintf("%s (%s): %s", e.Test, e.Package, reason(t.said[key])))
		}
	case "fail":
		t.broken = true
		if e.Test != "" {
			t.failed++
		}
		fmt.Fprint(t.out, strings.Join(t.said[key], ""))
	default:
		return
	}
	delete(t.said, key)
}

// closing reports whether line is the last that go test prints of a package.
func closing(line string) bool {
	for _, p := range []string{"ok  \t", "FAIL\t", "?   \t"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// reason picks what a test said when it was skipped: t.Skip prints
// "file.go:12: reason" between its === and --- lines.
func reason(said []string) string {
	for _, line := range said {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if _, after, ok := strings.Cut(line, ".go:"); ok {
			if _, text, ok := strings.Cut(after, ": "); ok {
				return text
			}
		}
		return line
	}
	return "no reason given"
}

func (t *tally) close() bool {
	for _, s := range t.skips {
		fmt.Fprintln(t.out, "skipped", s)
	}
	fmt.Fprintf(t.out, "%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped)
	if t.passed+t.failed == 0 {
		fmt.Fprintln(t.out, "no test ran")
		return false
	}
	return !t.broken
}
