//go:build since1.31

package kinds

import (
	"k8s.io/kubernetes/pkg/kubelet/checkpointmanager"
	"k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/checkpoint"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

func deviceRead(m checkpointmanager.CheckpointManager, name string) ([]checkpoint.PodDevicesEntry, map[string][]string, string, error) {
	cp := checkpoint.New(make([]checkpoint.PodDevicesEntry, 0), make(map[string][]string))
	if err := m.GetCheckpoint(name, cp); err != nil {
		return nil, nil, "", err
	}
	entries, registered := cp.GetData()
	return entries, registered, "V2", nil
}

func deviceSums(b []byte) []serve.Sum { return []serve.Sum{deviceSum(b, "V2")} }
