package checksum

// CorruptCheckpointError reports a stored sum that is not the sum of what was
// read. errors.Is matches any two of them, given by value or by pointer,
// whatever their sums; use errors.As to learn those.
type CorruptCheckpointError struct {
	ActualCS   uint64 // computed from the content
	ExpectedCS uint64 // stored beside it
}

// ErrCorruptCheckpoint serves code written for the checkpoint manager of
// Kubernetes 1.30 and before, where corruption was a plain value:
// errors.Is(err, ErrCorruptCheckpoint) holds for every corruption error.
// Comparing with == does not.
var ErrCorruptCheckpoint error = CorruptCheckpointError{}

// Error returns the kubelet's text, which log searches rely on; the sums are
// fields.
func (CorruptCheckpointError) Error() string {
	return "checkpoint is corrupted"
}

// Is reports whether target is a CorruptCheckpointError or a pointer to one.
func (CorruptCheckpointError) Is(target error) bool {
	switch target.(type) {
	case CorruptCheckpointError, *CorruptCheckpointError:
		return true
	}
	return false
}
