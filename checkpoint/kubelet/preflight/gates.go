package preflight

import "github.com/kubeckpt/ckpt/checkpoint/kubelet"

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
)

// gateState is a gate in some releases: its default, and whether it can be
// changed. A release without a row does not have the gate.
type gateState struct {
	gate   string
	span   kubelet.Span
	on     bool
	locked bool
}

// gateStates are those of pkg/features/kube_features.go.
var gateStates = []gateState{
	{gate: gateCPUOptions, span: kubelet.Span{To: "1.32"}, on: true},
	{gate: gateCPUOptions, span: kubelet.Span{From: "1.33"}, on: true, locked: true},
	{gate: gateCPUAlpha},
	{gate: gateCPUBeta, on: true},
	{gate: gateMemoryManager, span: kubelet.Span{To: "1.31"}, on: true},
	{gate: gateMemoryManager, span: kubelet.Span{From: "1.32", To: "1.35"}, on: true, locked: true},
	{gate: gateTopologyOptions, span: kubelet.Span{To: "1.35"}, on: true},
	{gate: gateTopologyOptions, span: kubelet.Span{From: "1.36"}, on: true, locked: true},
	{gate: gateTopologyAlpha},
	{gate: gateTopologyBeta, on: true},
	{gate: gatePodManagers, span: kubelet.Span{From: "1.36"}},
	{gate: gateCPUResize, span: kubelet.Span{From: "1.32"}},
	{gate: gateInPlaceResize, span: kubelet.Span{To: "1.32"}},
	{gate: gateInPlaceResize, span: kubelet.Span{From: "1.33", To: "1.34"}, on: true},
	{gate: gateInPlaceResize, span: kubelet.Span{From: "1.35"}, on: true, locked: true},
	{gate: gateDRA, span: kubelet.Span{To: "1.33"}},
	{gate: gateDRA, span: kubelet.Span{From: "1.34", To: "1.34"}, on: true},
	{gate: gateDRA, span: kubelet.Span{From: "1.35"}, on: true, locked: true},
}

// gateOf returns the row of a gate in a release; known is whether some release
// has the gate.
func gateOf(release, gate string) (state gateState, has, known bool) {
	for _, s := range gateStates {
		if s.gate != gate {
			continue
		}
		if known = true; s.span.Has(release) {
			return s, true, true
		}
	}
	return gateState{}, false, known
}

// on reports whether a gate is on. One that the release does not have any more
// is on: its feature is there to stay.
func (s *start) on(gate string) bool {
	row, has, _ := gateOf(s.release, gate)
	if !has {
		return gate == gateMemoryManager || gate == gateCPUOptions
	}
	if row.locked {
		return row.on
	}
	if v, asked := s.q.Gates[gate]; asked {
		return v
	}
	if v, asked := s.q.Config.FeatureGates[gate]; asked {
		return v
	}
	return row.on
}

// askedGates are the gates that differ from the release's defaults.
func (s *start) askedGates() map[string]bool {
	out := map[string]bool{}
	for _, row := range gateStates {
		if row.span.Has(s.release) && s.on(row.gate) != row.on {
			out[row.gate] = !row.on
		}
	}
	return out
}
