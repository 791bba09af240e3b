package preflight

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// Codes of findings. They are stable; docs/findings.md explains each.
const (
	codeConfigRefused   = "config-refused"
	codeConfigUnfit     = "config-unfit"
	codeReservedSum     = "reserved-memory-sum"
	codeFieldsDropped   = "config-fields-dropped"
	codeNoKind          = "config-without-kind"
	codeDuplicateField  = "config-field-twice"
	codeNoCPUs          = "no-cpus"
	codePolicyChanged   = "policy-changed"
	codeFileRefused     = "state-file-refused"
	codeForgotten       = "state-forgotten"
	codeFileMissing     = "state-file-missing"
	codeNoDirectory     = "no-state-directory"
	codeDevices         = "devices-forgotten"
	codeDefaultEmpty    = "default-set-empty"
	codeReservedCPUs    = "reserved-cpus-changed"
	codeOverlap         = "assignment-overlap"
	codeCPUsChanged     = "cpus-changed"
	codeMemoryChanged   = "memory-changed"
	codeReservedMemory  = "reserved-memory-changed"
	codeBooksDiffer     = "memory-books-differ"
	codeStartCrash      = "start-crash"
	codeByChance        = "start-by-chance"
	codeStartNotDecided = "start-undecided"
)

// Circumstances are what is known beside the Question.
type Circumstances struct {
	// NoKind are the configuration files that do not say what they are.
	NoKind []string
	// Twice says of which fields a file has two, a sentence each.
	Twice []string
	// Dir is where this process finds the state files, for commands to be given;
	// empty: the kubelet's default.
	Dir string
	// Flags are what ckpt adopt has to be told besides the release, in words of a
	// shell. Planned: q is of a change that is not made yet.
	Flags   string
	Planned bool
	// Lost is why the machine's topology could not be read; empty: it could.
	Lost string
	// NoDir is the kubelet's directory if it is not there; empty: it is.
	NoDir string
	// Unknown is what could not be read, and what the answers were limited by.
	Unknown Unknown
}

// Report is what there is to say about the answers.
type Report struct {
	Findings []kubelet.Finding `json:"findings"`
	Advice   []Advice          `json:"advice"`
}

// Explain words the answers of Start to q as findings, one for each cause, and
// says what can be done about each and what that costs.
//
// A cause is an error if it stops a kubelet that q names, or each that is known;
// one that stops only some of those is a warning.
func Explain(q Question, answers []Answer, c Circumstances) Report {
	r := Report{Findings: []kubelet.Finding{}, Advice: []Advice{}}
	stops := kubelet.SeverityWarning
	if len(q.Releases) > 0 || !slices.ContainsFunc(answers, func(a Answer) bool { return a.Starts }) {
		stops = kubelet.SeverityError
	}
	adviser := &adviser{q: &q, groups: groups(answers), c: c}
	for _, g := range adviser.groups {
		f := kubelet.Finding{Code: g.code, Severity: kubelet.SeverityWarning, Path: g.steps[0].Path, Message: g.message(answers)}
		if g.stops {
			f.Severity = stops
		}
		if g.code == codeNoCPUs && c.Lost != "" {
			f.Message += ": " + c.Lost
		}
		if advice, ok := adviser.advise(g); ok {
			advice.Path, advice.Releases = g.path, g.releases
			r.Advice = append(r.Advice, advice)
			f.Hint = advice.Do
		}
		r.Findings = append(r.Findings, f)
	}
	if c.NoDir != "" {
		r.Findings = append(r.Findings, kubelet.Finding{Code: codeNoDirectory, Severity: kubelet.SeverityWarning, Path: c.NoDir,
			Message: fmt.Sprintf("%s does not exist: nothing was found of what a kubelet leaves behind", c.NoDir),
			Hint:    "see that this is the node's root, and that --root-dir of --kubelet-flags is the kubelet's; before its first start there is nothing"})
	}
	r.Findings = append(r.Findings, adviser.missingFile()...)
	var random []string
	undecided := map[string][]string{} // releases by why
	for _, a := range answers {
		if a.Random {
			random = append(random, a.Release)
		}
		if a.Undecided != "" {
			undecided[a.Undecided] = append(undecided[a.Undecided], a.Release)
		}
	}
	for _, why := range sortedKeys(undecided) {
		f := kubelet.Finding{Code: codeStartNotDecided, Severity: kubelet.SeverityWarning,
			Message: fmt.Sprintf("what kubelet %s does is not known: %s", joined(Ranges(undecided[why])), why)}
		if c.Unknown.Config != "" && strings.HasPrefix(why, c.Unknown.Config) {
			f.Hint = "name the kubelet's configuration with --config, or its command line with --kubelet-flags; --config= says that it has none"
		}
		r.Findings = append(r.Findings, f)
	}
	if random != nil {
		r.Findings = append(r.Findings, kubelet.Finding{Code: codeByChance, Severity: stops,
			Message: fmt.Sprintf("kubelet %s walks maps in random order, so that the same start may end in several ways", joined(Ranges(random))),
			Hint:    "a start that succeeds proves nothing about the next one"})
	}
	for _, text := range c.Twice {
		r.Findings = append(r.Findings, kubelet.Finding{Code: codeDuplicateField, Severity: kubelet.SeverityWarning, Message: text,
			Hint: "take out the one that is not meant"})
	}
	for _, name := range c.NoKind {
		if q.Only != "" {
			break // a part of a configuration is enough
		}
		r.Findings = append(r.Findings, kubelet.Finding{Code: codeNoKind, Severity: kubelet.SeverityWarning,
			Message: fmt.Sprintf("%s does not say apiVersion: kubelet.config.k8s.io/v1beta1 and kind: KubeletConfiguration, and a kubelet takes no other file", name),
			Hint:    "add both lines; the answers are those for the file with them"})
	}
	return r
}

