package kinds

import (
	"encoding/json"
	"strings"

	"k8s.io/kubernetes/pkg/kubelet/checkpointmanager"
	"k8s.io/kubernetes/pkg/kubelet/checkpointmanager/errors"
	"k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/checkpoint"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

// deviceState is what the file of a kubelet says.
type deviceState struct {
	PodDeviceEntries  []checkpoint.PodDevicesEntry `json:"PodDeviceEntries"`
	RegisteredDevices map[string][]string          `json:"RegisteredDevices"`

	// Format and Dropped are only in answers: as what the file was read, and
	// the entries that the device manager leaves out then, because AllocResp
	// is no ContainerAllocateResponse.
	Format  string    `json:"format,omitempty"`
	Dropped []dropped `json:"dropped,omitempty"`
}

type dropped struct {
	Index int    `json:"index"`
	Error string `json:"error"`
}

var device = serve.Kind{
	Name: "kubelet_internal_checkpoint",
	Restore: func(f serve.File) (any, error) {
		m, err := checkpointmanager.NewCheckpointManager(f.Dir)
		if err != nil {
			return nil, err
		}
		st := &deviceState{}
		st.PodDeviceEntries, st.RegisteredDevices, st.Format, err = deviceRead(m, f.Name)
		if err == errors.ErrCheckpointNotFound {
			return st, nil // the device manager starts empty, and writes nothing yet
		}
		if err != nil {
			return nil, err
		}
		for i, e := range st.PodDeviceEntries {
			if err := allocRespError(e.AllocResp); err != nil {
				// The protobuf library writes a space or U+00A0 here, by a hash of the program.
				text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
				st.Dropped = append(st.Dropped, dropped{i, text})
			}
		}
		return st, nil
	},
	Write: func(f serve.File, raw json.RawMessage) error {
		var st deviceState
		if err := serve.Decode(raw, &st); err != nil {
			return err
		}
		m, err := checkpointmanager.NewCheckpointManager(f.Dir)
		if err != nil {
			return err
		}
		return m.CreateCheckpoint(f.Name, checkpoint.New(st.PodDeviceEntries, st.RegisteredDevices))
	},
	Sums: deviceSums,
}

func deviceSum(b []byte, format string) serve.Sum {
	cp := &checkpoint.Data{}
	cp.Data.PodDeviceEntries = []checkpoint.PodDevicesEntry{}
	cp.Data.RegisteredDevices = map[string][]string{}
	return sumOf(format, b, cp, func() any { return cp.Checksum })
}
