package oracle

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Setting is a kubelet release under one setting of its feature gates.
type Setting struct {
	Release string // "1.37"
	Gates   string // as a Request has them
	Letters string // P and X, as the tables name the gates
}

// Label is how the tables name a kubelet: "1.37[PX]".
func (s Setting) Label() string {
	if s.Letters == "" {
		return s.Release
	}
	return s.Release + "[" + s.Letters + "]"
}

const (
	gateP = "PodLevelResourceManagers=true"
	gateX = "InPlacePodVerticalScalingExclusiveCPUs=true"
)

var releases = []string{"1.13", "1.29", "1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37"}

// Known returns the releases that have an oracle, oldest first.
func Known() []string { return slices.Clone(releases) }

// Releases returns those whose oracle is in dir, oldest first.
func Releases(dir string) []string {
	var found []string
	for _, r := range releases {
		if _, err := os.Stat(filepath.Join(dir, "oracle-"+r)); err == nil {
			found = append(found, r)
		}
	}
	return found
}

// Settings returns the settings of a release under which it may read a file of
// this kind in different ways; none if it does not know the kind.
func Settings(release, kind string) []Setting {
	plain := Setting{Release: release}
	switch {
	case release == "1.13" && kind != "cpu" && kind != "device":
		return nil
	case kind == "cpu" && release == "1.37":
		return []Setting{plain, {release, gateP, "P"}, {release, gateX, "X"}, {release, gateP + "," + gateX, "PX"}}
	case (kind == "cpu" || kind == "memory") && (release == "1.36" || release == "1.37"):
		return []Setting{plain, {release, gateP, "P"}}
	}
	return []Setting{plain}
}

// FileName is what a release calls its file of this kind, where it is not the
// name that the oracle assumes.
func FileName(release, kind string) string {
	minor, err := strconv.Atoi(strings.TrimPrefix(release, "1."))
	if kind == "allocated" && err == nil && minor <= 32 {
		return "pod_status_manager_state"
	}
	return ""
}
