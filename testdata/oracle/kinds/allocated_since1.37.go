//go:build since1.37

package kinds

import (
	"github.com/go-logr/logr"
	"k8s.io/kubernetes/pkg/kubelet/allocation/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func allocatedOpen(f serve.File) (state.State, error) {
	return state.NewStateCheckpoint(logr.Discard(), f.Dir, f.Name)
}
