package filestore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/kubeckpt/ckpt/filestore"
)

// value is a checkpoint of the usual size; no two are the same.
func value(i int) []byte {
	return fmt.Appendf(make([]byte, 0, 4096), "%-4000d", i)
}

// inTurns times two ways of doing the same in turns, so that a busy disk or
// machine hits both, and returns the median of each.
func inTurns(rounds int, a, b func(i int) error) (ta, tb time.Duration, err error) {
	var times [2][]time.Duration
	for i := range rounds {
		for side, do := range []func(int) error{a, b} {
			start := time.Now()
			if err := do(i); err != nil {
				return 0, 0, err
			}
			times[side] = append(times[side], time.Since(start))
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return times[0][rounds/2], times[1][rounds/2], nil
}

// priceOfPut compares durable writes with the kubelet's order on the same disk,
// ten at a time: the kubelet's leave a rename to the journal, which the next fsync
// has to write, and that should be one of its own.
func priceOfPut(dir string, rounds int) (ours, control time.Duration, err error) {
	s, err := filestore.Open(filepath.Join(dir, "ours"))
	if err != nil {
		return 0, 0, err
	}
	k := kubeletOrder{afero.NewOsFs(), filepath.Join(dir, "control")}
	if err := os.Mkdir(k.dir, 0o755); err != nil {
		return 0, 0, err
	}
	const times = 10
	repeat := func(st store) func(int) error {
		return func(round int) error {
			for i := range times {
				if err := st.Write("k", value(round*times+i)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	ours, control, err = inTurns(rounds, repeat(s), repeat(k))
	return ours / times, control / times, err
}

// priceOfRead compares reads with os.ReadFile, a hundred at a time.
func priceOfRead(dir string, rounds, size int) (ours, control time.Duration, err error) {
	s, err := filestore.Open(dir)
	if err == nil {
		err = s.Write("k", make([]byte, size))
	}
	if err != nil {
		return 0, 0, err
	}
	path := filepath.Join(dir, "k")
	const times = 100
	return inTurns(rounds,
		func(int) (err error) {
			for range times {
				_, err = s.Read("k")
			}
			return err
		},
		func(int) (err error) {
			for range times {
				_, err = os.ReadFile(path)
			}
			return err
		})
}

// BenchmarkPut prints what durability costs: ours/control is the ratio.
func BenchmarkPut(b *testing.B) {
	ours, control, err := priceOfPut(b.TempDir(), b.N)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(ours)/float64(control), "ours/control")
	b.ReportMetric(float64(ours.Microseconds()), "µs-ours")
	b.ReportMetric(float64(control.Microseconds()), "µs-control")
}

// BenchmarkRead prints the ratio to os.ReadFile.
func BenchmarkRead(b *testing.B) {
	for _, size := range []int{4 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("%dk", size>>10), func(b *testing.B) {
			ours, control, err := priceOfRead(b.TempDir(), b.N, size)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(ours)/float64(control), "ours/control")
		})
	}
}
