//go:build since1.29 && !since1.31

package kinds

import (
	"encoding/json"

	drastate "k8s.io/kubernetes/pkg/kubelet/cm/dra/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

type draState struct {
	Entries drastate.ClaimInfoStateList `json:"entries"`
}

var dra = serve.Kind{
	Name: "dra_manager_state",
	Restore: func(f serve.File) (any, error) {
		s, err := drastate.NewCheckpointState(f.Dir, f.Name)
		if err != nil {
			return nil, err
		}
		claims, err := s.GetOrCreate()
		if err != nil {
			return nil, err
		}
		return draState{claims}, nil
	},
	Write: func(f serve.File, raw json.RawMessage) error {
		var st draState
		if err := serve.Decode(raw, &st); err != nil {
			return err
		}
		s, err := drastate.NewCheckpointState(f.Dir, f.Name)
		if err != nil {
			return err
		}
		return s.Store(st.Entries)
	},
	Sums: func(b []byte) []serve.Sum {
		cp := drastate.NewDRAManagerCheckpoint()
		return []serve.Sum{sumOf("v1", b, cp, func() any { return cp.Checksum })}
	},
}
