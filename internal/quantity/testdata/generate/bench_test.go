package main

import (
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/internal/quantity"
	"k8s.io/apimachinery/pkg/api/resource"
)

// BenchmarkDecode decodes and encodes what containers ask for, with either
// implementation in turn.
func BenchmarkDecode(b *testing.B) {
	inputs := [][]byte{[]byte(`"500m"`), []byte(`"2"`), []byte(`"1Gi"`), []byte(`"0.5"`), []byte(`"1.5Gi"`), []byte(`"107374182400"`)}
	var theirs, ours time.Duration
	for b.Loop() {
		start := time.Now()
		for _, in := range inputs {
			var q resource.Quantity
			_ = q.UnmarshalJSON(in)
			_, _ = q.MarshalJSON()
		}
		between := time.Now()
		for _, in := range inputs {
			var q quantity.Quantity
			_ = q.UnmarshalJSON(in)
			_, _ = q.MarshalJSON()
		}
		theirs += between.Sub(start)
		ours += time.Since(between)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "x-of-apimachinery")
}
