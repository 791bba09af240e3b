package preflight

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// gateText has a line for each feature gate that a kubelet of 1.29 to 1.37
// knows: those of pkg/features/kube_features.go and of the packages that a
// kubelet is linked with.
//
//go:embed feature_gates.txt
var gateText string

// stage of a feature gate.
type stage string

// all returns the gate that stands for all of a stage; "" if there is none.
func (s stage) all() string {
	switch s {
	case "alpha":
		return gateAllAlpha
	case "beta":
		return gateAllBeta
	}
	return ""
}

// gateState is what a gate is from one release on.
type gateState struct {
	from   string
	stage  stage // "alpha", "beta", "ga" or "deprecated"
	on     bool  // by default
	locked bool  // to the default
	gone   bool
	needs  []string // gates without which it cannot be on
}

// gateTable is gateText, by gate.
var gateTable = sync.OnceValue(func() map[string][]gateState {
	table := map[string][]gateState{}
	for line := range strings.Lines(gateText) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for _, word := range words[1:] {
			table[words[0]] = append(table[words[0]], parseGateState(word))
		}
	}
	return table
})

// parseGateState reads 1.36=beta,on,locked,needs:GATE+GATE or 1.37=gone.
func parseGateState(word string) (s gateState) {
	from, facts, _ := strings.Cut(word, "=")
	s.from = from
	for fact := range strings.SplitSeq(facts, ",") {
		needs, isNeeds := strings.CutPrefix(fact, "needs:")
		switch {
		case isNeeds:
			s.needs = strings.Split(needs, "+")
		case fact == "on", fact == "off":
			s.on = fact == "on"
		case fact == "locked":
			s.locked = true
		case fact == "gone":
			s.gone = true
		default:
			s.stage = stage(fact)
		}
	}
	return s
}

// gateOf returns what a gate is in a release that has it.
func gateOf(release, gate string) (state gateState, has bool) {
	for _, s := range gateTable()[gate] {
		if (kubelet.Span{From: s.from}).Has(release) {
			state, has = s, !s.gone
		}
	}
	return state, has
}
