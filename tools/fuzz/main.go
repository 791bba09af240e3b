// Command fuzz runs every fuzz target of the module in the directory above,
// one after the other, each for a while. New targets are found by themselves.
//
//	go run -C tools ./fuzz                    as in CI: 30 s for those that read untrusted bytes
//	go run -C tools ./fuzz -long 1h -short 1h a long soak
//	go run -C tools ./fuzz -only Key          one target
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"
)

// target is a fuzz function, and how long it runs.
type target struct {
	dir, name string
	time      time.Duration
}

func (t target) String() string { return t.dir + " " + t.name }

func main() {
	root := flag.String("root", "..", "the module whose targets run")
	long := flag.Duration("long", 30*time.Second, "time for each target that -first matches")
	short := flag.Duration("short", 5*time.Second, "time for each other target")
	total := flag.Duration("total", 24*time.Hour, "time for all; the targets that -first does not match share what is left")
	first := flag.String("first", "FuzzJudge|FuzzCPU|allocresp|Key", "targets that get -long, by directory and name")
	only := flag.String("only", "", "run only the targets that match")
	flag.Parse()
	if err := run(*root, *long, *short, *total, regexp.MustCompile(*first), regexp.MustCompile(*only)); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(root string, long, short, total time.Duration, first, only *regexp.Regexp) error {
	all, err := find(root)
	if err != nil {
		return err
	}
	targets := plan(all, long, short, total, first, only)
	if len(targets) == 0 {
		return fmt.Errorf("no fuzz target matches %q under %q", only, root)
	}
	var failed []string
	for _, t := range targets {
		if err := fuzz(root, t); err != nil {
			fmt.Printf("FAIL %s: %v\n", t, err)
			failed = append(failed, t.String())
		}
	}
	fmt.Printf("fuzz: %d targets, %d failed\n", len(targets), len(failed))
	if failed != nil {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

// plan picks the targets that only matches and gives each its time.
func plan(all []target, long, short, total time.Duration, first, only *regexp.Regexp) []target {
	var picked []target
	others := 0
	for _, t := range all {
		if !only.MatchString(t.String()) {
			continue
		}
		if first.MatchString(t.String()) {
			t.time = long
			total -= long
		} else {
			others++
		}
		picked = append(picked, t)
	}
	for i, t := range picked {
		if t.time > 0 {
			continue
		}
		picked[i].time = short
		if share := total / time.Duration(others); share < short {
			picked[i].time = max(time.Second, share)
		}
	}
	return picked
}

var fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)

// find lists the targets by reading the test files, which costs nothing;
// go test -list would link every test binary first.
func find(root string) ([]target, error) {
	var found []target
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
				return fs.SkipDir
			}
			if name := d.Name(); path != root && (name == "testdata" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, m := range fuzzFunc.FindAllStringSubmatch(string(text), -1) {
			found = append(found, target{dir: "./" + filepath.ToSlash(dir), name: m[1]})
		}
		return nil
	})
	sort.Slice(found, func(i, j int) bool { return found[i].String() < found[j].String() })
	return found, err
}

// fuzz runs one target. When the time is up, the fuzzer may report its own
// deadline as a failure (go.dev/issue/75804); a finding always names the input
// that it wrote, so that is told apart and tried once more.
func fuzz(root string, t target) error {
	for try := 0; ; try++ {
		cmd := exec.Command("go", "test", "-run=^$", "-fuzz=^"+t.name+"$", "-fuzztime="+t.time.String(), t.dir)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		text := string(out)
		if err == nil {
			fmt.Printf("ok   %s %v: %s\n", t, t.time, last(text))
			return nil
		}
		if try == 0 && strings.Contains(text, "context deadline exceeded") && !strings.Contains(text, "Failing input") {
			continue
		}
		fmt.Print(text)
		return err
	}
}

// last returns the fuzzer's last progress line.
func last(out string) string {
	line := "no progress printed"
	for l := range strings.Lines(out) {
		if _, after, ok := strings.Cut(l, "fuzz: elapsed: "); ok {
			if _, after, ok := strings.Cut(after, ", "); ok {
				line = strings.TrimSpace(after)
			}
		}
	}
	return line
}
