package kinds

import "github.com/kubeckpt/ckpt/testdata/oracle/serve"

// summed is a checkpoint that checks its sum in a call of its own.
type summed interface {
	MarshalCheckpoint() ([]byte, error)
	UnmarshalCheckpoint([]byte) error
	VerifyChecksum() error
}

// sumOf reads b as one checkpoint struct. Marshalling computes the sum anew.
func sumOf(format string, b []byte, cp summed, stored func() any) serve.Sum {
	s := serve.Sum{Format: format}
	if err := cp.UnmarshalCheckpoint(b); err != nil {
		s.Error = err.Error()
		return s
	}
	s.Stored = stored()
	if err := cp.VerifyChecksum(); err != nil {
		s.Error = err.Error()
	}
	if _, err := cp.MarshalCheckpoint(); err == nil {
		s.Computed = stored()
	}
	return s
}
