package render

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

// Repair is what became, or would become, of a broken file.
type Repair struct {
	File   File // as it was, with its explanations
	Result kubelet.Repaired
	Error  error // why there is no result; nil: there is one
	DryRun bool
	Out    string // where the result is; "-": standard output
	Backup string // where what was there is kept; empty: nothing was there
}

// reason of the refusal.
func (r *Repair) reason() string {
	var no *kubelet.RepairError
	if errors.As(r.Error, &no) {
		return no.Reason
	}
	return ""
}

// WriteRepair tells people what was undone, what the kubelet will restore now,
// and what is gone.
func WriteRepair(w io.Writer, r Repair, o Options) error {
	p := newPage(o)
	if r.Error != nil {
		p.notMended(r, o)
		return p.writeTo(w)
	}
	after := r.after()
	doubtful := r.Result.Half || len(r.Result.Faults()) > 0
	if doubtful { // that comes before all else
		p.headline(r.headline(after))
		p.blank()
	}
	p.mended(r, o)
	if !doubtful {
		p.blank()
		p.headline(r.headline(after))
	}
	p.kubelets(after.Verdict)
	p.content(after.Verdict, o)
	p.findings(after.Verdict.Findings)
	return p.writeTo(w)
}

// after is the result under the name that it has.
func (r *Repair) after() File {
	f := File{Name: r.File.Name, Verdict: r.Result.After}
	switch {
	case r.Out == "-":
		f.Name = "the result"
	case r.Out != "":
		f.Name = r.Out
	}
	return f
}

// headline is that of the result, which a dry run does not make.
func (r *Repair) headline(after File) (s style, lead, rest text) {
	s, lead, rest = headline(after)
	name := after.title()
	if r.Result.Half && len(r.Result.Faults()) == 0 {
		s, lead, rest = caution, name+" is sound, but is half of what there was", ": see what is gone"+and("; ", reading(readersOf(after.Verdict.Kubelets), "read by "))+"."+remarks(after)
	}
	if !r.DryRun {
		return s, lead, rest
	}
	verb := lead[len(name):]
	for _, now := range [][2]text{{" is ", " would be "}, {" has ", " would have "}} {
		if then, ok := strings.CutPrefix(string(verb), string(now[0])); ok {
			return s, name + now[1] + text(then), rest
		}
	}
	return s, lead, rest
}

func (p *page) mended(r Repair, o Options) {
	fact := func(s style, name string, t text) { p.hanging(0, sayAs(s, text(name).pad(10)), plain, t) }
	if r.Result.Undone != nil {
		for _, e := range shown([]kubelet.Explanation{*r.Result.Undone}, o) {
			fact(good, "undone:", clean(e.Text)+".")
			if e.Confidence != kubelet.Certain {
				fact(caution, "", textf("That is %s, not certain; you chose it.", string(e.Confidence)))
			}
		}
	}
	if r.Result.LegacyToo {
		fact(good, "", "The half for older kubelets had the same fault, and has its checksum back.")
	}
	for _, c := range r.Result.Certified {
		fact(caution, "resealed:", textf("%s is %d now, which certifies what the file says: that, and not whether a kubelet ever wrote it.", c.Field, c.Stored))
	}
	if r.Result.Undone != nil && !r.Result.Exact {
		fact(caution, "", "The file was spelled anew, since the place could not be changed alone.")
	}
	p.gone("gone:", r.Result.Gone)
	switch {
	case r.DryRun:
		fact(faint, "written:", "nothing, this was a dry run.")
	case r.Out == "-":
		fact(faint, "written:", "to standard output.")
	default:
		fact(faint, "written:", clean(r.Out)+".")
	}
	if r.Backup != "" {
		fact(faint, "kept:", clean(r.Backup)+", which is what was there.")
	}
	if len(r.Result.Changes) > 0 {
		title := text("What it says now")
		if r.DryRun {
			title = "What it would say"
		}
		p.heading(title, "")
		p.changes(2, r.Result.Changes, o)
	}
}

// gone lists what is lost, or would be. What is said of a whole half comes last.
func (p *page) gone(label text, list []string) {
	for i, gone := range list {
		if i >= maxWhole && i < len(list)-1 {
			if i == maxWhole {
				p.more(10, len(list)-1-maxWhole, "thing", "things")
			}
			continue
		}
		p.hanging(0, sayAs(bad, label.pad(10)), plain, clean(gone)+".")
	}
}

