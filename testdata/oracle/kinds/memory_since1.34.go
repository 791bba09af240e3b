//go:build since1.34

package kinds

import (
	"github.com/go-logr/logr"
	memstate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func memoryOpen(f serve.File) (memstate.State, error) {
	return memstate.NewCheckpointState(logr.Discard(), f.Dir, f.Name, f.Policy)
}
