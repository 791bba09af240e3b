package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// crossTable is testdata/kubelets/matrix.json.
type crossTable struct {
	Errors map[string]string
	Rows   []struct {
		Kind    string
		Writer  string
		Cases   []string
		Answers map[string]string // by label: ok, ok+, LOSSY or a key of Errors
	}
}

// matrix puts every genuine file before every reader. Here counts whether it
// is taken, and the error; what is lost follows from the states, which the
// tests of package kubelet compare.
func (j *judge) matrix(goldens []oracle.Golden) error {
	path := filepath.Join(j.dir, "kubelets", "matrix.json")
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var table crossTable
	if err := json.Unmarshal(b, &table); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	byBase := map[string]*oracle.Golden{}
	for i := range goldens {
		for _, w := range goldens[i].Writers {
			byBase[goldens[i].Base(w)] = &goldens[i]
		}
	}
	for _, row := range table.Rows {
		for _, name := range row.Cases {
			base := row.Kind + "/" + row.Writer + "/" + name + ".json"
			g := byBase[base]
			if g == nil {
				return fmt.Errorf("%s: no file %s", path, base)
			}
			c, err := j.golden(g)
			if err != nil {
				return err
			}
			answers, err := j.ask([]oracle.Case{c})
			if err != nil {
				return err
			}
			for label, a := range answers[0] {
				recorded := row.Answers[label]
				want := oracle.RowAnswer{Accepted: slices.Contains([]string{"ok", "ok+", "LOSSY"}, recorded), Error: table.Errors[recorded]}
				j.compare(base, label, c, want, a)
			}
		}
	}
	return nil
}

func (j *judge) golden(g *oracle.Golden) (oracle.Case, error) {
	b, err := os.ReadFile(filepath.Join(j.dir, "kubelets", g.File))
	return oracle.Case{Kind: g.Kind, Policy: g.Policy, Containers: g.Containers, Blob: b}, err
}

// ask is the court's Restore where no kubelet may die.
func (j *judge) ask(cases []oracle.Case) ([]oracle.Answers, error) {
	answers, deaths, err := j.court.Restore(cases)
	if err == nil && len(deaths) > 0 {
		err = deaths[0]
	}
	return answers, err
}

// again is how often a kubelet is asked whose error is not the one on record:
// it may name one of several offenders by map order.
const again = 300

// compare holds an answer against the one on record.
func (j *judge) compare(file, label string, c oracle.Case, recorded oracle.RowAnswer, now oracle.Answer) {
	j.answers++
	same := func(a oracle.Answer) bool {
		return a.Accepted == recorded.Accepted && a.Error == recorded.Error && (a.Panic == recorded.Panic || recorded.Accepted)
	}
	if same(now) {
		return
	}
	if !now.Accepted && !recorded.Accepted {
		answers, err := j.ask(slices.Repeat([]oracle.Case{c}, again))
		if err == nil && slices.ContainsFunc(answers, func(a oracle.Answers) bool { return same(a[label]) }) {
			return
		}
	}
	j.differ(file, label, "restored", fmt.Sprintf("%+v", recorded), fmt.Sprintf("%v %s", now.Accepted, now.Error))
}
