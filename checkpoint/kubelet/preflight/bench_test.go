package preflight_test

import (
	"path/filepath"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// BenchmarkStart judges the recorded starts for all releases at once, and the
// largest machine beside them.
func BenchmarkStart(b *testing.B) {
	var questions []preflight.Question
	for i, r := range readRecorded(b, filepath.Join(recordings, "cases.jsonl.gz")) {
		q, err := r.question("1.37")
		if q.Releases = nil; err == nil && i%10 == 0 {
			questions = append(questions, q)
		}
	}
	b.Run("recorded", func(b *testing.B) {
		for i := range b.N {
			if _, err := preflight.Start(questions[i%len(questions)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("largest", func(b *testing.B) {
		q := preflight.Question{Machine: largest(), Config: static(nil, "4097"), Only: kubelet.CPU}
		for b.Loop() {
			if _, err := preflight.Start(q); err != nil {
				b.Fatal(err)
			}
		}
	})
}
