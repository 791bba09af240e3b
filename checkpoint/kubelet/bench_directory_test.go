//go:build unix

package kubelet_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/command"
)

// BenchmarkDirectory compares ckpt verify --quick on a directory of many files, all of
// the command from the arguments to the output, with reading and checking each
// file as a kubelet does. Both have one processor.
func BenchmarkDirectory(b *testing.B) {
	const files = 10_000
	dir := b.TempDir()
	checks := make([]func(*testing.B, []byte), 505) // as many files differ
	paths := make([]string, files)
	var blobs [505][]byte
	size := 0
	for i := range paths {
		k := i % len(checks)
		if blobs[k] == nil {
			blobs[k], checks[k] = kubelet.SampleNode(b, k)
		}
		paths[i] = filepath.Join(dir, fmt.Sprintf("%05d.json", i))
		if err := os.WriteFile(paths[i], blobs[k], 0o600); err != nil {
			b.Fatal(err)
		}
		size += len(blobs[k])
	}
	verify := func() {
		env := command.Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: os.Stderr, Getenv: func(string) string { return "" }}
		if code := command.Run(env, []string{"verify", "--quick", "-o", "jsonl", dir}); code != 0 {
			b.Fatalf("exit code %d", code)
		}
	}
	reference := func() {
		for i, path := range paths {
			blob, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			checks[i%len(checks)](b, blob)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runs := []struct {
		name string
		run  func()
		best time.Duration
	}{{"ckpt", verify, 0}, {"reference", reference, 0}}
	b.Run(fmt.Sprint(files), func(b *testing.B) {
		for b.Loop() { // in turn, so that all meet the same load
			for i := range runs {
				start := processTime()
				runs[i].run()
				if spent := processTime() - start; runs[i].best == 0 || spent < runs[i].best {
					runs[i].best = spent
				}
			}
		}
		for _, r := range runs {
			b.Run(r.name, func(b *testing.B) {
				for b.Loop() {
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(r.best)/files/1e3, "µs/file")
				b.ReportMetric(float64(size)/r.best.Seconds()/1e6, "MB/s")
				b.ReportMetric(float64(runs[1].best)/float64(r.best), "x-faster")
			})
		}
	})
}

// processTime is how long this process had a processor.
func processTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
