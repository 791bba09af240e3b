//go:build since1.29 && !since1.34

package kinds

import (
	memstate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func memoryOpen(f serve.File) (memstate.State, error) {
	return memstate.NewCheckpointState(f.Dir, f.Name, f.Policy)
}
