package render

import (
	"encoding/json"
	"io"
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/termtext"
	"github.com/kubeckpt/ckpt/migrate"
)

// Migrated is what became, or would become, of one file.
type Migrated struct {
	File    string         `json:"file"`
	Out     string         `json:"out"` // where it goes; File if it is replaced
	Kind    kubelet.Kind   `json:"kind"`
	From    string         `json:"from"` // formats
	To      string         `json:"to"`
	Release string         `json:"release"` // of the kubelet that writes it so
	Gates   []string       `json:"gates"`   // that are on
	Same    bool           `json:"same"`    // the new bytes are the old
	Losses  []migrate.Loss `json:"losses"`
	Gaps    []migrate.Loss `json:"gaps"` // what the target has a place for and the file does not say

	Differences []kubelet.Change  `json:"differences"` // in meaning
	Findings    []kubelet.Finding `json:"findings"`    // in the file as it was
	Then        []kubelet.Finding `json:"then"`        // what is wrong with the new one, and was not
	Verdict     kubelet.Outcome   `json:"verdict"`     // of the target

	Written bool   `json:"written"`
	Backup  string `json:"backup,omitempty"`
	// Restored: it was written, and put back because another file failed.
	Restored bool `json:"restored,omitempty"`
	// Unused says why it is left alone: the target does not look at this file.
	// Losses are what is lost by that.
	Unused string `json:"unused,omitempty"`
	// Info is what else is to be known.
	Info string `json:"info,omitempty"`
	// Error is why it was not migrated.
	Error string `json:"error,omitempty"`
}

// Migrations is one run of ckpt migrate.
type Migrations struct {
	DryRun  bool
	Refused bool // nothing is written, or would be
	Files   []Migrated
}

// WriteMigrations tells people of each file what becomes of it.
func WriteMigrations(w io.Writer, m Migrations, o Options) error {
	p := newPage(o)
	for i, f := range m.Files {
		if i > 0 {
			p.blank()
		}
		p.migrated(f, m, o)
	}
	return p.writeTo(w)
}

func (p *page) migrated(f Migrated, m Migrations, o Options) {
	p.line(sayAs(strong, clean(f.File).cutLeft(p.width)))
	switch {
	case f.Error != "" && f.To == "":
		p.para(2, bad, clean(f.Error))
		return
	case f.Unused != "":
		look := plain
		if len(f.Losses) > 0 {
			look = bad
		}
		p.para(2, look, "left as it is: "+clean(f.Unused))
		p.losses("lost", f.Losses)
		return
	case f.Same:
		p.para(2, plain, textf("%s, just as %s writes it", f.To, f.kubelet()))
	case f.From == f.To:
		p.para(2, plain, textf("%s, as %s writes it", f.To, f.kubelet()))
	default:
		p.para(2, plain, textf("%s → %s, as %s writes it", f.From, f.To, f.kubelet()))
	}
	if slices.ContainsFunc(f.Findings, func(x kubelet.Finding) bool { return x.Code == "checksum-missing" }) {
		p.para(2, caution, "no checksum protects the source: nothing vouches for what it says, and the result will have one")
	}
	for i, finding := range f.Findings {
		if i == most {
			p.most(len(f.Findings), "finding", "findings")
			break
		}
		p.hanging(2, sayAs(caution, "in the source, "+clean(string(finding.Severity))+"  "), plain, found(finding))
	}
	p.losses("lost", f.Losses)
	p.losses("unknown", f.Gaps)
	for i, finding := range f.Then {
		if i == most {
			p.most(len(f.Then), "finding", "findings")
			break
		}
		p.hanging(2, sayAs(bad, "then  "), plain, found(finding))
	}
	if f.Info != "" {
		p.para(2, plain, clean(f.Info))
	}
	if m.DryRun {
		p.changes(2, f.Differences, o)
	}
	switch {
	case f.Restored && f.elsewhere() != "":
		p.para(2, caution, "written to "+f.elsewhere()+", and removed again")
	case f.Restored:
		p.para(2, caution, "written, and put back as it was")
	case f.Written:
		p.para(2, good, "written"+and(" to ", f.elsewhere()))
	case !m.DryRun || f.Error != "":
	case m.Refused:
		p.para(2, caution, "would not be written")
	case f.Same && (f.Out == "" || f.Out == f.File):
		p.para(2, plain, "unchanged")
	default:
		p.para(2, plain, "would be written"+and(" to ", f.elsewhere()))
	}
	if f.Backup != "" {
		p.hanging(2, sayAs(faint, "backup  "), plain, clean(f.Backup))
	}
	if f.Error != "" { // which is told on standard error
		p.para(2, bad, "failed")
	}
}

// most is how much of one sort a page shows of a file.
const most = 8

func (p *page) most(n int, one, many text) {
	p.line(say("  "), sayAs(faint, "… and "+plural(n-most, "more "+one, "more "+many)+" (use --json)"))
}

func found(f kubelet.Finding) text {
	return before(clean(f.Path), ": ") + textf("%s [%s]", f.Message, f.Code)
}

func (p *page) losses(word text, list []migrate.Loss) {
	for i, l := range list {
		if i == most {
			p.most(len(list), "loss", "losses")
			return
		}
		p.hanging(2, sayAs(bad, word+"  "), plain, textf("%s: %s", l.Path, l.Reason))
	}
}

// before puts a separator behind t, if there is a t.
func before(t, separator text) text {
	if t == "" {
		return ""
	}
	return t + separator
}

// elsewhere is where the file went, if not to its own place.
func (f Migrated) elsewhere() text {
	switch f.Out {
	case "-":
		return "standard output"
	case f.File:
		return ""
	}
	return clean(f.Out)
}

func (f Migrated) kubelet() text {
	t := textf("kubelet %s", f.Release)
	if len(f.Gates) > 0 {
		t += " with " + enumerate(cleanAll(f.Gates))
	}
	return t
}

// GatesOn returns the names of the gates that are on, sorted.
func GatesOn(gates map[string]bool) []string {
	on := []string{}
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		if gates[name] {
			on = append(on, name)
		}
	}
	return on
}

// WriteMigrationsJSON writes the same as one object.
func WriteMigrationsJSON(w io.Writer, m Migrations, o Options) error {
	out := struct {
		SchemaVersion int        `json:"schemaVersion"`
		DryRun        bool       `json:"dryRun"`
		Files         []Migrated `json:"files"`
	}{schemaVersion, m.DryRun, make([]Migrated, 0, len(m.Files))}
	for _, f := range m.Files {
		f.Gates, f.Losses, f.Gaps, f.Findings, f.Then = notNil(f.Gates), notNil(f.Losses), notNil(f.Gaps), notNil(f.Findings), notNil(f.Then)
		changes := make([]kubelet.Change, 0, len(f.Differences))
		for _, c := range f.Differences {
			changes = append(changes, kubelet.Change{Path: c.Path, Old: o.redact(c.Path, c.Old), New: o.redact(c.Path, c.New)})
		}
		f.Differences = changes
		out.Files = append(out.Files, f)
	}
	enc := json.NewEncoder(termtext.JSONWriter(w))
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
