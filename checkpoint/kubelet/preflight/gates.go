package preflight

import (
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Feature gates that change how a kubelet starts.
const (
	gateCPUOptions      = "CPUManagerPolicyOptions"
	gateCPUAlpha        = "CPUManagerPolicyAlphaOptions"
	gateCPUBeta         = "CPUManagerPolicyBetaOptions"
	gateMemoryManager   = "MemoryManager"
	gateTopologyOptions = "TopologyManagerPolicyOptions"
	gateTopologyAlpha   = "TopologyManagerPolicyAlphaOptions"
	gateTopologyBeta    = "TopologyManagerPolicyBetaOptions"
	gatePodManagers     = kubelet.GatePodLevelResourceManagers
	gateCPUResize       = kubelet.GateExclusiveCPUResize
	gateInPlaceResize   = "InPlacePodVerticalScaling"
	gateDRA             = "DynamicResourceAllocation"

	// These stand for all gates of a stage that are not set themselves.
	gateAllAlpha = "AllAlpha"
	gateAllBeta  = "AllBeta"
)

// deciding are the gates on which the checks here depend.
var deciding = []string{gateCPUOptions, gateCPUAlpha, gateCPUBeta, gateMemoryManager, gateTopologyOptions, gateTopologyAlpha,
	gateTopologyBeta, gatePodManagers, gateCPUResize, gateInPlaceResize, gateDRA}

// on reports whether a gate is on. One that the release does not have any more
// is on: its feature is there to stay.
func (s *start) on(gate string) bool {
	row, has := gateOf(s.release, gate)
	if !has {
		return gate == gateMemoryManager || gate == gateCPUOptions
	}
	if v, asked := s.asked(gate); asked && !row.locked {
		return v
	}
	if v, asked := s.asked(row.stage.all()); asked {
		return v
	}
	return row.on
}

// asked returns what a gate is set to; the command line is above the file.
func (s *start) asked(gate string) (value, asked bool) {
	if value, asked = s.q.Gates[gate]; !asked {
		value, asked = s.q.Config.FeatureGates[gate]
	}
	return value, asked
}

// KnowsGate reports whether the kubelet of a release has a feature gate.
func KnowsGate(release, name string) bool {
	_, has := gateOf(release, name)
	return has
}

// askedGates are the gates that differ from the release's defaults.
func (s *start) askedGates() map[string]bool {
	out := map[string]bool{}
	for _, gate := range deciding {
		if row, has := gateOf(s.release, gate); has && s.on(gate) != row.on {
			out[gate] = !row.on
		}
	}
	return out
}

// collectsGateFaults are the releases that print all faults of the feature
// gates, up to the first gate that they do not know. Before, one was printed.
var collectsGateFaults = kubelet.Span{From: "1.31"}

// gateFault is what is wrong with a gate.
type gateFault struct {
	Step
	last bool // no more is looked at
}

// checkGates is the setting of the configuration's gates, which
// k8s.io/component-base/featuregate does in random order.
func (s *start) checkGates() {
	wanted := s.q.Config.FeatureGates
	if len(wanted) == 0 {
		return // the defaults go together
	}
	var faults []gateFault
	for _, name := range sortedKeys(wanted) {
		row, has := gateOf(s.release, name)
		f := gateFault{Step: Step{Path: "featureGates." + name, File: yes(wanted[name])}, last: !has || !collectsGateFaults.Has(s.release)}
		switch {
		case !has:
			f.Error = "unrecognized feature gate: " + name
		case row.locked && wanted[name] != row.on:
			f.Error = "cannot set feature gate " + name + " to " + yes(wanted[name]) + ", feature is locked to " + yes(row.on)
		default:
			continue
		}
		faults = append(faults, f)
	}
	if faults == nil {
		faults = s.lackingGates()
	}
	const prefix = "failed to set feature gates from initial flags-based config: "
	var steps []Step
	lines := gateLines(nil, prefix, nil, faults)
	for _, f := range faults {
		f.Error = prefix + f.Error
		steps = append(steps, f.Step)
	}
	if len(steps) > 0 {
		s.failAs(StageConfig, steps, lines)
	}
}

// lackingGates are the gates that are on while one that they need is off.
func (s *start) lackingGates() (faults []gateFault) {
	for _, name := range sortedKeys(gateTable()) {
		row, has := gateOf(s.release, name)
		if !has || len(row.needs) == 0 || !s.on(name) {
			continue
		}
		if off := slices.DeleteFunc(slices.Clone(row.needs), s.on); len(off) > 0 {
			faults = append(faults, gateFault{Step: Step{Path: "featureGates." + name,
				Error: fmt.Sprintf("%s is enabled, but depends on features that are disabled: %v", name, off)}})
		}
	}
	return faults
}

// gateLines adds the lines in which faults may be printed behind texts.
func gateLines(lines []string, prefix string, texts []string, faults []gateFault) []string {
	for i, f := range faults {
		if len(lines) == maxLines {
			break
		}
		all := append(slices.Clone(texts), f.Error)
		if rest := slices.Concat(faults[:i], faults[i+1:]); f.last || len(rest) == 0 {
			lines = append(lines, prefix+aggregate(all))
		} else {
			lines = gateLines(lines, prefix, all, rest)
		}
	}
	return lines
}
