// Command startup compares the start of "ckpt verify FILE" with that of an
// empty Go program, by turns, so that a busy machine slows both alike. It
// prints the size of each binary and the shortest and the median time of each,
// from start to exit as a parent process sees it.
//
//	go run -C tools ./startup
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"time"
)

const empty = "package main\n\nfunc main() {}\n"

func main() {
	runs := flag.Int("runs", 100, "runs of each program")
	file := flag.String("file", "../testdata/reports/13-qos-blog-memory-none.json", "the file to verify")
	flag.Parse()
	if err := measure(*runs, *file); err != nil {
		fmt.Fprintln(os.Stderr, "startup:", err)
		os.Exit(1)
	}
}

type program struct {
	name  string
	args  []string
	size  int64
	times []time.Duration
}

func measure(runs int, file string) error {
	dir, err := os.MkdirTemp("", "startup")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	src := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(src, []byte(empty), 0o600); err != nil {
		return err
	}
	bare := &program{name: "empty program", args: []string{filepath.Join(dir, "empty")}}
	ckpt := &program{name: "ckpt verify", args: []string{filepath.Join(dir, "ckpt"), "verify", file}}
	if err := build(".", bare.args[0], src); err != nil {
		return err
	}
	if err := build("..", ckpt.args[0], "./cmd/ckpt"); err != nil {
		return err
	}
	programs := []*program{bare, ckpt}
	for _, p := range programs {
		info, err := os.Stat(p.args[0])
		if err != nil {
			return err
		}
		p.size = info.Size()
	}
	for i := range runs + 5 { // the first five warm the page cache
		for _, p := range programs {
			start := time.Now()
			if out, err := exec.Command(p.args[0], p.args[1:]...).CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", p.name, err, out)
			}
			if i >= 5 {
				p.times = append(p.times, time.Since(start))
			}
		}
	}
	fmt.Printf("%-15s %12s %9s %9s   (%d runs each, by turns)\n", "", "stripped", "min", "median", runs)
	for _, p := range programs {
		sort.Slice(p.times, func(i, j int) bool { return p.times[i] < p.times[j] })
		fmt.Printf("%-15s %9d kB %6.2f ms %6.2f ms\n", p.name, p.size/1000, ms(p.times[0]), ms(p.times[runs/2]))
	}
	fmt.Printf("%-15s %12s %6.2f ms %6.2f ms\n", "ckpt is behind", "",
		ms(ckpt.times[0]-bare.times[0]), ms(ckpt.times[runs/2]-bare.times[runs/2]))
	return nil
}

func build(dir, out, pkg string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, text)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
