package render

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

// Preflight is how kubelets would start, and what there is to say about it.
type Preflight struct {
	Answers []preflight.Answer
	Report  preflight.Report
	// Plan are changes that are not made, as field=value, and Now how the
	// kubelets start without them. Both are nil if there is no plan.
	Plan []string
	Now  []preflight.Answer
	// Files are the names of the state files that were found, and Only the manager
	// that alone was started.
	Files []string
	Only  kubelet.Kind
	// Undecided says why there are no answers; empty: there are.
	Undecided string
}

// PreflightFormats are the forms of WritePreflight.
func PreflightFormats() []Format { return []Format{Table, JSON, NPD, Prom} }

// WritePreflight writes the answers in a form.
func WritePreflight(w io.Writer, form Format, p Preflight, o Options) error {
	switch form {
	case JSON:
		return preflightJSON(w, p)
	case NPD:
		_, err := io.WriteString(w, strings.TrimSpace(preflightLine(p))+"\n")
		return err
	case Prom:
		return preflightProm(w, p)
	}
	return preflightPage(w, p, o)
}

// start is the JSON of one answer: names and order are a contract.
type start struct {
	preflight.Answer
	CPUState    *kubelet.CPUState    `json:"cpuState,omitempty"`
	MemoryState *kubelet.MemoryState `json:"memoryState,omitempty"`
}

func startsOf(answers []preflight.Answer) []start {
	all := []start{}
	for _, a := range answers {
		if a.Gates == nil {
			a.Gates = map[string]bool{}
		}
		a.Steps = notNil(a.Steps)
		all = append(all, start{a, a.CPU, a.Memory})
	}
	return all
}

func preflightJSON(w io.Writer, p Preflight) error {
	obj := struct {
		SchemaVersion int                `json:"schemaVersion"`
		Kubelets      []start            `json:"kubelets"`
		Findings      []kubelet.Finding  `json:"findings"`
		Advice        []preflight.Advice `json:"advice"`
		Plan          []string           `json:"plan,omitempty"`
		Now           []start            `json:"now,omitempty"`
		Undecided     string             `json:"undecided,omitempty"`
		Files         []string           `json:"files"`
	}{schemaVersion, startsOf(p.Answers), notNil(p.Report.Findings), notNil(p.Report.Advice), p.Plan, nil, p.Undecided, notNil(p.Files)}
	if p.Now != nil {
		obj.Now = startsOf(p.Now)
	}
	b, err := json.MarshalIndent(obj, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(termtext.JSON(b), '\n'))
	return err
}

// preflightLine is for node-problem-detector.
func preflightLine(p Preflight) string {
	if p.Undecided != "" {
		return fit("the start of the kubelet cannot be judged: "+clean(p.Undecided), "")
	}
	for _, g := range endings(p.Answers) {
		if g.answer.Starts {
			continue
		}
		lead := g.who() + " " + g.deed()
		if g.answer.Undecided == "" {
			lead += textf(" (%s)", g.answer.Stage)
		}
		return fit(lead+": "+clean(cmp.Or(g.answer.Cause(), g.answer.Error+g.answer.Undecided)), "")
	}
	for _, f := range bySeverity(p.Report.Findings) {
		if f.Severity != kubelet.SeverityInfo {
			if strings.HasPrefix(f.Message, "the kubelet starts without ") {
				return fit(clean(f.Message), "")
			}
			words := strings.TrimPrefix(strings.TrimPrefix(f.Message, "the kubelet "), "starts without ")
			return fit("the kubelet starts, but: "+clean(words), "")
		}
	}
	return fit(textf("%s", enumerate(whoStarts(p.Answers)))+" with these files here", "")
}

func whoStarts(answers []preflight.Answer) (all []text) {
	for _, g := range endings(answers) {
		all = append(all, g.who()+" "+g.deed())
	}
	return all
}

func preflightProm(w io.Writer, p Preflight) error {
	starts := family("ckpt_preflight_starts", "Whether the kubelet of a release would start (1) or not, or not for sure (0).")
	info := family("ckpt_preflight_info", "The stage that the start reaches; always 1.")
	random := family("ckpt_preflight_random", "Whether the same start may end in several ways.")
	for _, a := range p.Answers {
		starts.sample(a.Starts, "release", a.Release)
		info.number(1, "release", a.Release, "stage", a.Stage, "gates", gateLabel(a.Gates))
		random.sample(a.Random, "release", a.Release)
	}
	findings := family("ckpt_preflight_findings", "Findings by code and severity.")
	count := map[[2]string]int{}
	for _, f := range p.Report.Findings {
		count[[2]string{f.Code, string(f.Severity)}]++
	}
	keys := make([][2]string, 0, len(count))
	for key := range count {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i][0]+" "+keys[i][1] < keys[j][0]+" "+keys[j][1] })
	for _, key := range keys {
		findings.number(count[key], "code", key[0], "severity", key[1])
	}
	unknown := family("ckpt_preflight_undecided", "Whether the node could not be read, so that nothing is answered (1), or could (0).")
	unknown.sample(p.Undecided != "")
	for _, f := range []*metrics{starts, info, random, findings, unknown} {
		if _, err := io.WriteString(w, f.out.String()); err != nil {
			return err
		}
	}
	return nil
}

// ending is the answers of releases that come to the same end.
type ending struct {
	answer   preflight.Answer // of the first
	releases []string
}

// endings groups the answers. Those of the newest release come first.
func endings(answers []preflight.Answer) (all []*ending) {
	for _, a := range slices.Backward(answers) {
		i := slices.IndexFunc(all, func(e *ending) bool { return same(e.answer, a) })
		if i < 0 {
			i = len(all)
			all = append(all, &ending{answer: a})
		}
		all[i].releases = append(all[i].releases, a.Release)
	}
	for _, e := range all {
		slices.Reverse(e.releases)
	}
	return all
}

// same reports whether a page has the same to say of both.
func same(a, b preflight.Answer) bool {
	return a.Starts == b.Starts && a.Random == b.Random && a.Error == b.Error && a.Undecided == b.Undecided &&
		a.ReservedCPUs == b.ReservedCPUs && slices.Equal(notable(a.Steps), notable(b.Steps))
}

// notable are the steps that do not just pass.
func notable(steps []preflight.Step) (some []preflight.Step) {
	for _, st := range steps {
		if !st.OK || st.Warning != "" {
			some = append(some, st)
		}
	}
	return some
}

func (e *ending) who() text {
	ranges := cleanAll(preflight.Ranges(e.releases))
	if single(ranges) {
		return "kubelet " + ranges[0]
	}
	return "kubelets " + enumerate(ranges)
}

func (e *ending) one() bool { return len(e.releases) == 1 }

// deed is what they do: start, or not.
func (e *ending) deed() text {
	starts, does := text("starts"), text("does not start")
	if !e.one() {
		starts, does = "start", "do not start"
	}
	switch a := e.answer; {
	case a.Starts:
		return starts
	case a.Undecided != "":
		return "cannot be judged"
	case a.Random && slices.Contains(a.Possible, ""):
		return "may or may not start, by chance"
	case a.Panics && e.one():
		return "crashes"
	case a.Panics:
		return "crash"
	}
	return does
}

// manner is what deed says, for one kubelet.
func (e *ending) manner() text { return (&ending{answer: e.answer, releases: e.releases[:1]}).deed() }

// with is the ending of the releases of both.
func (e *ending) with(other *ending) *ending {
	both := slices.Concat(e.releases, other.releases)
	slices.Sort(both)
	return &ending{answer: e.answer, releases: both}
}
