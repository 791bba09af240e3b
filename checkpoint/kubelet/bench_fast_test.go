package kubelet

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"reflect"
	"strconv"
	"testing"
	"time"

	"k8s.io/utils/dump"

	"github.com/kubeckpt/ckpt/internal/fastsum"
)

var samplePods = []int{1, 110, 5000}

// BenchmarkVerify compares the check of a file, from its bytes to its sums, with
// the kubelet's way.
func BenchmarkVerify(b *testing.B) {
	for _, s := range sampleFormats {
		for _, pods := range samplePods {
			b.Run(s.name+"/"+strconv.Itoa(pods), func(b *testing.B) {
				blob := sampleFile(b, s.format, s.release, pods)
				var sc fastsum.Scanner
				duel(b, func() {
					if !sc.Run(s.format.road().plan, blob) {
						b.Fatal("not verified")
					}
				}, func() { referenceVerify(b, s.format, blob) })
			})
		}
	}
}

// BenchmarkEncode compares the writing of a document, from the Go value to bytes
// with the sum in them.
func BenchmarkEncode(b *testing.B) {
	for _, s := range sampleFormats {
		for _, pods := range samplePods {
			b.Run(s.name+"/"+strconv.Itoa(pods), func(b *testing.B) {
				doc, err := s.format.build(sample(b, s.format.id.Kind, pods), s.release)
				if err != nil {
					b.Fatal(err)
				}
				fresh := func() any { // the sums of doc are 0 for each
					for i := range s.format.sums {
						s.format.sums[i].set(doc, 0)
					}
					return doc
				}
				duel(b, func() {
					if _, err := s.format.marshal(fresh()); err != nil {
						b.Fatal(err)
					}
				}, func() {
					doc := fresh()
					for i := range s.format.sums {
						sm := &s.format.sums[i]
						sm.set(doc, referenceSum(sm, doc)&(1<<32-1))
					}
					if _, err := json.Marshal(doc); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}

// referenceVerify does what a kubelet does: encoding/json, the dump, hash/fnv.
// Of a file with two halves it checks the sum that the kubelet checks; it
// decodes a document within a string as well.
func referenceVerify(b *testing.B, f *format, blob []byte) {
	doc := f.fresh()
	if err := f.unmarshal(blob, doc); err != nil {
		b.Fatal(err)
	}
	referenceSum(&f.sums[0], doc)
	if f.inner != nil && f.decode == nil {
		if err := json.Unmarshal([]byte(f.inner.text(doc)), reflect.New(f.inner.typ).Interface()); err != nil {
			b.Fatal(err)
		}
	}
}

func referenceSum(sm *sum, doc any) uint64 {
	v, _ := sm.spellings[0].value(doc)
	if sm.algorithm == algCRC {
		return uint64(crc32.ChecksumIEEE([]byte(v.(string))))
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%v", dump.ForHash(v))
	return uint64(h.Sum32())
}

// duel runs two functions in short turns, as ckpt and reference, so that both
// meet the same load. Each reports its best time; ckpt also reports how many
// times as long the reference takes.
func duel(b *testing.B, ckpt, reference func()) {
	const turn = 200 * time.Microsecond
	spend := func(f func()) time.Duration {
		start, calls := time.Now(), 0
		for calls == 0 || time.Since(start) < turn {
			f()
			calls++
		}
		return time.Since(start) / time.Duration(calls)
	}
	run := func(b *testing.B) (best, other time.Duration) {
		best, other = spend(ckpt), spend(reference)
		for b.Loop() {
			best, other = min(best, spend(ckpt)), min(other, spend(reference))
		}
		b.ReportMetric(0, "ns/op") // of a turn, which says nothing
		return best, other
	}
	b.Run("ckpt", func(b *testing.B) {
		best, other := run(b)
		b.ReportMetric(float64(best)/1e3, "µs/file")
		b.ReportMetric(testing.AllocsPerRun(3, ckpt), "allocs/file")
		b.ReportMetric(float64(other)/float64(best), "x-faster")
	})
	b.Run("reference", func(b *testing.B) {
		_, other := run(b)
		b.ReportMetric(float64(other)/1e3, "µs/file")
		b.ReportMetric(testing.AllocsPerRun(1, reference), "allocs/file")
	})
}

// BenchmarkLinear shows that a pod costs as much in a huge file as in a small
// one.
func BenchmarkLinear(b *testing.B) {
	for _, s := range sampleFormats[:2] {
		for _, pods := range []int{500, 5000, 50_000} {
			b.Run(s.name+"/"+strconv.Itoa(pods), func(b *testing.B) {
				blob := sampleFile(b, s.format, s.release, pods)
				var v Verifier
				best := time.Hour
				for b.Loop() {
					start := time.Now()
					if _, ok := v.Verify(s.format.id.Kind, blob); !ok {
						b.Fatal("not verified")
					}
					best = min(best, time.Since(start))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(best)/float64(pods), "ns/pod")
				b.ReportMetric(float64(len(blob))/best.Seconds()/1e6, "MB/s")
			})
		}
	}
}
