//go:build since1.29 && !since1.31

package kinds

import (
	"k8s.io/kubernetes/pkg/kubelet/checkpointmanager"
	"k8s.io/kubernetes/pkg/kubelet/checkpointmanager/errors"
	"k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/checkpoint"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

// deviceRead follows the device manager: the format of today, then that of
// 1.19 and before. If both fail, the first error counts.
func deviceRead(m checkpointmanager.CheckpointManager, name string) ([]checkpoint.PodDevicesEntry, map[string][]string, string, error) {
	format := "V2"
	cp := checkpoint.New(make([]checkpoint.PodDevicesEntry, 0), make(map[string][]string))
	if err := m.GetCheckpoint(name, cp); err != nil {
		if err == errors.ErrCheckpointNotFound {
			return nil, nil, "", err
		}
		format = "V1"
		cp = checkpoint.NewV1(make([]checkpoint.PodDevicesEntryV1, 0), make(map[string][]string))
		if m.GetCheckpoint(name, cp) != nil {
			return nil, nil, "", err
		}
	}
	entries, registered := cp.GetDataInLatestFormat()
	return entries, registered, format, nil
}

func deviceSums(b []byte) []serve.Sum {
	v1 := &checkpoint.DataV1{}
	v1.Data.PodDeviceEntries = []checkpoint.PodDevicesEntryV1{}
	v1.Data.RegisteredDevices = map[string][]string{}
	return []serve.Sum{deviceSum(b, "V2"), sumOf("V1", b, v1, func() any { return v1.Checksum })}
}