// notMended says why, and how to go on.
func (p *page) notMended(r Repair, o Options) {
	lead := r.File.title() + " was not changed"
	s := bad
	if r.reason() == kubelet.RepairNothing {
		s = good
	}
	p.headline(s, lead, ": "+clean(r.Error.Error())+".")
	var no kubelet.RepairError
	if e := (*kubelet.RepairError)(nil); errors.As(r.Error, &e) {
		no = *e
	}
	list := shown(r.File.Explanations, o)
	if len(list) > 0 {
		p.blank()
		for i, e := range list {
			if i == maxWhole {
				break
			}
			s, label := confidence(e)
			end := text(".")
			if slices.Contains(no.Lost, i+1) {
				end = "; what it was is not in the file, so that it cannot be chosen."
			}
			p.hanging(2, sayAs(s, text(strconv.Itoa(i+1))+". "+label+": "), plain, clean(e.Text)+end)
		}
		p.more(2, len(list)-maxWhole, "explanation", "explanations")
	}
	if len(no.Gone) > 0 {
		p.blank()
		p.gone("lost:", no.Gone)
	}
	if len(no.Faults) > 0 {
		p.blank()
		for i, f := range no.Faults {
			if i == maxWhole {
				break
			}
			p.hanging(0, sayAs(bad, text("wrong:").pad(10)), plain, found(f))
		}
		p.more(10, len(no.Faults)-maxWhole, "fault", "faults")
	}
	advice := repairAdvice[r.reason()]
	if r.reason() == kubelet.RepairSound && list[0].Kind == kubelet.KindUnreadable {
		advice = "The kubelet that wrote the file is at fault. --reseal gives it the checksum that kubelets compute when they read it, " +
			"and so certifies what it says."
	}
	if advice != "" {
		p.blank()
		p.para(2, plain, advice)
	}
}

// repairAdvice says what can be done about each refusal, and what it costs.
var repairAdvice = map[string]text{
	kubelet.RepairUnknown: "Compare the file with the pods that run. If you find what was changed, put it back yourself and check that " +
		"with ckpt verify. --deep searches longer, and --with DIR takes names from the node's other files. " +
		deleteAdvice,
	kubelet.RepairSeveral:   "Look at each with ckpt explain, and choose one with --apply.",
	kubelet.RepairUncertain: "If it is what happened, choose it with --apply.",
	kubelet.RepairHalf: "--apply 1 keeps that half. Pods that run may hold what is lost, and the kubelet would not know: drain the node first, or " +
		"be sure that nothing was lost.",
	kubelet.RepairFaulty: "--apply 1 makes it all the same. To drain the node and delete the file may be the better way: see docs/findings.md.",
	kubelet.RepairWhich:  "--apply 1 takes what the newest kubelet reads, the data half, for right.",
	kubelet.RepairLost:   "What is whole is listed by ckpt explain. " + deleteAdvice,
	kubelet.RepairSound: "Nothing is broken, and the same file is good for another kubelet: see ckpt explain. ckpt migrate writes it for the one " +
		"you have.",
	kubelet.RepairWrongKind:   "Move it to the name it belongs to, or say with --kind what it is.",
	kubelet.RepairUndecodable: "First make it JSON of the kubelet's form; ckpt explain says where it is not.",
	kubelet.RepairRefused:     "The checksum would match. What the message names is another matter: the release, or the policy.",
}

// deleteAdvice is the last resort with its price.
const deleteAdvice = "To delete the file is safe only on a drained node: else containers that go on running keep CPUs, memory and devices " +
	"that the kubelet gives to others, and claims that are prepared are not prepared again."

// WriteRepairJSON writes the same as one object.
func WriteRepairJSON(w io.Writer, r Repair, o Options) error {
	out := struct {
		SchemaVersion int                   `json:"schemaVersion"`
		File          string                `json:"file"`
		Repaired      bool                  `json:"repaired"`
		Reason        string                `json:"reason,omitempty"`
		Error         string                `json:"error,omitempty"`
		Explanations  []kubelet.Explanation `json:"explanations"`
		Undone        *kubelet.Explanation  `json:"undone,omitempty"`
		LegacyToo     bool                  `json:"legacyToo,omitempty"`
		Half          bool                  `json:"half,omitempty"`
		Faults        []kubelet.Finding     `json:"faults,omitempty"`
		Certified     []kubelet.Checksum    `json:"certified,omitempty"`
		Exact         bool                  `json:"exact"`
		Changes       []kubelet.Change      `json:"changes"`
		Gone          []string              `json:"gone"`
		Kubelets      []kubelet.Answer      `json:"kubelets"`
		DryRun        bool                  `json:"dryRun"`
		Out           string                `json:"out,omitempty"`
		Backup        string                `json:"backup,omitempty"`
	}{SchemaVersion: schemaVersion, File: r.File.Name, Repaired: r.Error == nil, Reason: r.reason(),
		Explanations: notNil(shown(r.File.Explanations, o)), LegacyToo: r.Result.LegacyToo, Certified: r.Result.Certified,
		Exact: r.Result.Exact, Changes: notNil(redacted(r.Result.Changes, o)), Gone: notNil(r.Result.Gone),
		Kubelets: notNil(r.Result.After.Kubelets), DryRun: r.DryRun, Out: r.Out, Backup: r.Backup}
	out.Half, out.Faults = r.Result.Half, r.Result.Faults()
	if no := (*kubelet.RepairError)(nil); errors.As(r.Error, &no) {
		out.Half, out.Faults, out.Gone = no.Reason == kubelet.RepairHalf, no.Faults, notNil(no.Gone)
	}
	if r.Error != nil {
		out.Error = r.Error.Error()
	}
	if r.Result.Undone != nil {
		out.Undone = &shown([]kubelet.Explanation{*r.Result.Undone}, o)[0]
	}
	enc := json.NewEncoder(termtext.JSONWriter(w))
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func redacted(list []kubelet.Change, o Options) (out []kubelet.Change) {
	for _, c := range list {
		out = append(out, kubelet.Change{Path: c.Path, Old: o.redact(c.Path, c.Old), New: o.redact(c.Path, c.New)})
	}
	return out
}
