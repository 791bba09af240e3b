package preflight

import (
	"fmt"
	"strconv"
	"strings"
)

func (a *adviser) reservedSum(g *group) Advice {
	st := g.steps[0]
	ad := a.configuration(g, fmt.Sprintf("let reservedMemory add up to %s, which systemReserved, kubeReserved and the threshold of evictionHard come to; no state file is at fault", st.Machine))
	if strings.HasSuffix(a.q.Config.EvictionHard["memory.available"], "%") {
		ad.Instead = append(ad.Instead, "give evictionHard memory.available in bytes: as a percentage it moves with every change of the machine's memory")
	}
	return ad
}

func (a *adviser) memoryChanged(g *group) Advice {
	ad := a.about(g, MemoryManagerState)
	ad.Do = ad.replace()
	huge := false
	for _, st := range g.steps {
		huge = huge || strings.HasSuffix(st.Path, ".total") && strings.Contains(st.Path, ".hugepages-")
	}
	if huge {
		ad.Instead = append(ad.Instead, "set the number of hugepages back to what the file counts on")
	}
	drift := memoryDrift(g.steps)
	if drift != "" {
		drift = " (" + drift + ")"
	}
	if adopted := a.adoptable(ad, g, "the totals of the machine are written in"+drift); adopted.Tool != "" {
		return adopted
	}
	ad.Do += drift
	return ad
}

// memoryDrift says by how much the memory of nodes moved; "" if it did not.
func memoryDrift(steps []Step) string {
	var parts []string
	for _, st := range steps {
		path, isMemory := strings.CutSuffix(st.Path, ".memoryMap.memory.total")
		was, err := strconv.ParseInt(st.File, 10, 64)
		is, err2 := strconv.ParseInt(st.Machine, 10, 64)
		if !isMemory || err != nil || err2 != nil || was == is {
			continue
		}
		word := "more"
		if is < was {
			word = "less"
		}
		parts = append(parts, fmt.Sprintf("node %s has %d bytes %s than the file says", strings.TrimPrefix(path, "machineState."), max(is-was, was-is), word))
	}
	const most = 4
	if len(parts) > most {
		parts = append(parts[:most], "and so on")
	}
	return joined(parts)
}
