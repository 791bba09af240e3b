package render

import (
	"encoding/json"
	"io"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

// Adoptions are what became, or would become, of a node's state files.
type Adoptions struct {
	Release string
	Files   []Adopted
	DryRun  bool
	// After is how the kubelet starts with the new files; Only: how one of its
	// managers does.
	After []preflight.Answer
	Only  kubelet.Kind
}

// Adopted is one file: adopted, refused, or neither.
type Adopted struct {
	File     string
	Adoption *preflight.Adoption // nil: it is left as it is
	Refused  string              // why
	Idle     string              // why there is nothing to do
	Out      string              // the file that was written; empty: none was
	Backup   string
	Restored bool   // it was written, and put back because another file failed
	Error    string // why it was not written
}

// adoptWords say what was adopted.
var adoptWords = map[string]text{
	preflight.AdoptPolicy:   "the policy was turned on, and nobody holds anything; pods that run are admitted anew, and may be rejected",
	preflight.AdoptCPUs:     "CPUs were added, and go to the shared pool; the file does not tell them from those of a pod that was lost from it, so see that they are new",
	preflight.AdoptReserved: "reserved CPUs moved, over CPUs that nobody holds",
	preflight.AdoptMemory:   "the memory of the nodes differs, and all that is held fits",
}

// WriteAdoptions tells people what was done with each file.
func WriteAdoptions(w io.Writer, a Adoptions, o Options) error {
	p := newPage(o)
	refused, written, failed := false, false, false
	for _, f := range a.Files {
		refused = refused || f.Refused != ""
		failed = failed || f.Error != ""
		written = written || f.Out != ""
	}
	for _, f := range a.Files {
		file := clean(f.File)
		switch {
		case f.Refused != "":
			p.para(0, bad, file+" is not adopted: "+clean(f.Refused)+".")
		case f.Error != "":
			p.para(0, bad, file+" could not be written.")
		case f.Restored:
			p.para(0, bad, file+" was written, and put back as it was.")
		case f.Adoption == nil:
			p.para(0, good, file+": nothing to do, "+clean(f.Idle)+".")
		default:
			verb := text(" is adopted")
			if f.Out == "" {
				verb = " can be adopted"
			}
			p.para(0, good, file+verb+textf(" for kubelet %s: ", a.Release)+adoptWords[f.Adoption.Change]+".")
			p.changes(2, f.Adoption.Changes, o)
			if f.Out != "" {
				p.hanging(2, sayAs(faint, "written: "), plain, clean(f.Out))
				p.hanging(2, sayAs(faint, "kept:    "), plain, clean(f.Backup)+", which is what was there")
			}
		}
	}
	switch {
	case written, failed:
	case a.DryRun:
		p.para(0, faint, "Nothing was written, this was a dry run.")
	case refused:
		p.para(0, faint, "Nothing was written, since a file that keeps the kubelet from starting is not adopted.")
	}
	if refused {
		return p.writeTo(w) // why it does not start was said
	}
	for _, e := range endings(a.After) {
		s := good
		if !e.answer.Starts {
			s = bad
		}
		lead := text("then ")
		if failed {
			lead = "as it is, "
		}
		switch a.Only {
		case kubelet.CPU:
			lead += "the CPU manager of "
		case kubelet.Memory:
			lead += "the memory manager of "
		}
		p.para(0, s, lead+e.who()+" "+e.deed()+and(": ", clean(e.answer.Error+e.answer.Undecided))+".")
	}
	return p.writeTo(w)
}

// WriteAdoptionsJSON writes the same as one object.
func WriteAdoptionsJSON(w io.Writer, a Adoptions, _ Options) error {
	type file struct {
		File    string           `json:"file"`
		Adopted bool             `json:"adopted"` // or would be
		Change  string           `json:"change,omitempty"`
		Reason  string           `json:"reason,omitempty"` // why not, or why there is nothing to do
		Refused bool             `json:"refused"`
		Changes []kubelet.Change `json:"changes"`
		Out     string           `json:"out,omitempty"`
		Backup  string           `json:"backup,omitempty"`
		// Restored: it was written, and put back because another failed.
		Restored bool              `json:"restored,omitempty"`
		Error    string            `json:"error,omitempty"` // why it could not be written
		Before   *preflight.Answer `json:"before,omitempty"`
		After    *preflight.Answer `json:"after,omitempty"`
	}
	out := struct {
		SchemaVersion int     `json:"schemaVersion"`
		Release       string  `json:"release"`
		DryRun        bool    `json:"dryRun"`
		Files         []file  `json:"files"`
		Kubelets      []start `json:"kubelets"`
	}{SchemaVersion: schemaVersion, Release: a.Release, DryRun: a.DryRun, Files: []file{}, Kubelets: startsOf(a.After)}
	for _, f := range a.Files {
		j := file{File: f.File, Refused: f.Refused != "", Reason: f.Refused + f.Idle, Changes: []kubelet.Change{}, Out: f.Out, Backup: f.Backup,
			Restored: f.Restored, Error: f.Error}
		if f.Adoption != nil {
			j.Adopted, j.Change, j.Changes = true, f.Adoption.Change, notNil(f.Adoption.Changes)
			j.Before, j.After = &f.Adoption.Before, &f.Adoption.After
		}
		out.Files = append(out.Files, j)
	}
	enc := json.NewEncoder(termtext.JSONWriter(w))
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