// group is the steps of all answers that have one cause.
type group struct {
	code     string
	path     string // of which it is the cause; empty: it may have several
	stops    bool
	steps    []Step // the first comes first in a start
	releases []string
}

// ownCause are the codes of which each path, a field or a file, is a cause of
// its own.
var ownCause = map[string]bool{codeConfigRefused: true, codeConfigUnfit: true, codePolicyChanged: true, codeFileRefused: true, codeForgotten: true}

func groups(answers []Answer) (all []*group) {
	of := map[[2]string]*group{}
	for _, a := range answers {
		memory := memoryCode(a.Steps)
		for _, st := range a.Steps {
			code := codeOf(st, memory)
			if code == "" {
				continue
			}
			key := [2]string{code}
			if ownCause[code] {
				key[1] = st.Path
			}
			g := of[key]
			if g == nil {
				g = &group{code: code, path: key[1], stops: !st.OK}
				of[key] = g
				all = append(all, g)
			}
			if !slices.Contains(g.steps, st) {
				g.steps = append(g.steps, st)
			}
			if !slices.Contains(g.releases, a.Release) {
				g.releases = append(g.releases, a.Release)
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return stageOrder(all[i].steps[0].Stage) < stageOrder(all[j].steps[0].Stage) })
	return all
}

func stageOrder(stage string) int {
	return slices.Index([]string{StageConfig, StageValidation, StageReservation, StageTopology, StageDRA, StageCPUNew, StageMemoryNew,
		StageAllocated, StageCPUStart, StageMemoryStart, StageNodeAllocatable, StageDevices}, stage)
}

// codeOf names the cause of a step; "": there is nothing to say.
func codeOf(st Step, memory string) string {
	if st.OK || st.Error == "" {
		switch {
		case st.Warning == "" || !st.OK: // what is undecided is said once an answer
			return ""
		case st.Stage == StageConfig:
			return codeFieldsDropped
		case st.Stage == StageDevices:
			return codeDevices
		case st.Path != "":
			return codeForgotten
		}
		return ""
	}
	restoring := st.Path == CPUManagerState || st.Path == MemoryManagerState
	switch st.Stage {
	case StageCPUNew, StageMemoryNew:
		if st.Path == "numCores" {
			return codeNoCPUs
		}
		if st.Path == "reservedMemory" && st.Machine != "" {
			return codeReservedSum
		}
	case StageDRA, StageAllocated:
		return codeFileRefused
	case StageCPUStart, StageMemoryStart:
		switch {
		case restoring && strings.Contains(st.Error, "configured policy "):
			return codePolicyChanged
		case restoring:
			return codeFileRefused
		case strings.HasPrefix(st.Error, "panic: "):
			return codeStartCrash
		case st.Stage == StageMemoryStart:
			return memory
		}
		return cpuCode(st.Error)
	}
	if st.Machine != "" {
		return codeConfigUnfit
	}
	return codeConfigRefused
}

func cpuCode(text string) string {
	switch {
	case strings.HasPrefix(text, "default cpuset"):
		return codeDefaultEmpty
	case strings.Contains(text, "reserved cpus: "):
		return codeReservedCPUs
	case strings.Contains(text, "overlaps with"):
		return codeOverlap
	}
	return codeCPUsChanged
}

// memoryCode names the one cause behind the differences of the memory
// manager's state: a node that changed changes the sums that follow from it.
func memoryCode(steps []Step) string {
	code := codeBooksDiffer
	for _, st := range steps {
		if st.Stage != StageMemoryStart || st.OK {
			continue
		}
		table := strings.Contains(st.Path, ".memoryMap")
		field := st.Path[strings.LastIndexByte(st.Path, '.')+1:]
		switch {
		case field == "total", st.Path == "machineState" && st.File != "", strings.HasPrefix(st.Path, "entries."), strings.HasPrefix(st.Path, "podEntries."),
			strings.HasSuffix(st.Path, ".memoryMap"), !table && st.File == "a NUMA node", st.File == "listed":
			return codeMemoryChanged
		case field == "systemReserved":
			code = codeReservedMemory
		}
	}
	return code
}

// message is the sentence of the first step, and how many more there are.
func (g *group) message(answers []Answer) string {
	st := g.steps[0]
	text := st.Error
	if st.OK {
		text = st.Warning
	}
	if because := st.Because(); because != "" {
		text += ": " + because
	}
	if n := len(g.steps) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	if len(g.releases) < len(answers) {
		text = "kubelet " + strings.Join(Ranges(g.releases), ", ") + ": " + text
	}
	return text
}

// Because says which values do not go together; "" if that is not known.
func (st Step) Because() string {
	what := st.Path
	written := "the configuration"
	if st.Stage == StageCPUStart || st.Stage == StageMemoryStart || st.Stage == StageDRA || st.Stage == StageAllocated {
		written = "the file"
	}
	switch {
	case strings.Contains(st.Error, "reserved cpus: "):
		return fmt.Sprintf("%s is %s in the file, and %s reserved", what, or(st.File, "empty"), isAre(mustList(st.Machine)))
	case st.Error == "default cpuset cannot be empty":
		return fmt.Sprintf("%s is empty in the file, and pods are listed", what)
	case strings.HasPrefix(st.Error, "current set of available CPUs "):
		return fmt.Sprintf("all sets of the file together are %s, but %s is expected", st.File, st.Machine)
	case st.File != "" && (strings.HasSuffix(st.Machine, " NUMA nodes") || strings.HasSuffix(st.Machine, " CPUs")):
		return fmt.Sprintf("%s is %s in %s, and the machine has %s", what, st.File, written, inWords(st.Machine))
	case st.File != "" && st.Machine != "":
		return fmt.Sprintf("%s is %s in %s, but %s is expected", what, st.File, written, st.Machine)
	case st.File != "":
		return fmt.Sprintf("%s is %s in %s", what, st.File, written)
	case st.Machine != "":
		return fmt.Sprintf("%s: the machine has %s", what, st.Machine)
	}
	return ""
}

// Ranges joins neighbouring releases: 1.29–1.31, 1.34.
func Ranges(releases []string) (out []string) {
	known := kubelet.Releases()
	index := func(name string) int {
		return slices.IndexFunc(known, func(r kubelet.Release) bool { return r.Name == name })
	}
	for i := 0; i < len(releases); {
		j := i
		for j+1 < len(releases) && index(releases[j+1]) == index(releases[j])+1 {
			j++
		}
		if i == j {
			out = append(out, releases[i])
		} else {
			out = append(out, releases[i]+"–"+releases[j])
		}
		i = j + 1
	}
	return out
}

// Releases are those whose start is known, the oldest first.
func Releases() (names []string) {
	for _, r := range kubelet.Releases() {
		if (kubelet.Span{From: oldest}).Has(r.Name) {
			names = append(names, r.Name)
		}
	}
	return names
}

// Broken is the configuration of a kubelet that does not get to have one: what
// it prints is text, or something like it if own.
func Broken(text string, own bool) Config { return Config{broken: text, own: own} }
