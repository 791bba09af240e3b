package kubelet

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

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

// ParseRelease finds the release in its name or in a version: 1.35, v1.35,
// 1.35.4 and v1.35.4-rc.1+build are all 1.35.
func ParseRelease(version string) (r Release, known bool) {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) < 2 {
		return Release{}, false
	}
	for _, r := range Releases() {
		if r.Name == parts[0]+"."+parts[1] {
			return r, true
		}
	}
	return Release{}, false
}

// gateReleases are the releases that know a gate, which is more than those that
// treat files differently with it.
func gateReleases() map[string]Span {
	return map[string]Span{
		GatePodLevelResourceManagers: {From: "1.36"},
		GateExclusiveCPUResize:       {From: "1.32"},
	}
}

// CheckGates returns an error for a gate that is not one of those above, and for
// one that is on and unknown to the kubelet of a release, as [ParseRelease]
// takes it. Without a release, or with one that is not known, any may know it.
func CheckGates(release string, gates map[string]bool) error {
	r, known := ParseRelease(release)
	for _, gate := range slices.Sorted(maps.Keys(gates)) {
		span, ok := gateReleases()[gate]
		switch {
		case !ok:
			return fmt.Errorf("the gate %q is not known", gate)
		case known && gates[gate] && !span.Has(r.Name):
			return fmt.Errorf("kubelet %s has no gate %s, which came with %s", r.Name, gate, span.From)
		}
	}
	return nil
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
