package kubelet

// State says whether the bytes are as they were written. A file in StateOK may
// still have findings of SeverityError: good bytes that say something impossible.
type State string

const (
	StateOK         State = "ok"         // decodes, and the checksum that decides matches
	StateUnsigned   State = "unsigned"   // some kubelet accepts it although no checksum protects it
	StateCorrupt    State = "corrupt"    // decodes, but the checksum does not match
	StateDamaged    State = "damaged"    // cannot be decoded
	StateOther      State = "other"      // a layout that none of the asked releases reads, or no kubelet checkpoint
	StateMissing    State = "missing"    // no such file; set by whoever reads files
	StateUnreadable State = "unreadable" // the file could not be read; set by whoever reads files
)

// Severity orders findings. Only SeverityError makes a file bad.
type Severity string

const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityInfo    Severity = "info"
)

// A Verdict is all that can be said of one file from its bytes alone. It is
// plain data: the same bytes and options give the same Verdict.
type Verdict struct {
	Kind      Kind       `json:"kind"`
	Format    string     `json:"format"` // "cpu/v2"; empty if none fits
	State     State      `json:"state"`
	Policy    string     `json:"policy"` // the policy that the file names
	Checksums []Checksum `json:"checksums"`
	Kubelets  []Answer   `json:"kubelets"`
	Findings  []Finding  `json:"findings"`

	// Damage says why a file does not decode; nil if it does.
	Damage *Damage `json:"damage,omitempty"`
	// Written lists the releases that write exactly this format.
	Written []string `json:"written,omitempty"`
	// Content is what the file says: a *CPUState, *MemoryState, *DeviceState,
	// *DRAState or *AllocatedState; nil if nothing decodes.
	Content any `json:"content,omitempty"`
}

// Checksum is one sum that a file stores, beside what it should be.
type Checksum struct {
	Field         string `json:"field"`     // JSON name of the stored sum
	Algorithm     string `json:"algorithm"` // "fnv32a-dump" or "crc32-ieee"
	TypeName      string `json:"typeName"`  // Go type name that the dump starts with; empty for crc32
	Stored        uint64 `json:"stored"`
	Computed      uint64 `json:"computed"`
	OK            bool   `json:"ok"`
	Authoritative bool   `json:"authoritative"` // decides for the newest kubelet that reads the format
}

// Outcome is what one kubelet does with a file.
type Outcome string

const (
	Accepted Outcome = "accepted"
	Refused  Outcome = "refused"
	Lossy    Outcome = "lossy" // accepted, but part of the file is not in the restored state
)

// Answer is what the kubelet of one release, with one setting of its feature
// gates, does with a file.
type Answer struct {
	Release string          `json:"release"` // "1.37"
	Gates   map[string]bool `json:"gates"`   // gates that are asked for and differ from the default
	Verdict Outcome         `json:"verdict"`
	Error   string          `json:"error"` // the text that this kubelet prints
	Lost    []string        `json:"lost"`  // paths into the content that this kubelet forgets

	// Read is the format that this kubelet took the file for.
	Read string `json:"read,omitempty"`
	// Panics: it does not return the error but crashes.
	Panics bool `json:"panics,omitempty"`
	// Random: which of several like errors it prints depends on map order.
	Random bool `json:"random,omitempty"`
	// Measured is false where the answer is read from the kubelet's source
	// and was not checked against a running kubelet.
	Measured bool `json:"measured"`

	signed bool // a sum protects what was read
	passed bool // the sum check was passed, whatever followed
	state  any  // what this kubelet holds then
	others []string
}

// State returns what this kubelet holds after it restored the file, in the
// terms of Verdict.Content; nil if it refuses.
func (a Answer) State() any { return a.state }

// Finding is one thing worth saying of a file. Code is stable; Message and
// Hint are for people.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path"` // where in the file, "entries.POD.CONTAINER"
	Message  string   `json:"message"`
	Hint     string   `json:"hint"`
}

// Damage says where and how JSON decoding stopped.
type Damage struct {
	Reason string `json:"reason"` // empty, nul-bytes, truncated, trailing-data, syntax, type, cpu-count
	Offset int64  `json:"offset"` // bytes before the fault
	Error  string `json:"error"`  // encoding/json's words
}
