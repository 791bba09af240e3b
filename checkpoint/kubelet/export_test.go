package kubelet

import "testing"

// SampleNode yields files of nodes with different numbers of pods, for tests
// outside of the package, each with a function that checks it as a kubelet does.
func SampleNode(tb testing.TB, i int) (blob []byte, kubelets func(*testing.B, []byte)) {
	formats := []*format{memoryV1Format, cpuV2Format, memoryV1Format, cpuV2Format, deviceV2Format}
	f := formats[i%len(formats)]
	pods := 10 + i*37%101
	return sampleFile(tb, f, "1.35", pods), func(b *testing.B, blob []byte) { referenceVerify(b, f, blob) }
}
