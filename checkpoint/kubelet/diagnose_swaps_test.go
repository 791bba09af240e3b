package kubelet_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

var uid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// Two pods whose UIDs were exchanged are found, and exchanged back; not yet in a
// document within a string.
func TestDiagnoseExchangedPods(t *testing.T) {
	for _, file := range []string{
		"cpu/1.29/static-3pods.json", "cpu/1.37/static-3pods.json", "cpu/1.29/static-110pods.json",
		"memory/1.29/static-2numa-hugepages.json", "memory/1.37/static-2numa-hugepages.json",
	} {
		good, err := os.ReadFile("../../testdata/kubelets/" + file)
		if err != nil {
			t.Fatal(err)
		}
		var uids []string
		for _, found := range uid.FindAllString(string(good), -1) {
			if !slices.Contains(uids, found) {
				uids = append(uids, found)
			}
		}
		if len(uids) < 2 {
			t.Fatalf("%s: pods %q", file, uids)
		}
		x, y := uids[0], uids[len(uids)-1]
		bad := []byte(strings.NewReplacer(x, y, y, x).Replace(string(good)))
		kind := kubelet.Kind(strings.SplitN(file, "/", 2)[0])
		o := kubelet.Options{Kind: kind}
		found := kubelet.Diagnose(t.Context(), bad, kubelet.DiagnoseOptions{Options: o})
		if len(found) == 0 || found[0].Kind != kubelet.KindSwapped || !strings.Contains(found[0].Text, x) || !strings.Contains(found[0].Text, y) {
			t.Errorf("%s: %+v", file, found)
			continue
		}
		if strings.Contains(file, "/1.37/") {
			continue
		}
		mended, err := kubelet.Repair(bad, kubelet.Fix{Explanations: found, Apply: 1}, o)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if d := kubelet.Changes(kubelet.Judge(good, o).Content, mended.After.Content); len(d) > 0 {
			t.Errorf("%s: mended differs: %+v", file, d)
		}
	}
}
