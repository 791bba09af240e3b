package preflight

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/migrate"
)

// Advice is what can be done about one cause, and its price.
type Advice struct {
	Code string `json:"code"` // of the finding
	// Path is that of the finding where several have the code.
	Path string `json:"path,omitempty"`
	// Releases are those of the answers that it is for.
	Releases []string `json:"releases"`
	// File is the state file it is about; empty: none, it is the configuration.
	File string `json:"file"`
	// Do is the smallest safe change.
	Do string `json:"do"`
	// Instead are other ways.
	Instead []string `json:"instead"`
	// Drain: pods hold something by the file, so deleting it is safe only after
	// a drain.
	Drain bool `json:"drain"`
	// Deleting says what it costs to delete the file.
	Deleting string `json:"deleting,omitempty"`
	// Lost is what is forgotten with the file.
	Lost []Holder `json:"lost"`
	// Tool is the command that does it without deleting, if there is one.
	Tool string `json:"tool,omitempty"`
}

// adviser knows the question, and reads each file once.
type adviser struct {
	q      *Question
	groups []*group
	c      Circumstances
	held   map[string][]Holder
	bad    map[string]bool // files that do not tell who holds what
}

func (a *adviser) holders(name string) []Holder {
	if a.held == nil {
		a.held, a.bad = map[string][]Holder{}, map[string]bool{}
	}
	held, known := a.held[name]
	if !known {
		var readable bool
		held, readable = a.q.holders(name)
		a.held[name], a.bad[name] = held, !readable
	}
	return held
}

// about starts advice on a state file with the price of deleting it.
func (a *adviser) about(g *group, name string) Advice {
	held := a.holders(name)
	ad := Advice{Code: g.code, File: name, Lost: held, Drain: len(held) > 0, Instead: []string{}}
	if held == nil {
		ad.Lost = []Holder{}
	}
	switch {
	case a.bad[name] && len(held) == 0:
		ad.Drain = true
		ad.Deleting = "what pods hold by this file cannot be read from it, so take it that they hold something"
	case len(held) == 0:
		ad.Deleting = "nothing is lost: no pod holds anything by this file"
		if why := a.lostFrom(name); why != "" {
			ad.Drain = true
			ad.Deleting = "no pod holds anything by this file, but " + why
		}
	case name == CPUManagerState:
		ad.Deleting = running(len(held), "keep CPUs which the kubelet gives to others as well")
	case name == MemoryManagerState:
		ad.Deleting = running(len(held), "keep memory which the kubelet promises to others as well")
	case name == DeviceCheckpoint:
		ad.Deleting = running(len(held), "keep devices which the kubelet gives to others as well")
	case kubelet.KindOfName(name) == kubelet.Allocated:
		ad.Deleting = running(len(held), "be taken for resized to what their specification says, whether or not the kubelet had granted that")
	default:
		ad.Deleting = running(len(held), "keep what the kubelet forgets, and does not prepare again")
	}
	if a.bad[name] && len(held) > 0 {
		ad.Deleting += "; the file is broken, so there may be more"
	}
	return ad
}

// running says what pods do that are not drained.
func running(n int, what string) string {
	if n == 1 {
		return "1 pod, if it goes on running, would " + what
	}
	return fmt.Sprintf("%d pods, if they go on running, would %s", n, what)
}

// replace is the way that is always left.
func (ad Advice) replace() string {
	if ad.Drain {
		return "drain the node, stop the kubelet, keep a copy of " + ad.File + ", delete it and start the kubelet"
	}
	return "stop the kubelet, keep a copy of " + ad.File + ", delete it and start the kubelet"
}

// advise words what to do about a cause; ok is false if there is nothing.
func (a *adviser) advise(g *group) (ad Advice, ok bool) {
	st := g.steps[0]
	switch g.code {
	case codeConfigRefused:
		return a.configuration(g, a.correction(st)), true
	case codeConfigUnfit:
		return a.configuration(g, a.fitting(st)), true
	case codeFieldsDropped:
		return a.configuration(g, "take the field out, or start a kubelet that knows it"), true
	case codeReservedSum:
		return a.reservedSum(g), true
	case codeNoCPUs:
		return a.configuration(g, "find out why /sys/devices/system tells no CPUs; ckpt machine says what was read"), true
	case codePolicyChanged:
		return a.policyChanged(g), true
	case codeFileRefused:
		return a.fileRefused(g), true
	case codeDefaultEmpty:
		ad = a.about(g, CPUManagerState)
		ad.Do = ad.replace()
		if a.q.Config.CPUManagerPolicyOptions[optStrict] == "true" {
			ad.Instead = append(ad.Instead, "with strict-cpu-reservation a kubelet cannot read back its own file once all unreserved CPUs are handed out: leave one CPU free")
		}
		return ad, true
	case codeReservedCPUs:
		return a.reservedCPUs(g), true
	case codeCPUsChanged:
		return a.cpusChanged(g), true
	case codeOverlap:
		ad = a.about(g, CPUManagerState)
		ad.Do = ad.replace()
		ad.Instead = append(ad.Instead, "find out who changed the file: no kubelet writes a CPU that is shared and exclusive at once")
		return ad, true
	case codeMemoryChanged:
		return a.memoryChanged(g), true
	case codeReservedMemory:
		ad = a.about(g, MemoryManagerState)
		ad.Do = "set reservedMemory back to what the file was written with"
		ad.Instead = append(ad.Instead, ad.replace())
		return ad, true
	case codeBooksDiffer, codeStartCrash:
		ad = a.about(g, fileOf(st))
		ad.Do = ad.replace()
		return ad, true
	case codeDevices:
		ad = a.about(g, DeviceCheckpoint)
		ad.Do = "drain the node before the kubelet is restarted: it would give devices that are in use to others"
		return ad, true
	case codeForgotten:
		ad = a.about(g, st.Path)
		ad.Do = "see with ckpt state --as what this kubelet makes of the file before it is started"
		return ad, true
	}
	return ad, false
}

