// Command startup compares the start of "ckpt verify FILE" with that of an
// empty Go program, by turns, so that a busy machine slows both alike. It
// prints the size of each binary and the shortest and the median time of each,
// from start to exit as a parent process sees it, and the least processor time,
// which other programs disturb less.
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
	cpu   time.Duration // the least
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
			cmd := exec.Command(p.args[0], p.args[1:]...)
			start := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", p.name, err, out)
			}
			took := time.Since(start)
			if i < 5 {
				continue
			}
			p.times = append(p.times, took)
			cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			if p.cpu == 0 || cpu < p.cpu {
				p.cpu = cpu
			}
		}
	}
	fmt.Printf("%-15s %12s %9s %9s %9s   (%d runs each, by turns)\n", "", "stripped", "min", "median", "cpu", runs)
	for _, p := range programs {
		sort.Slice(p.times, func(i, j int) bool { return p.times[i] < p.times[j] })
		fmt.Printf("%-15s %9d kB %6.2f ms %6.2f ms %6.2f ms\n", p.name, p.size/1000, ms(p.times[0]), ms(p.times[runs/2]), ms(p.cpu))
	}
	fmt.Printf("%-15s %12s %6.2f ms %6.2f ms %6.2f ms\n", "ckpt is behind", "",
		ms(ckpt.times[0]-bare.times[0]), ms(ckpt.times[runs/2]-bare.times[runs/2]), ms(ckpt.cpu-bare.cpu))
	return nil
}

func build(dir, out, pkg string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Dir = dir
	// As releases are built: package net, which the flags' library brings in,
	// would link libc, and loading that costs more than everything else.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, text)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
