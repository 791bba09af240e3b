package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// reporter writes down findings: as text, and as rows of testdata.
type reporter struct {
	text string // file to append to; empty: none
	rows string // file of rows to add to; empty: none
}

func (r reporter) add(c *oracle.Court, testdata string, f file, d disagreement) error {
	if r.text != "" {
		out, err := os.OpenFile(r.text, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n## %s %s: %s\npolicy %q, containers %v, base %s\nfile   %s\nours   %s\ntheirs %s\n",
			f.Kind, d.label, d.what, f.Policy, f.Containers, f.base, strconv.Quote(string(f.Blob)), d.ours, d.theirs)
		if err := out.Close(); err != nil {
			return err
		}
	}
	if r.rows == "" {
		return nil
	}
	row, err := makeRow(c, testdata, f)
	if err != nil {
		return err
	}
	var rows []oracle.Row
	if _, err := os.Stat(r.rows); err == nil {
		if rows, err = oracle.ReadRows(r.rows); err != nil {
			return err
		}
	}
	row.Name = fmt.Sprintf("fuzz-%03d-%s-%s", len(rows)+1, d.label, d.what)
	return oracle.WriteRows(r.rows, append(rows, row))
}

// makeRow asks the kubelets about a file and about the one it began as.
func makeRow(c *oracle.Court, testdata string, f file) (oracle.Row, error) {
	goldens, err := oracle.ReadGoldens(filepath.Join(testdata, "kubelets"))
	if err != nil {
		return oracle.Row{}, err
	}
	original := f
	for _, g := range goldens {
		for _, w := range g.Writers {
			if g.Base(w) != f.base {
				continue
			}
			if original.Blob, err = os.ReadFile(filepath.Join(testdata, "kubelets", g.File)); err != nil {
				return oracle.Row{}, err
			}
		}
	}
	answers, deaths, err := c.Restore(cases([]file{f, original}))
	if err != nil || len(deaths) > 0 {
		return oracle.Row{}, fmt.Errorf("asking again: %v %v", err, deaths)
	}
	row := oracle.Row{Base: f.base, FileName: f.FileName, Kind: f.Kind, Policy: f.Policy, Containers: f.Containers, Kubelets: map[string]oracle.RowAnswer{}}
	row.SetBlob(f.Blob)
	for label, a := range answers[0] {
		same := a.Accepted && answers[1][label].Accepted && string(a.State) == string(answers[1][label].State)
		row.Kubelets[label] = oracle.RowAnswer{Accepted: a.Accepted, Error: a.Error, SameState: same, Panic: a.Panic}
	}
	return row, nil
}
