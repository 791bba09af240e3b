package kubelet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// Whenever the context ends, no stage begins after that, and what is said tells
// that the search was stopped.
func TestDiagnoseInterrupted(t *testing.T) {
	for _, name := range []string{"cpu/1.36/static-pod-level+PLRM.json", "memory/1.29/static-2numa-hugepages.json"} {
		g := goldenByFile(t, name)
		s := newSession(g.read(t))
		f := s.identify(tableOf(g.Kind)).format
		doc := s.decode(f).doc
		f.sums[0].set(doc, 3141592653)
		blob, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		for stop := 1; ; stop++ {
			ctx, cancel := context.WithCancel(context.Background())
			begun := 0
			list := Diagnose(ctx, blob, DiagnoseOptions{Options: Options{Kind: g.Kind}, Progress: func(string) {
				if begun++; begun == stop {
					cancel()
				}
			}})
			cancel()
			if begun < stop {
				if stop < 10 {
					t.Errorf("%s: %d stages only", name, begun)
				}
				break
			}
			last := list[len(list)-1]
			if begun > stop || last.Kind != KindUnknown || !strings.Contains(last.Text, "stopped before its end") {
				t.Errorf("%s: stopped at stage %d of %d begun: %+v", name, stop, begun, last)
			}
		}
	}
}

// countedContext ends after it was asked a number of times, and counts how often
// it is asked after that.
type countedContext struct {
	context.Context
	left, after int
}

var errCounted = errors.New("asked often enough")

func (c *countedContext) Err() error {
	if c.left > 0 {
		c.left--
		return nil
	}
	c.after++
	return errCounted
}

// longValues are files with one value, or name, of n bytes that no kubelet writes.
func longValues(t *testing.T, n int) map[string][]byte {
	all := map[string][]byte{}
	for name, at := range map[string][3]string{
		"name":       {"cpu/1.29/static-3pods.json", `"app"`, strings.Repeat("A", n)},
		"pod":        {"cpu/1.29/static-3pods.json", "922acc1f", strings.Repeat("A", n)},
		"policy":     {"cpu/1.29/static-3pods.json", `"static"`, strings.Repeat("A", n)},
		"dual":       {"cpu/1.37/static-3pods.json", `"app"`, strings.Repeat("A", n)},
		"escapes":    {"cpu/1.29/static-3pods.json", `"app"`, strings.Repeat("\\u0041", n/6)},
		"resource":   {"memory/1.29/static-2numa-hugepages.json", `"hugepages-1Gi"`, strings.Repeat("A", n)},
		"set":        {"cpu/1.29/static-3pods.json", `"2-3"`, strings.Repeat("2,", n/2) + "2"},
		"device":     {"device/1.29/2resources-numa.json", `"ContainerName":"`, `"ContainerName":"` + strings.Repeat("A", n)},
		"in a claim": {"dra/1.35/2claims.json", "ClaimName", "ClaimName" + strings.Repeat("A", n)},
		"of a CRC":   {"dra/1.35/2claims.json", `\"gpu.example.com\"`, strings.Repeat("A", n)},
	} {
		old, text := at[1], at[2]
		switch {
		case strings.HasPrefix(old, `\"`):
			text = `\"` + text + `\"`
		case strings.HasSuffix(old, `"`) && strings.HasPrefix(old, `"`) && !strings.Contains(old, ":"):
			text = `"` + text + `"`
		}
		blob := goldenByFile(t, at[0]).read(t)
		edited := bytes.Replace(blob, []byte(old), []byte(text), 1)
		if bytes.Equal(blob, edited) {
			t.Fatalf("%s: %q is not in %s", name, old, at[0])
		}
		all[name] = edited
	}
	return all
}

// A long value does not hold up the end: wherever the context ends, it is asked
// but a few times more.
func TestDiagnoseLongValues(t *testing.T) {
	for _, n := range []int{60_000, 400_000} {
		for name, blob := range longValues(t, n) {
			for _, left := range []int{600, 30_000} {
				ctx := &countedContext{Context: context.Background(), left: left}
				list := Diagnose(ctx, blob, DiagnoseOptions{})
				if ctx.after > 200 {
					t.Errorf("%s of %d bytes: asked %d times after the end", name, n, ctx.after)
				}
				for _, e := range list {
					if ctx.after > 0 && e.Confidence == Certain && e.Kind != KindTruncated {
						t.Errorf("%s of %d bytes: stopped, and certain: %+v", name, n, e)
					}
				}
			}
		}
	}
}

// Each stage looks at the context for each place, and not only between values:
// begun after the end, it tries next to nothing, whatever the lengths are.
func TestSearchStagesStop(t *testing.T) {
	const few = 100
	searched := 0
	for name, blob := range longValues(t, 60_000) {
		ctx := &countedContext{Context: context.Background()}
		d := &diagnosis{ctx: ctx, blob: blob, o: &DiagnoseOptions{Deep: true}, v: Judge(blob, Options{}), s: newSession(blob)}
		if d.k = tableOf(d.v.Kind); d.k == nil || d.v.Damage != nil {
			continue
		}
		f := d.s.identify(d.k).format
		sk, err := d.s.sketchOf(d.k.kind, f, &f.sums[0], &f.sums[0].spellings[0])
		if err != nil {
			t.Fatal(err)
		}
		s := newSearch(d, f, &f.sums[0], sk)
		for _, stage := range s.stages() {
			tried, asked := s.tried+s.all, ctx.after
			stage.run()
			if n := s.tried + s.all - tried; n > few || ctx.after-asked > few {
				t.Errorf("%s: %q tried %d candidates and asked %d times after the end", name, stage.name, n, ctx.after-asked)
			}
		}
		tried := s.tried
		for tok := range sk.tokens {
			s.spelledEdits(tok)
			s.keyEdits(tok, true)
			s.dictionary(tok)
			s.lostIn(tok, 3)
		}
		if n := s.tried - tried; n > 0 {
			t.Errorf("%s: %d candidates tried for single values after the end", name, n)
		}
		searched++
	}
	if searched < 9 {
		t.Errorf("%d files were searched", searched)
	}
}

// What was found before a search was stopped may not be all there is.
func TestStoppedIsNotCertain(t *testing.T) {
	blob := bytes.Replace(goldenByFile(t, "cpu/1.29/static-3pods.json").read(t), []byte(`"app":"2-3"`), []byte(`"app":"2-4"`), 1)
	for left := 0; left < 1<<20; left++ {
		ctx := &countedContext{Context: context.Background(), left: left}
		list := Diagnose(ctx, blob, DiagnoseOptions{})
		e := list[0]
		switch {
		case ctx.after == 0 && left > 0:
			if e.Confidence != Certain || len(e.Evidence) > 0 {
				t.Errorf("not stopped: %+v", e)
			}
			return
		case ctx.after > 0 && e.Confidence == Certain:
			t.Errorf("stopped, and certain: %+v", e)
		case e.Kind == KindValue && e.Old == "2-3" && !strings.Contains(strings.Join(e.Evidence, ""), "stopped before its end"):
			t.Errorf("stopped, and not said: %+v", e)
		}
	}
	t.Error("never ends")
}
