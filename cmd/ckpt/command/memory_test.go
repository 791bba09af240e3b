package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// meter measures the live heap after two numbers of lines.
type meter struct {
	lines       int
	at          [2]int
	early, late uint64
}

func (m *meter) Write(p []byte) (int, error) {
	before := m.lines
	m.lines += strings.Count(string(p), "\n")
	passed := func(line int) bool { return before < line && line <= m.lines }
	if passed(m.at[0]) {
		m.early = liveHeap()
	}
	if passed(m.at[1]) {
		m.late = liveHeap()
	}
	return len(p), nil
}

func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// Memory does not grow with the number of files.
func TestMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("judges 140 large files")
	}
	blob, err := os.ReadFile("../../../testdata/kubelets/device/1.29/110pods.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	paths := make([]string, 140)
	for i := range paths {
		paths[i] = filepath.Join(dir, fmt.Sprintf("%04d", i))
		if err := os.WriteFile(paths[i], blob, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// With one worker, no file is being decoded while another is printed. A
	// terminal gets each line by itself; a table holds the first 100 back.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, tt := range []struct {
		form string
		at   [2]int
	}{{"jsonl", [2]int{20, 50}}, {"table", [2]int{110, 140}}} {
		t.Run(tt.form, func(t *testing.T) {
			m := &meter{at: tt.at}
			code := Run(Env{Stdin: strings.NewReader(""), Stdout: m, Stderr: &strings.Builder{}, Getenv: func(string) string { return "" }, Columns: 80},
				append([]string{"verify", "-o", tt.form}, paths[:tt.at[1]]...))
			if code != exitGood || m.early == 0 || m.late == 0 {
				t.Fatalf("exit code %d, %d lines, heap %d and %d", code, m.lines, m.early, m.late)
			}
			// The 30 files between weigh 5.6 MB as they are, more when decoded.
			if m.late > m.early+3<<20 {
				t.Errorf("%d bytes are in use after %d files, %d after %d", m.early, m.at[0], m.late, m.at[1])
			}
		})
	}
}
