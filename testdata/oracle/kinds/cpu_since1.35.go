//go:build since1.35

package kinds

import (
	"github.com/go-logr/logr"
	"k8s.io/kubernetes/pkg/kubelet/cm/containermap"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func cpuOpen(f serve.File, running containermap.ContainerMap) (cpustate.State, error) {
	return cpustate.NewCheckpointState(logr.Discard(), f.Dir, f.Name, f.Policy, running)
}
