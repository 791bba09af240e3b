package preflight

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Options of the static CPU policy.
const (
	optFullCores   = "full-pcpus-only"
	optAcrossNUMA  = "distribute-cpus-across-numa"
	optBySocket    = "align-by-socket"
	optAcrossCores = "distribute-cpus-across-cores"
	optStrict      = "strict-cpu-reservation"
	optUncore      = "prefer-align-cpus-by-uncorecache"
)

// level is how far an option has come. All but stable ones need a gate.
type level string

const (
	alpha  level = "Alpha"
	beta   level = "Beta"
	stable level = "stable"
)

var levelGates = map[level]string{alpha: gateCPUAlpha, beta: gateCPUBeta}

// optionLevel is the level of an option in some releases. In a release without
// a row the option is unknown.
type optionLevel struct {
	option string
	span   kubelet.Span
	level  level
}

// optionLevels are those of pkg/kubelet/cm/cpumanager/policy_options.go.
var optionLevels = []optionLevel{
	{optFullCores, kubelet.Span{To: "1.32"}, beta},
	{optFullCores, kubelet.Span{From: "1.33"}, stable},
	{optAcrossNUMA, kubelet.Span{To: "1.32"}, alpha},
	{optAcrossNUMA, kubelet.Span{From: "1.33"}, beta},
	{optBySocket, kubelet.Span{}, alpha},
	{optAcrossCores, kubelet.Span{From: "1.31"}, alpha},
	{optStrict, kubelet.Span{From: "1.32", To: "1.32"}, alpha},
	{optStrict, kubelet.Span{From: "1.33", To: "1.34"}, beta},
	{optStrict, kubelet.Span{From: "1.35"}, stable},
	{optUncore, kubelet.Span{From: "1.32", To: "1.33"}, alpha},
	{optUncore, kubelet.Span{From: "1.34", To: "1.35"}, beta},
	{optUncore, kubelet.Span{From: "1.36"}, stable},
}

// excluding are the options that cannot be on together, in the order in which
// they are looked at. A release that lacks one of them has no such rule.
var excluding = [][2]string{
	{optFullCores, optAcrossCores},
	{optAcrossNUMA, optAcrossCores},
	{optUncore, optAcrossCores},
	{optUncore, optAcrossNUMA},
}

// cpuOptions are the options that are on.
type cpuOptions map[string]bool

// readOptions returns the options of the static policy, or what is wrong with
// them. Of several faults with single options any may come first.
func (s *start) readOptions() (cpuOptions, []Step) {
	given := s.q.Config.CPUManagerPolicyOptions
	on := cpuOptions{}
	var faults []Step
	for _, name := range sortedKeys(given) {
		add := func(format string, args ...any) {
			faults = append(faults, Step{Path: "cpuManagerPolicyOptions." + name, File: given[name], Error: fmt.Sprintf(format, args...)})
		}
		row := slices.IndexFunc(optionLevels, func(l optionLevel) bool { return l.option == name && l.span.Has(s.release) })
		if row < 0 {
			add("unknown CPU Manager Policy option: %q", name)
			continue
		}
		l := optionLevels[row].level
		if gate := levelGates[l]; gate != "" && !s.on(gate) {
			add("CPU Manager Policy %s-level Options not enabled, but option %q provided", l, name)
			continue
		}
		value, err := strconv.ParseBool(given[name])
		if err != nil {
			add("bad value for option %q: %v", name, err)
		}
		on[name] = value
	}
	if faults != nil {
		return nil, faults
	}
	for _, pair := range excluding {
		if on[pair[0]] && on[pair[1]] {
			return nil, []Step{{Path: "cpuManagerPolicyOptions", File: pair[0] + ", " + pair[1],
				Error: fmt.Sprintf("static policy options %s and %s can not be used at the same time", pair[0], pair[1])}}
		}
	}
	return on, nil
}
