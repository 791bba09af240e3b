package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Unknown is what is there on a node and could not be read, so that some of what
// is asked has no answer.
type Unknown struct {
	// Files are state files by base name, and why each cannot be read. They are
	// not in the Files of a Question.
	Files map[string]string
	// Config is the configuration that was looked for in vain, so that the default
	// one stands in for it; empty: it was found, or is known not to be there.
	Config string
}

// Limit takes back what the answers cannot know. A kubelet that certainly
// fails before it comes to a file fails, whatever is in that file.
func (u Unknown) Limit(answers []Answer) []Answer {
	limited := slices.Clone(answers)
	for i := range limited {
		if why := u.foreign(limited[i]); why != "" {
			limited[i] = limited[i].unjudged(why)
			continue
		}
		for _, name := range []string{DRAManagerState, PodStatusManager, AllocatedPods, ActuatedPods, CPUManagerState, MemoryManagerState, DeviceCheckpoint} {
			why := u.Files[name]
			if why == "" || stageOfFile[name] == StageAllocated && !usesFile(limited[i].Release, name) {
				continue
			}
			limited[i] = limited[i].without(name, why)
		}
	}
	return limited
}

// foreign says why the default configuration is not that of the node; "" if it may
// be: a file of another policy was written by a kubelet with another one.
func (u Unknown) foreign(a Answer) string {
	if u.Config == "" {
		return ""
	}
	for _, st := range a.Steps {
		if st.Error != "" && codeOf(st, "") == codePolicyChanged {
			_, differs, _ := strings.Cut(st.Error, "configured policy ")
			differs, _, _ = strings.Cut(differs, ", ")
			return fmt.Sprintf("%s does not exist, and the default configuration is not that of %s (policy %s)", u.Config, st.Path, differs)
		}
	}
	return ""
}

// unjudged is an answer by a configuration that is not that of the node.
func (a Answer) unjudged(why string) Answer {
	steps := []Step{{Stage: StageConfig, Reached: true, Warning: why}}
	for _, st := range a.Steps {
		if st.Stage != steps[len(steps)-1].Stage {
			steps = append(steps, Step{Stage: st.Stage})
		}
	}
	return Answer{Release: a.Release, Gates: a.Gates, Stage: StageConfig, Undecided: why, Steps: steps}
}

var stageOfFile = map[string]string{DRAManagerState: StageDRA, PodStatusManager: StageAllocated, AllocatedPods: StageAllocated,
	ActuatedPods: StageAllocated, CPUManagerState: StageCPUStart, MemoryManagerState: StageMemoryStart, DeviceCheckpoint: StageDevices}

// without is the answer of a kubelet of which one file, taken for missing, cannot
// be read.
func (a Answer) without(name, why string) Answer {
	stage := stageOfFile[name]
	at := slices.IndexFunc(a.Steps, func(st Step) bool { return st.Stage == stage })
	if at < 0 || !a.Steps[at].Reached {
		return a
	}
	unread := Step{Stage: stage, Reached: true, Path: name, Warning: why}
	var steps []Step
	for i, st := range a.Steps {
		if i == at {
			steps = append(steps, unread)
		}
		if st.Stage != stage || !st.OK || st.Warning != "" { // what passed was another file
			steps = append(steps, st)
		}
	}
	a.Steps = steps
	switch name {
	case CPUManagerState:
		a.CPU, a.CPUWritten = nil, false
	case MemoryManagerState:
		a.Memory, a.MemoryWritten = nil, false
	}
	if (a.Error != "" || a.Undecided != "") && stageOrder(a.Stage) <= stageOrder(stage) {
		return a
	}
	a.Starts, a.Random, a.Panics, a.Error, a.Possible = false, false, false, "", nil
	a.Undecided, a.Stage = why, stage
	return a
}

// missingFile tells of a manager that begins anew beside pods that run: its file
// is gone, and that of the other manager names them.
func (a *adviser) missingFile() (found []kubelet.Finding) {
	if a.q.Only != "" {
		return nil
	}
	c := &a.q.Config
	for _, m := range []struct {
		file, other, holds string
		static             bool
	}{
		{CPUManagerState, MemoryManagerState, "CPUs", c.cpuPolicy() == policyStatic},
		{MemoryManagerState, CPUManagerState, "memory", c.memoryPolicy() == memoryStatic},
	} {
		_, there := a.q.Files[m.file]
		held := a.holders(m.other)
		if there || !m.static || len(held) == 0 || a.c.Unknown.Files[m.file] != "" {
			continue
		}
		found = append(found, kubelet.Finding{Code: codeFileMissing, Severity: kubelet.SeverityWarning, Path: m.file,
			Message: fmt.Sprintf("there is no %s, though by %s pods run (%s): the kubelet starts as if none of them had %s of its own, and gives what they use to others", m.file, m.other, podList(held), m.holds),
			Hint:    "put the file back, if there is a copy of it; else drain the node before the kubelet is started"})
	}
	return found
}
