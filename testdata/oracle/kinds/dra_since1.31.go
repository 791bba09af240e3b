//go:build since1.31

package kinds

import (
	"encoding/json"

	drastate "k8s.io/kubernetes/pkg/kubelet/cm/dra/state"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

type draState struct {
	ClaimInfoStateList drastate.ClaimInfoStateList `json:"ClaimInfoStateList"`
}

var dra = serve.Kind{
	Name: "dra_manager_state",
	Restore: func(f serve.File) (any, error) {
		c, err := drastate.NewCheckpointer(f.Dir, f.Name)
		if err != nil {
			return nil, err
		}
		cp, err := c.GetOrCreate()
		if err != nil {
			return nil, err
		}
		claims, err := cp.GetClaimInfoStateList()
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
		c, err := drastate.NewCheckpointer(f.Dir, f.Name)
		if err != nil {
			return err
		}
		cp, err := drastate.NewCheckpoint(st.ClaimInfoStateList)
		if err != nil {
			return err
		}
		return c.Store(cp)
	},
	Sums: func(b []byte) []serve.Sum {
		cp := &drastate.Checkpoint{}
		return []serve.Sum{sumOf("v1", b, cp, func() any { return cp.Checksum })}
	},
}
