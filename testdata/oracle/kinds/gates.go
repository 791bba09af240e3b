//go:build since1.29

package kinds

import (
	"flag"
	"io"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"
	_ "k8s.io/kubernetes/pkg/features" // registers the gates

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

var all = map[string]serve.Kind{
	"cpu":       cpu,
	"memory":    memory,
	"device":    device,
	"dra":       dra,
	"allocated": allocated,
}

func gates(names []string) map[string]bool {
	out := map[string]bool{}
	known := utilfeature.DefaultMutableFeatureGate.GetAll()
	for _, n := range names {
		if _, ok := known[featuregate.Feature(n)]; ok {
			out[n] = utilfeature.DefaultMutableFeatureGate.Enabled(featuregate.Feature(n))
		}
	}
	return out
}

func setGates(to map[string]bool) (undo func(), err error) {
	names := make([]string, 0, len(to))
	for n := range to {
		names = append(names, n)
	}
	old := gates(names)
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(to); err != nil {
		return nil, err
	}
	return func() {
		if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(old); err != nil {
			panic(err) // they were like that before
		}
	}, nil
}

// silence keeps the kubelet's log off the terminal.
func silence() {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
}
