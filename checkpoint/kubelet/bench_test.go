package kubelet

import (
	"testing"
	"time"
)

// BenchmarkJudge prints what it costs to ask all releases instead of one. The
// two take turns, so that the ratio holds whatever else the machine does.
func BenchmarkJudge(b *testing.B) {
	for _, name := range []string{
		"cpu/1.37/static-110pods.json", "cpu/1.29/static-110pods.json",
		"memory/1.37/static-110pods.json", "memory/1.29/static-110pods.json",
		"device/1.29/110pods.json", "dra/1.35/110claims.json", "allocated/1.37/110pods.json",
	} {
		b.Run(name, func(b *testing.B) {
			g := goldenByFile(b, name)
			blob := g.read(b)
			all := g.options()
			one := all
			one.Releases, one.Gates = []string{"1.37"}, map[string]bool{}
			var tAll, tOne time.Duration
			for b.Loop() {
				start := time.Now()
				Judge(blob, all)
				middle := time.Now()
				Judge(blob, one)
				tAll += middle.Sub(start)
				tOne += time.Since(middle)
			}
			b.ReportMetric(float64(tAll)/float64(tOne), "all/one")
			b.ReportMetric(float64(tOne.Microseconds())/float64(b.N), "µs/one")
		})
	}
}
