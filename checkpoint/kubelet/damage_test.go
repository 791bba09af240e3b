package kubelet_test

import (
	"os"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Wherever a file breaks off, within an escape or a literal too, that is what is
// said of it.
func TestTruncatedAnywhere(t *testing.T) {
	for _, name := range []string{"cpu/1.37/static-3pods.json", "memory/1.37/static-2numa-hugepages.json"} {
		blob, err := os.ReadFile("../../testdata/kubelets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n < len(blob)-1; n++ {
			v := kubelet.Judge(blob[:n], kubelet.Options{Kind: kubelet.CPU})
			if v.Damage == nil || v.Damage.Reason != kubelet.DamageTruncated || v.Damage.Offset != int64(n) {
				t.Fatalf("%s, cut at %d behind %q: %+v", name, n, blob[n-1], v.Damage)
			}
		}
	}
	for _, text := range []string{`{"a":tr`, `{"a":1}x`, `{"a":"\ `} {
		v := kubelet.Judge([]byte(text), kubelet.Options{Kind: kubelet.CPU})
		if got := v.Damage.Reason == kubelet.DamageTruncated; got != (text == `{"a":tr`) {
			t.Errorf("%s: truncated %v", text, got)
		}
	}
}
