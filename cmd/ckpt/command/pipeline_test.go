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
	for _, n := range []int{0, 1, 2, 4} {
		var got []string
		for f, err := range inOrder(t.Context(), items(100), n, func(_ *worker, item input.Item) render.File {
			if item.Name[len(item.Name)-1] == '0' {
				time.Sleep(time.Millisecond) // is overtaken
			}
			return render.File{Name: item.Name}
		}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, f.Name)
		}
		if len(got) != 100 || got[37] != "37" || !slices.IsSortedFunc(got, func(a, b string) int {
			return len(a)*1000 - len(b)*1000 + strings.Compare(a, b)
		}) {
			t.Errorf("%d workers: %q", n, got)
		}
	}
}

// An interrupt ends the run although a read hangs, or the search for files, and
// leaves what was finished before it.
func TestInOrderInterrupted(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for _, hangs := range []string{"read", "search"} {
			ctx, interrupt := context.WithCancel(t.Context())
			hang := make(chan struct{})
			found := func(yield func(input.Item) bool) {
				for item := range items(100) {
					if hangs == "search" && item.Name == "10" {
						interrupt()
						<-hang
					}
					if !yield(item) {
						return
					}
				}
			}
			n := 0
			var last error
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for _, err := range inOrder(ctx, found, workers, func(_ *worker, item input.Item) render.File {
					if hangs == "read" && item.Name == "10" {
						interrupt()
						<-hang
					}
					return render.File{Name: item.Name}
				}) {
					if last = err; err == nil {
						n++
					}
				}
			}()
			select {
			case <-ended:
			case <-time.After(time.Minute):
				t.Errorf("%d workers: a %s that hangs holds the interrupt up", workers, hangs)
			}
			close(hang)
			<-ended
			if n > 10 || last != context.Canceled {
				t.Errorf("%d workers, hanging %s: %d files, although the 11th hangs, and at last %v", workers, hangs, n, last)
			}
		}
	}
}

// What is at its end did not end early, even if it is asked after an interrupt.
func TestAwait(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	c := make(chan int, 2)
	c <- 1
	c <- 2
	if v, more, err := await(ctx, c); v != 1 || !more || err != nil {
		t.Errorf("before: %d, %t, %v", v, more, err)
	}
	interrupt()
	if _, more, err := await(ctx, c); !more || err != context.Canceled {
		t.Errorf("what comes after: %t, %v", more, err)
	}
	if _, more, err := await(ctx, c); !more || err != context.Canceled {
		t.Errorf("nothing comes: %t, %v", more, err)
	}
	close(c)
	for range 100 {
		if _, more, err := await(ctx, c); more || err != nil {
			t.Fatalf("the end: %t, %v", more, err)
		}
	}
}

func TestInOrderStops(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
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
