package main

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/oracle"
)

// minimiseTime bounds the work on one finding.
const minimiseTime = 15 * time.Second

// minimise makes a file smaller as long as the disagreement with one kubelet
// stays of the same class.
func minimise(c *oracle.Court, f file, label, class string) (file, disagreement) {
	best := f
	var shown disagreement
	holds := func(candidates []file) (file, bool) {
		answers, _, err := c.Restore(cases(candidates))
		if err != nil {
			return file{}, false
		}
		for i := range candidates {
			v := kubelet.Judge(candidates[i].Blob, candidates[i].options())
			for _, d := range compare(&candidates[i], &v, answers[i]) {
				if d.label == label && d.class(f.Kind) == class {
					shown = d
					return candidates[i], true
				}
			}
		}
		return file{}, false
	}
	holds([]file{f})
	end := time.Now().Add(minimiseTime)
	for time.Now().Before(end) {
		smaller := smallerFiles(best)
		found := false
		for chunk := range slices.Chunk(smaller, 32) {
			if next, ok := holds(chunk); ok {
				best, found = next, true
				break
			}
			if time.Now().After(end) {
				break
			}
		}
		if !found {
			break
		}
	}
	return best, shown
}

// smallerFiles are copies of f with less in them, with the old sum and with
// one that fits.
func smallerFiles(f file) []file {
	var out []file
	add := func(blob []byte) {
		if len(blob) >= len(f.Blob) {
			return
		}
		g := f
		g.Blob = blob
		if root, err := parse(blob); err == nil && root.kind == '{' {
			for _, format := range append([]string{""}, formatIDs[f.Kind]...) {
				h := g
				h.Blob = resumAs(steady(), g, root.clone(), format)
				out = append(out, h)
			}
		}
		out = append(out, g)
	}
	root, err := parse(f.Blob)
	if err != nil {
		for n := len(f.Blob) / 2; n > 0; n /= 2 {
			for at := 0; at+n <= len(f.Blob); at += n {
				add(slices.Delete(slices.Clone(f.Blob), at, at+n))
			}
		}
		return out
	}
	for i := range root.places() {
		t := root.clone()
		t.places()[i].remove()
		add(t.bytes())
	}
	if data := root.field("data"); data != nil {
		if inner, err := parse([]byte(data.text)); err == nil {
			for i := range inner.places() {
				t := inner.clone()
				t.places()[i].remove()
				whole := root.clone()
				whole.field("data").text = string(t.bytes())
				add(whole.bytes())
			}
		}
	}
	slices.SortStableFunc(out, func(a, b file) int { return len(a.Blob) - len(b.Blob) })
	return out
}

// steady is a random source for work that must not disturb the main one.
func steady() *rand.Rand { return rand.New(rand.NewPCG(1, 7)) }
