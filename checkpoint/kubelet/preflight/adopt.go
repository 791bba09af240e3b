package preflight

import (
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// What has changed since the file was written.
const (
	AdoptPolicy   = "policy-turned-on" // none → static, and nobody holds anything
	AdoptCPUs     = "cpus-added"       // CPUs that the file does not know
	AdoptReserved = "reserved-moved"   // strictly reserved CPUs that nobody holds
	AdoptMemory   = "memory-drifted"   // other totals, in which all that is held fits
)

// Adoption is a state file rewritten so that a kubelet accepts it where it
// refused. What pods hold is as it was, to the last CPU and byte.
type Adoption struct {
	Change  string `json:"change"`  // one of the constants
	File    string `json:"file"`    // CPUManagerState or MemoryManagerState
	Release string `json:"release"` // of the kubelet that Bytes are for
	Bytes   []byte `json:"-"`
	// Changes are what the new file says differently, by path.
	Changes []kubelet.Change `json:"changes"`
	// Before and After are how the manager starts with the old file and with
	// the new one: refused, and accepted.
	Before Answer `json:"before"`
	After  Answer `json:"after"`
}

// NotAdoptedError says why a file is left as it is. It is not a fault of the
// file: only what is provably safe is adopted.
type NotAdoptedError struct {
	File   string
	Reason string
	Before Answer // the start with the file, if it was judged
}

func (e *NotAdoptedError) Error() string { return e.File + " is not adopted: " + e.Reason }

// Adopt rewrites one state file of q for the one release in q.Releases. It
// refuses, with a [*NotAdoptedError], whatever is not one of four changes:
//
//   - the policy was turned on, and the file says that nobody holds anything;
//   - CPUs were added behind all that the file knows, none of them on the core of
//     a CPU that somebody holds, and no other file names a holder that it lacks;
//   - strictly reserved CPUs moved, over CPUs that nobody holds, and no more are
//     missing in the file than can have been reserved before;
//   - the memory of NUMA nodes differs from boot to boot, what is reserved of it
//     does not, and all that is held fits. Hugepages that are held count alike.
//
// It proves both ends by [Start]: that this change alone makes the kubelet
// refuse the old file, and that it accepts the new one.
func Adopt(q Question, file string) (Adoption, error) { return newAdopter(q, file).adoptFile() }

func newAdopter(q Question, file string) *adopter { return &adopter{q: q, file: file} }

func (a *adopter) adoptFile() (Adoption, error) {
	q, file := a.q, a.file
	if len(q.Releases) != 1 {
		return Adoption{}, fmt.Errorf("a file is adopted for one release, not for %d", len(q.Releases))
	}
	a.release = q.Releases[0]
	switch file {
	case CPUManagerState:
		a.q.Only = kubelet.CPU
	case MemoryManagerState:
		a.q.Only = kubelet.Memory
	default:
		return Adoption{}, fmt.Errorf("%q is not a file that is adopted, only %q and %q", file, CPUManagerState, MemoryManagerState)
	}
	return a.adopt()
}

// adopter is one adoption.
type adopter struct {
	q       Question
	file    string
	release string
	before  Answer
	gates   map[string]bool // those that a file depends on
	// corrected: what fails before the file is read will be put right, and leaves
	// what is judged of the file as it is.
	corrected bool
}

func (a *adopter) refuse(format string, args ...any) error {
	return &NotAdoptedError{File: a.file, Reason: fmt.Sprintf(format, args...), Before: a.before}
}

func (a *adopter) adopt() (Adoption, error) {
	var err error
	if a.before, err = a.start(a.q); err != nil {
		return Adoption{}, err
	}
	v, err := a.sound()
	if err != nil {
		return Adoption{}, err
	}
	var change string
	var content any
	switch old := v.Content.(type) {
	case *kubelet.CPUState:
		change, content, err = a.adoptCPU(old)
	case *kubelet.MemoryState:
		change, content, err = a.adoptMemory(old)
	}
	if err != nil {
		return Adoption{}, err
	}
	blob, err := kubelet.Encode(content, a.release, a.gates)
	if err != nil {
		return Adoption{}, a.refuse("%v", err)
	}
	after, err := a.startWith(blob)
	if err != nil {
		return Adoption{}, err
	}
	if fault := a.fault(after); fault != "" {
		return Adoption{}, a.refuse("kubelet %s would refuse the new file as well: %s", a.release, fault)
	}
	return Adoption{Change: change, File: a.file, Release: a.release, Bytes: blob, Before: a.before, After: after,
		Changes: kubelet.Changes(v.Content, content)}, nil
}

// fault is what keeps a kubelet from starting, or from reading the file if all
// before that will be corrected; "" if nothing does.
func (a *adopter) fault(answer Answer) string {
	if answer.Starts {
		return ""
	}
	if !a.corrected {
		return or(answer.Error, answer.Undecided)
	}
	stage := StageCPUStart
	if a.file == MemoryManagerState {
		stage = StageMemoryStart
	}
	for _, st := range answer.Steps {
		if st.Stage == stage && !st.OK {
			return or(st.Error, or(st.Warning, "it does not come so far"))
		}
	}
	return ""
}

func (a *adopter) start(q Question) (Answer, error) {
	answers, err := Start(q)
	if err != nil {
		return Answer{}, err
	}
	return answers[0], nil
}

// startWith is the same start with another file.
func (a *adopter) startWith(blob []byte) (Answer, error) {
	q := a.q
	q.Files = Files{a.file: blob}
	return a.start(q)
}

// sound reads the file, and refuses one that is not as it was written or that
// this kubelet would not read whole.
func (a *adopter) sound() (kubelet.Verdict, error) {
	blob, found := a.q.Files[a.file]
	if !found {
		return kubelet.Verdict{}, a.refuse("there is no such file; the kubelet makes one")
	}
	s := start{shared: &shared{q: &a.q}, release: a.release}
	a.gates = map[string]bool{gatePodManagers: s.on(gatePodManagers), gateCPUResize: s.on(gateCPUResize)}
	v := kubelet.Judge(blob, kubelet.Options{Kind: a.q.Only, FileName: a.file, Releases: a.q.Releases, Gates: a.gates, Containers: a.q.Containers})
	switch {
	case v.State != kubelet.StateOK:
		return v, a.refuse("the file itself is not good (%s)", v.State)
	case len(v.Kubelets) != 1 || v.Kubelets[0].Verdict == kubelet.Refused:
		return v, a.refuse("kubelet %s does not read this file, whatever the machine", a.release)
	case v.Kubelets[0].Verdict == kubelet.Lossy:
		return v, a.refuse("kubelet %s forgets part of this file: %s", a.release, joined(v.Kubelets[0].Lost))
	case slices.ContainsFunc(v.Findings, contradicts):
		return v, a.refuse("the file contradicts itself: %s", firstFinding(v))
	}
	switch b := a.before; {
	case b.Starts:
		return v, a.refuse("kubelet %s starts with it as it is", a.release)
	case b.Undecided != "":
		return v, a.refuse("it is not known whether kubelet %s starts with it: %s", a.release, b.Undecided)
	case slices.Contains(b.Possible, ""):
		return v, a.refuse("kubelet %s sometimes starts with it: try again", a.release)
	}
	return v, nil
}

// inNoSet is the code for CPUs that are in no set of a file. Whether they may
// be given away is decided here, where the machine is known.
const inNoSet = "cpu-in-no-set"

func contradicts(f kubelet.Finding) bool {
	return f.Severity != kubelet.SeverityInfo && f.Code != inNoSet
}

func firstFinding(v kubelet.Verdict) string {
	i := slices.IndexFunc(v.Findings, contradicts)
	return v.Findings[i].Path + ": " + v.Findings[i].Message
}

// onlyIn refuses if a step of another stage fails: a file cannot make up for
// that.
func (a *adopter) onlyIn(stage string) error {
	if a.corrected {
		return nil
	}
	for _, st := range a.before.Steps {
		if !st.OK && st.Reached && st.Stage != stage {
			return a.refuse("kubelet %s does not come to read it: %s", a.release, st.Error)
		}
	}
	return nil
}

// turnedOn adopts a file of the policy that does nothing, as if it were not
// there: nothing is in it.
func (a *adopter) turnedOn() (any, error) {
	q := a.q
	q.Files = Files{}
	fresh, err := a.start(q)
	switch {
	case err != nil:
		return nil, err
	case !fresh.Starts:
		return nil, a.refuse("kubelet %s would not start without the file either: %s", a.release, or(fresh.Error, fresh.Undecided))
	case a.q.Only == kubelet.CPU:
		return fresh.CPU, nil
	}
	return fresh.Memory, nil
}
