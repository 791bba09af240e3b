//go:build since1.29 && !since1.35

package kinds

import (
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func cpuOpen(f serve.File, running containermap.ContainerMap) (cpustate.State, error) {
	return cpustate.NewCheckpointState(f.Dir, f.Name, f.Policy, running)
}
