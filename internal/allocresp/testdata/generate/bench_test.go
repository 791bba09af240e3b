package main

import (
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/internal/allocresp"
	"google.golang.org/protobuf/proto"
	google "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
	gogo "k8s.io/kubelet33/pkg/apis/deviceplugin/v1beta1"
)

// BenchmarkDecode decodes one response with each decoder in turn.
func BenchmarkDecode(b *testing.B) {
	var times [4]time.Duration
	for b.Loop() {
		for i, decode := range []func(){
			func() { _ = new(gogo.ContainerAllocateResponse).Unmarshal(sample) },
			func() { _, _ = allocresp.Decode(sample, allocresp.Gogo) },
			func() { _ = proto.Unmarshal(sample, new(google.ContainerAllocateResponse)) },
			func() { _, _ = allocresp.Decode(sample, allocresp.Google) },
		} {
			start := time.Now()
			decode()
			times[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(times[1])/float64(times[0]), "x-of-gogo")
	b.ReportMetric(float64(times[3])/float64(times[2]), "x-of-google")
}
