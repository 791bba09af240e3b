package checkpoint

import (
	"errors"

	"github.com/kubeckpt/ckpt/checksum"
)

// ErrCheckpointNotFound is returned by GetCheckpoint for a key that has no
// checkpoint. It is returned as it is, so that == works as well as errors.Is.
var ErrCheckpointNotFound = errors.New("checkpoint is not found")

// CorruptCheckpointError is what VerifyChecksum, and so GetCheckpoint, returns
// for a checkpoint whose sum is not the stored one.
type CorruptCheckpointError = checksum.CorruptCheckpointError

// ErrCorruptCheckpoint matches every CorruptCheckpointError in errors.Is. It is
// for code that was written for Kubernetes 1.30 and before.
var ErrCorruptCheckpoint = checksum.ErrCorruptCheckpoint
