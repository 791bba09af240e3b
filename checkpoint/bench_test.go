package checkpoint_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
)

// BenchmarkUpdate prepares and unprepares one claim beside others, once with a
// State and once with a manager, in one run. Both are in memory: on a disk they
// wait for the same fsyncs.
func BenchmarkUpdate(b *testing.B) {
	for _, claims := range []int{10, 100} {
		b.Run(fmt.Sprint(claims), func(b *testing.B) {
			doc := claimsV1{Claims: map[string][]string{}}
			for i := range claims {
				doc.Claims[fmt.Sprintf("3c6a2f0e-%04d-4c8b-9a51-5d0f8f3b7a10", i)] = []string{"gpu-0", "gpu-1"}
			}
			state := openState[claimsV1](b, fastDir(b), versions(1))
			if err := state.Update(background, func(d *claimsV1) error { *d = doc; return nil }); err != nil {
				b.Fatal(err)
			}
			manager, err := checkpoint.NewCheckpointManager(fastDir(b))
			if err != nil {
				b.Fatal(err)
			}
			if err := manager.CreateCheckpoint(key, &jsonStore{V1: &doc}); err != nil {
				b.Fatal(err)
			}
			toggle := func(d *claimsV1) error {
				if _, ok := d.Claims["one"]; ok {
					delete(d.Claims, "one")
				} else {
					d.Claims["one"] = []string{"gpu-7"}
				}
				return nil
			}
			var ours, theirs time.Duration
			for b.Loop() {
				start := time.Now()
				if err := state.Update(background, toggle); err != nil {
					b.Fatal(err)
				}
				half := time.Now()
				var cp jsonStore
				err := manager.GetCheckpoint(key, &cp)
				if err == nil {
					_ = toggle(cp.V1)
					err = manager.CreateCheckpoint(key, &cp)
				}
				if err != nil {
					b.Fatal(err)
				}
				ours, theirs = ours+half.Sub(start), theirs+time.Since(half)
			}
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "state-µs")
			b.ReportMetric(float64(theirs.Microseconds())/float64(b.N), "manager-µs")
			b.ReportMetric(float64(ours)/float64(theirs), "state/manager")
		})
	}
}
