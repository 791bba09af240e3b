package preflight

import "github.com/kubeckpt/ckpt/checkpoint/kubelet"

// Question is a start to be judged. The zero Question is a kubelet with the
// default configuration and no state files, on a machine without CPUs.
type Question struct {
	// Releases to answer for ("1.37"); empty: all that are known. Each must be
	// known.
	Releases []string
	// Gates are set on the command line, over the configuration's featureGates
	// and the release's defaults. A gate that a release does not have is not
	// looked at there.
	Gates   map[string]bool
	Machine Machine
	Config  Config
	Files   Files
	// Backups are earlier contents of state files by name, which begins with that
	// of the file and a dot. They tell of pods that were lost from a file.
	Backups Files
	// Containers are the running containers by container ID, which kubelets up
	// to 1.36 need to read a cpu_manager_state of before 1.18.
	Containers map[string]kubelet.ContainerRef
	// Lenient reads a configuration as a kubelet does in the end: fields that its
	// release does not have are logged and dropped. The zero value stops at them,
	// as the strict decoding that comes first does.
	Lenient bool
	// Only makes a start of one manager alone: of the CPU manager ("cpu") or of
	// the memory manager ("memory"). Empty: of all that a kubelet starts.
	Only kubelet.Kind
}

// Stages of a start, in order. StageDisabled takes the place of
// StageMemoryNew and StageMemoryStart where a feature gate turns the manager off.
const (
	StageConfig          = "config"
	StageValidation      = "validation"
	StageReservation     = "reservation"
	StageTopology        = "topology-manager"
	StageDRA             = "dra"
	StageCPUNew          = "cpu-new"
	StageMemoryNew       = "memory-new"
	StageAllocated       = "allocated"
	StageCPUStart        = "cpu-start"
	StageMemoryStart     = "memory-start"
	StageNodeAllocatable = "node-allocatable"
	StageDevices         = "devices"
	StageStarted         = "started"
	StageDisabled        = "disabled"
)

// Answer is how the kubelet of one release starts.
type Answer struct {
	Release string          `json:"release"` // "1.37"
	Gates   map[string]bool `json:"gates"`   // gates that are asked for and differ from the default
	Starts  bool            `json:"starts"`  // false if Random
	// Random: the same start may end in several ways, because a kubelet walks
	// maps in random order.
	Random bool `json:"random"`
	// Error is what stops the start first, as the kubelet prints it; if Random,
	// one of Possible.
	Error string `json:"error"`
	// Possible are the ways in which the start may end if it is Random; an
	// empty text stands for a start that succeeds.
	Possible []string `json:"possible,omitempty"`
	// Stage that was reached.
	Stage string `json:"stage"`
	// Panics: the kubelet does not print Error but crashes with it.
	Panics bool `json:"panics,omitempty"`
	// Undecided says why the answer is not known; then nothing after the step
	// it names is judged, and Starts is false.
	Undecided string `json:"undecided,omitempty"`

	// ReservedCPUs are the CPUs that the static policy keeps for the system.
	ReservedCPUs string `json:"reservedCPUs"`
	// Reservation is what the managers keep for the system, by resource.
	Reservation map[string]string `json:"reservation,omitempty"`
	// AllocatableCPUs and AllocatableMemory may be given to containers.
	AllocatableCPUs   string          `json:"allocatableCPUs,omitempty"`
	AllocatableMemory []kubelet.Block `json:"allocatableMemory,omitempty"`

	// Steps are what was judged, in the order of the start. All are judged that
	// can be, also after one that fails; Step.Reached tells which could not be.
	Steps []Step `json:"steps"`

	// CPU and Memory are what the managers hold after the start; nil if they
	// did not get so far.
	CPU    *kubelet.CPUState    `json:"-"`
	Memory *kubelet.MemoryState `json:"-"`
	// CPUWritten and MemoryWritten: the manager fills in its empty state and
	// writes the file.
	CPUWritten    bool `json:"-"`
	MemoryWritten bool `json:"-"`
}

// Step is one check of a start. A stage with several faults has several.
type Step struct {
	Stage string `json:"stage"`
	// OK: the check was made, and found no fault.
	OK bool `json:"ok"`
	// Reached is false for a check, or the rest of a stage, that is not made as
	// what it needs failed before. Then OK is false, and Error is empty.
	Reached bool `json:"reached"`
	// Error is the text of this check, as if none before it had failed.
	Error string `json:"error"`
	// Own: Error is worded here. The kubelet stops as well, but its log says it in
	// other words.
	Own bool `json:"own,omitempty"`
	// Warning says what is lost although the kubelet starts.
	Warning string `json:"warning,omitempty"`
	// Path is the place in the file, or the field of the configuration.
	Path string `json:"path"`
	// File and Machine are the values that do not go together: the one that is
	// written down and the one that the machine or the configuration has.
	File    string `json:"file"`
	Machine string `json:"machine"`
}
