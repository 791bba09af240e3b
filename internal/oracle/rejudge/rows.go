package main

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// rows asks about every file of a table of verdicts.
func (j *judge) rows(path string, goldens []oracle.Golden) error {
	rows, err := oracle.ReadRows(path)
	if err != nil {
		return err
	}
	bases := map[string]*oracle.Golden{}
	for i := range goldens {
		for _, w := range goldens[i].Writers {
			bases[goldens[i].Base(w)] = &goldens[i]
		}
	}
	cases := make([]oracle.Case, 0, 2*len(rows)) // each file, and the one it was before
	for i := range rows {
		r := &rows[i]
		c := oracle.Case{Kind: r.Kind, FileName: actuated(r), Policy: r.Policy, Containers: r.Containers, Blob: r.Blob()}
		original := c
		if r.Base != "" {
			g := bases[r.Base]
			if g == nil {
				return fmt.Errorf("%s: %s: no file %s", path, r.Name, r.Base)
			}
			b, err := j.golden(g)
			if err != nil {
				return err
			}
			original.Blob = b.Blob
		}
		cases = append(cases, c, original)
	}
	answers, err := j.ask(cases)
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		for label, a := range answers[2*i] {
			file := filepath.Base(path) + " " + r.Name
			recorded, ok := r.Kubelets[label]
			if !ok {
				j.differ(file, label, "asked", "not", "yes")
				continue
			}
			j.compare(file, label, cases[2*i], recorded, a)
			before := answers[2*i+1][label]
			same := r.Base != "" && a.Accepted && before.Accepted && string(a.State) == string(before.State)
			if same != recorded.SameState {
				j.differ(file, label, "same state", strconv.FormatBool(recorded.SameState), strconv.FormatBool(same))
			}
			r.Kubelets[label] = oracle.RowAnswer{Accepted: a.Accepted, Error: a.Error, SameState: same, Panic: a.Panic}
		}
	}
	if !j.update {
		return nil
	}
	return oracle.WriteRows(path, rows)
}

// actuated is the file name where a kubelet has two of a kind.
func actuated(r *oracle.Row) string {
	if r.FileName == "actuated_pods_state" {
		return r.FileName
	}
	return ""
}