// adoptable offers to adopt the file, if that makes a start of it for the newest
// of the kubelets that refuse it.
func (a *adviser) adoptable(ad Advice, g *group, what string) Advice {
	q := *a.q
	q.Releases = g.releases[len(g.releases)-1:]
	first := ""
	if _, err := Adopt(q, ad.File); err != nil {
		later := newAdopter(q, ad.File)
		later.corrected = true
		if _, err := later.adoptFile(); err != nil || !a.mending() {
			return ad
		}
		first, what = "correct the configuration first, ", "then "+what
	}
	ad.Tool = "ckpt adopt --in-place --kubelet " + q.Releases[0] + a.c.Flags
	ad.Instead = append([]string{ad.Do}, ad.Instead...)
	when := "stop the kubelet"
	if a.c.Planned {
		when = "make the change, stop the kubelet"
	}
	ad.Do = first + when + fmt.Sprintf(" and run %q: %s", ad.Tool, what)
	if len(ad.Lost) > 0 {
		ad.Do += ", and pods keep what they hold"
	}
	return ad
}

// mending reports whether the configuration has to be corrected.
func (a *adviser) mending() bool {
	return slices.ContainsFunc(a.groups, func(g *group) bool { return g.code == codeConfigRefused || g.code == codeConfigUnfit })
}

// place is where a command finds a file, as a word of a shell.
func (a *adviser) place(name string) string {
	for _, f := range kubelet.Files() {
		if path.Base(f.Name) == name {
			name = f.Name
		}
	}
	return ShellWord(strings.TrimSuffix(or(a.c.Dir, "/var/lib/kubelet"), "/") + "/" + name)
}

func fileOf(st Step) string {
	if st.Stage == StageMemoryStart {
		return MemoryManagerState
	}
	return CPUManagerState
}

func (a *adviser) configuration(g *group, do string) Advice {
	return Advice{Code: g.code, Do: do, Instead: []string{}, Lost: []Holder{}}
}

func (a *adviser) policyChanged(g *group) Advice {
	name := g.steps[0].Path
	ad := a.about(g, name)
	field := "cpuManagerPolicy"
	if name == MemoryManagerState {
		field = "memoryManagerPolicy"
	}
	if ad.Drain {
		ad.Do = ad.replace()
		ad.Instead = append(ad.Instead, fmt.Sprintf("set %s back to what the file was written with", field))
		return ad
	}
	ad.Do = ad.replace()
	if c := &a.q.Config; name == CPUManagerState && c.cpuPolicy() != policyStatic || name == MemoryManagerState && c.memoryPolicy() != memoryStatic {
		return ad
	}
	ad.Deleting += "; but the kubelet admits pods that run anew, by the new policy, and rejects those that it cannot give what they ask for"
	return a.adoptable(ad, g, "the file becomes one of the new policy, by which the kubelet admits pods that run anew, and may reject some")
}

// fileRefused tries what migrating gives.
func (a *adviser) fileRefused(g *group) Advice {
	name := g.steps[0].Path
	ad := a.about(g, name)
	blob := a.q.Files[name]
	kind := kubelet.KindOfName(name)
	release := g.releases[len(g.releases)-1]
	if m, err := kubelet.Migrate(blob, kubelet.Target{Release: release}, kubelet.Options{Kind: kind, FileName: name, Containers: a.q.Containers}); err == nil && !m.Same {
		if what, pods := a.givenUp(name, m.Bytes); len(pods) > 0 {
			ad.Drain = true
			ad.Do = fmt.Sprintf("%s by %s in a part of the file that this kubelet does not read: start one that knows it, or drain the node before this one is started", what, podList(pods))
			ad.Instead = append(ad.Instead, ad.replace())
			return ad
		}
		lost := lostWords(m)
		allow := ""
		if lost != "" {
			allow = "--allow-loss "
		}
		ad.Tool = "ckpt migrate --kubelet " + release + " --in-place " + allow + a.place(name)
		ad.Do = fmt.Sprintf("the file is whole, but of another release: stop the kubelet, and %q makes it one that kubelet %s reads%s", ad.Tool, release, lost)
		ad.Instead = append(ad.Instead, ad.replace())
		return ad
	}
	if v := kubelet.Judge(blob, kubelet.Options{Kind: kind, FileName: name}); v.State == kubelet.StateCorrupt || v.State == kubelet.StateDamaged {
		ad.Tool = "ckpt repair --dry-run " + a.place(name)
		ad.Do = fmt.Sprintf("the file is %s: see with ckpt explain what happened to it, and with %q whether that can be undone", v.State, ad.Tool)
		ad.Instead = append(ad.Instead, ad.replace())
		return ad
	}
	ad.Do = ad.replace()
	return ad
}

// lostWords say what a migration costs; "" if nothing.
func lostWords(m kubelet.Migration) string {
	words := ""
	if len(m.Losses) > 0 {
		words = ", without " + somePaths(m.Losses)
	}
	if len(m.Gaps) > 0 {
		words += ", with nothing said of " + somePaths(m.Gaps)
	}
	return words
}

func somePaths(losses []migrate.Loss) string {
	const most = 4
	var paths []string
	for _, l := range losses {
		paths = append(paths, l.Path)
	}
	if n := len(paths) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", joined(paths[:most]), n)
	}
	return joined(paths)
}
