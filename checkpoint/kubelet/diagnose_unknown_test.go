package kubelet_test

import (
	"os"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Nothing can be said to have been right where no checksum says what there was.
func TestDiagnoseWithoutChecksum(t *testing.T) {
	blob, err := os.ReadFile("../../testdata/reports/77-rdma-fixture-no-entries-no-checksum.json")
	if err != nil {
		t.Fatal(err)
	}
	found := kubelet.Diagnose(t.Context(), blob, kubelet.DiagnoseOptions{})
	if len(found) != 1 || found[0].Kind != kubelet.KindValue || found[0].Confidence != kubelet.Possible || !strings.HasPrefix(found[0].Text, "no checksum is stored") {
		t.Errorf("found %+v", found)
	}
}
