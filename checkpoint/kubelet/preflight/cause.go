package preflight

import (
	"fmt"
	"strings"
)

// Cause says in a few words what keeps a kubelet from starting, where its own text
// does not: which CPUs, how many bytes. It is empty where the text does.
func (a Answer) Cause() string {
	if a.Error == "" || len(a.Possible) > 0 {
		return ""
	}
	for _, st := range a.Steps {
		if st.Stage != a.Stage || st.Error != a.Error {
			continue
		}
		switch {
		case st.Stage == StageMemoryStart:
			if drift := memoryDrift(failing(a.Steps, st.Stage)); drift != "" {
				return drift
			}
			return st.Because()
		case strings.HasPrefix(st.Error, "current set of available CPUs "):
			return cpuDifference(mustList(st.File), mustList(st.Machine))
		case strings.Contains(st.Error, "reserved cpus: "):
			return reservedDifference(st)
		}
	}
	return ""
}

func failing(steps []Step, stage string) (some []Step) {
	for _, st := range steps {
		if st.Stage == stage && st.Error != "" {
			some = append(some, st)
		}
	}
	return some
}

func cpuDifference(file, machine cpuList) string {
	var parts []string
	if gone := file.minus(machine); len(gone) > 0 {
		parts = append(parts, cpuWords(gone)+" of the file "+inNumber(gone, "is", "are")+" not there")
	}
	if added := machine.minus(file); len(added) > 0 {
		parts = append(parts, cpuWords(added)+" "+inNumber(added, "is", "are")+" not in the file")
	}
	return joined(parts)
}

func reservedDifference(st Step) string {
	reserved, defaults := mustList(st.Machine), mustList(st.File)
	if lacking := reserved.minus(defaults); len(lacking) > 0 && strings.HasPrefix(st.Error, "not all") {
		return fmt.Sprintf("reserved %s %s not in defaultCpuSet", cpuWords(lacking), inNumber(lacking, "is", "are"))
	}
	return ""
}

// cpuWords are "CPU 3" or "CPUs 3-4".
func cpuWords(l cpuList) string { return inNumber(l, "CPU ", "CPUs ") + l.String() }

func inNumber(l cpuList, one, many string) string {
	if len(l) == 1 {
		return one
	}
	return many
}
