package render

import (
	"cmp"
	"encoding/json"
	"io"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

// object is the JSON of one file. Names and order of the fields are a contract;
// new ones go to the end. Lists and objects that every file has are never null.
type object struct {
	SchemaVersion int                `json:"schemaVersion"`
	File          string             `json:"file"`
	Kind          kubelet.Kind       `json:"kind"`
	Format        string             `json:"format"`
	State         kubelet.State      `json:"state"`
	Policy        string             `json:"policy"`
	Checksums     []kubelet.Checksum `json:"checksums"`
	Kubelets      []kubelet.Answer   `json:"kubelets"`
	Findings      []kubelet.Finding  `json:"findings"`

	Written []string        `json:"written"`
	Damage  *kubelet.Damage `json:"damage,omitempty"`
	Failure *Failure        `json:"failure,omitempty"`
	Content any             `json:"content,omitempty"`

	Explanations []kubelet.Explanation `json:"explanations,omitzero"`
}

const schemaVersion = 1

func objectOf(f File, o Options) object {
	v := f.Verdict
	obj := object{
		SchemaVersion: schemaVersion, File: f.Name, Kind: cmp.Or(v.Kind, kubelet.Unknown), Format: v.Format, State: v.State, Policy: v.Policy,
		Checksums: notNil(v.Checksums), Kubelets: make([]kubelet.Answer, 0, len(v.Kubelets)),
		Findings: notNil(v.Findings), Written: notNil(v.Written), Damage: v.Damage, Failure: f.Failure,
	}
	for _, a := range v.Kubelets {
		if a.Gates == nil {
			a.Gates = map[string]bool{}
		}
		a.Lost = notNil(a.Lost)
		obj.Kubelets = append(obj.Kubelets, a)
	}
	if o.Content {
		obj.Content = jsonContent(v.Content, o)
		obj.Explanations = shown(f.Explanations, o)
	}
	return obj
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// jsonArray writes one array, indented for people.
type jsonArray struct {
	w    io.Writer
	o    Options
	some bool
}

func (a *jsonArray) add(f File) error {
	lead := "[\n  "
	if a.some {
		lead = ",\n  "
	}
	a.some = true
	j, err := json.MarshalIndent(objectOf(f, a.o), "  ", "  ")
	if err != nil {
		return err
	}
	_, err = a.w.Write(append([]byte(lead), termtext.JSON(j)...))
	return err
}

func (a *jsonArray) end() error {
	tail := "[]\n"
	if a.some {
		tail = "\n]\n"
	}
	_, err := io.WriteString(a.w, tail)
	return err
}

// jsonLines writes one object a line.
type jsonLines struct {
	enc *json.Encoder
	o   Options
	obj object // kept, as there may be many
}

func newJSONLines(w io.Writer, o Options) *jsonLines {
	return &jsonLines{enc: json.NewEncoder(termtext.JSONWriter(w)), o: o}
}

func (l *jsonLines) add(f File) error {
	l.obj = objectOf(f, l.o)
	return l.enc.Encode(&l.obj)
}

func (l *jsonLines) end() error { return nil }
