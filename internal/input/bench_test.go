package input

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkRead compares, in one run, this package with os.ReadFile over the
// same thousand files, and says how many times as long it takes.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	deep := filepath.Join(dir, "var/lib/kubelet")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range 1000 {
		if err := os.WriteFile(fmt.Sprintf("%s/node%d", deep, i), []byte(strings.Repeat("x", 4000)), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	expanded := func(r *Reader, path string) func() {
		var buf []byte
		return func() {
			for item := range r.Expand([]string{path}) {
				c, err := item.Load(buf)
				if err != nil {
					b.Fatal(err)
				}
				buf = c.Bytes
			}
		}
	}
	naive := func() {
		entries, err := os.ReadDir(deep)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			if _, err := os.ReadFile(filepath.Join(deep, e.Name())); err != nil {
				b.Fatal(err)
			}
		}
	}
	ways := []func(){naive, expanded(&Reader{}, deep), expanded(&Reader{Root: dir}, "/var/lib/kubelet")}
	var took [3]time.Duration
	for b.Loop() {
		// In turns, so that what else the machine does falls on each alike.
		for i, way := range ways {
			start := time.Now()
			way()
			took[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(took[0].Microseconds())/1000/float64(b.N), "os-µs/file")
	b.ReportMetric(float64(took[1])/float64(took[0]), "plain/os")
	b.ReportMetric(float64(took[2])/float64(took[0]), "rooted/os")
}
