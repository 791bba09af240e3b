package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/input"
)

// items are n files that need not exist.
func items(n int) func(yield func(input.Item) bool) {
	return func(yield func(input.Item) bool) {
		for i := range n {
			if !yield(input.Item{Name: fmt.Sprint(i)}) {
				return
			}
		}
	}
}

func TestInOrder(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		var got []string
		for f := range inOrder(t.Context(), items(100), n, func(_ *worker, item input.Item) render.File {
			if item.Name[len(item.Name)-1] == '0' {
				time.Sleep(time.Millisecond) // is overtaken
			}
			return render.File{Name: item.Name}
		}) {
			got = append(got, f.Name)
		}
		if len(got) != 100 || got[37] != "37" || !slices.IsSortedFunc(got, func(a, b string) int {
			return len(a)*1000 - len(b)*1000 + strings.Compare(a, b)
		}) {
			t.Errorf("%d workers: %q", n, got)
		}
	}
}

// An interrupt ends the run although a read hangs, and leaves what was finished
// before it.
func TestInOrderInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	hang := make(chan struct{})
	defer close(hang)
	n := 0
	for range inOrder(ctx, items(100), 2, func(_ *worker, item input.Item) render.File {
		if item.Name == "10" {
			interrupt()
			<-hang
		}
		return render.File{Name: item.Name}
	}) {
		n++
	}
	if n > 10 {
		t.Errorf("%d files, although the 11th hangs", n)
	}
}

func TestInOrderStops(t *testing.T) {
	for _, workers := range []int{1, 3} {
		n := 0
		for range inOrder(t.Context(), items(1000), workers, func(_ *worker, item input.Item) render.File { return render.File{} }) {
			if n++; n == 5 {
				break
			}
		}
		if n != 5 {
			t.Errorf("%d workers: %d files", workers, n)
		}
	}
}

// TestQuick: --quick says no other state, and judges in full what it must.
func TestQuick(t *testing.T) {
	good, err := os.ReadFile("../../../testdata/kubelets/memory/1.37/static-1numa-1pod.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a": string(good),
		"b": strings.Replace(string(good), `"Static"`, `"Statix"`, 1),
		"c": strings.Replace(string(good), `,`, ", ", 1),
		"d": string(good[:100]),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	states := func(args ...string) (found []string) {
		var out, errs strings.Builder
		env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
		if code := Run(env, append(args, "-o", "jsonl", "--kind", "memory", dir)); code != exitBad || errs.String() != "" {
			t.Errorf("exit code %d, %s", code, &errs)
		}
		for line := range strings.Lines(out.String()) {
			_, state, _ := strings.Cut(line, `"state":"`)
			state, _, _ = strings.Cut(state, `"`)
			if strings.Contains(line, `"kubelets":[]`) {
				state += " quickly"
			}
			found = append(found, state)
		}
		return found
	}
	full := states("verify")
	quick := states("verify", "--quick")
	if full[0] != "ok" || quick[0] != "ok quickly" || !slices.Equal(full[1:], quick[1:]) {
		t.Errorf("in full %q, quickly %q", full, quick)
	}
}
