package kubelet

import (
	"fmt"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
)

// Reading says what a file was found to be by ReadCPU and the like.
type Reading struct {
	Format string // "device/v1"
	// State is StateOK, StateUnsigned (no sum protects the file, as in some that
	// kubelets accept) or StateCorrupt; then the error says so, too.
	State State
	// Findings are what Judge has to say of the file: good bytes can say what is
	// impossible, such as a CPU that two containers have.
	Findings []Finding
}

// ReadError says why a file is not read, or why what was read is not to be
// trusted.
type ReadError struct {
	Kind    Kind   // what was asked for
	Format  string // what it is, if that is known
	State   State  // StateCorrupt, StateDamaged or StateOther
	Damage  *Damage
	Problem string // the sentence, without the kind
}

func (e *ReadError) Error() string {
	what := e.Format
	if what == "" {
		what = string(e.Kind)
	}
	return fmt.Sprintf("cannot read the %s file: %s", what, e.Problem)
}

// Is matches the corruption errors of packages checksum and checkpoint if the
// file's sum does not fit.
func (e *ReadError) Is(target error) bool {
	return e.State == StateCorrupt && checksum.CorruptCheckpointError{}.Is(target)
}

// ReadCPU reads a cpu_manager_state of any version. So do the other functions
// for the other files; what they have in common is said here.
//
// They read what any known kubelet has written, and return it in one shape. If
// the sum does not fit, the state is returned together with a *ReadError whose
// State is StateCorrupt: who only displays it may go on, who acts on it should
// not. After any other error the state is nil. A file without a sum, which some
// kubelets accept, is no error; Reading.State is StateUnsigned. So are null and {}
// for the files of the CPU, memory and DRA managers: a kubelet takes them for an
// empty state, and so is what is returned. Who must tell "nothing" from "nothing
// left" looks at Reading.State.
//
// A field that no known kubelet writes is not in what is returned; it is named in
// Reading.Findings, as "unknown-field", and not an error. It is no sign of damage if
// the sum fits: then a kubelet that came later, or another program, has added it.
//
// They are pure functions of the bytes, like Judge, and accept any input. A
// kubelet may be about to replace the file that was read; it replaces it as a
// whole, so that there is nothing to lock.
func ReadCPU(blob []byte) (*CPUState, Reading, error) { return read[CPUState](CPU, blob) }

// ReadMemory reads a memory_manager_state. See ReadCPU.
func ReadMemory(blob []byte) (*MemoryState, Reading, error) { return read[MemoryState](Memory, blob) }

// ReadDevices reads a kubelet_internal_checkpoint. Up to 1.19 it lists the ids of
// devices without NUMA nodes; those are given under node 0, as later kubelets
// take them. DeviceEntry.IDs has the ids alone. See ReadCPU.
func ReadDevices(blob []byte) (*DeviceState, Reading, error) { return read[DeviceState](Device, blob) }

// ReadDRA reads a dra_manager_state. DRAState.List has the claims of every
// version in one shape. See ReadCPU.
func ReadDRA(blob []byte) (*DRAState, Reading, error) { return read[DRAState](DRA, blob) }

// ReadAllocated reads an allocated_pods_state, actuated_pods_state or
// pod_status_manager_state. AllocatedState.ByPod has the resources of every
// version in one shape. See ReadCPU.
func ReadAllocated(blob []byte) (*AllocatedState, Reading, error) {
	return read[AllocatedState](Allocated, blob)
}

func read[T any](k Kind, blob []byte) (*T, Reading, error) {
	v := Judge(blob, Options{Kind: k})
	r := Reading{Format: v.Format, State: v.State, Findings: v.Findings}
	st, ok := v.Content.(*T)
	if ok && (v.State == StateOK || v.State == StateUnsigned) {
		return st, r, nil
	}
	if v.wrongKind() {
		r.Format = ""
	}
	e := &ReadError{Kind: k, Format: r.Format, State: v.State, Damage: v.Damage, Problem: problem(&v)}
	if v.State != StateCorrupt {
		st = nil
	}
	return st, r, e
}

// problem is the first error that was found, and that of the sum or the bytes
// before those of the content.
func problem(v *Verdict) string {
	first := ""
	for _, f := range v.Findings {
		switch {
		case f.Severity != SeverityError:
		case v.State == StateCorrupt && f.Code == codeMismatch:
			return f.Message
		case f.Code == codeWrongKind:
			// The caller has given bytes, and no name.
			first, _, _ = strings.Cut(f.Message, " under the name of ")
			return first
		case first == "":
			first = f.Message
		}
	}
	if first == "" {
		first = "it is " + string(v.State)
	}
	return first
}
