package kubelet

import "strconv"

// Names of the feature gates that change how a kubelet reads its files.
const (
	GatePodLevelResourceManagers = "PodLevelResourceManagers"
	GateExclusiveCPUResize       = "InPlacePodVerticalScalingExclusiveCPUs"
)

// Release is one minor release of the kubelet.
type Release struct {
	Name  string // "1.37"
	Patch string // the patch release whose answers the tests hold; empty: not measured
}

// Releases returns the releases whose reading is known, oldest first. The
// code of those with a Patch judged the golden files; the others are read
// from the source only.
func Releases() []Release {
	return []Release{
		{"1.13", "1.13.0"},
		{"1.29", "1.29.6"},
		{"1.30", "1.30.14"},
		{"1.31", "1.31.14"},
		{"1.32", "1.32.13"},
		{"1.33", "1.33.13"},
		{"1.34", "1.34.4"},
		{"1.35", "1.35.4"},
		{"1.36", "1.36.3"},
		{"1.37", "1.37.2"},
	}
}

// minor returns the 37 of "1.37", or -1.
func minor(release string) int {
	if len(release) < 3 || release[:2] != "1." {
		return -1
	}
	n, err := strconv.Atoi(release[2:])
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// Span is a range of releases, both ends included. An empty From means from
// the first release on, an empty To up to the newest.
type Span struct {
	From, To string
}

// Has reports whether release lies in s.
func (s Span) Has(release string) bool {
	n := minor(release)
	return n >= 0 && (s.From == "" || minor(s.From) <= n) && (s.To == "" || n <= minor(s.To))
}

func (s Span) String() string {
	switch {
	case s.From == s.To:
		return s.From
	case s.To == "":
		return s.From + "+"
	}
	return s.From + "–" + s.To
}
