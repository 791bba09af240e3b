//go:build since1.33 && !since1.37

package kinds

import (
	"k8s.io/kubernetes/pkg/kubelet/allocation/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func allocatedOpen(f serve.File) (state.State, error) {
	return state.NewStateCheckpoint(f.Dir, f.Name)
}
