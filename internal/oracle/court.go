package oracle

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Case is a file to judge, and what a kubelet knows beside it.
type Case struct {
	Kind       string
	FileName   string // empty: as each kubelet calls it
	Policy     string
	Containers map[string][2]string
	Blob       []byte
}

// Answers are those of the kubelets, by Setting.Label.
type Answers map[string]Answer

// Court holds the running oracles of several releases.
type Court struct {
	Releases []string
	programs []*Program
}

// Open starts the oracles in dir, or only those of some releases.
func Open(dir string, only ...string) (*Court, error) {
	c := &Court{}
	for _, release := range Releases(dir) {
		if len(only) > 0 && !slices.Contains(only, release) {
			continue
		}
		p, err := Start(dir, release)
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		c.Releases = append(c.Releases, release)
		c.programs = append(c.programs, p)
	}
	if len(c.programs) == 0 {
		return nil, fmt.Errorf("no oracle-1.NN in %q; testdata/oracle/README.md says how to build them", dir)
	}
	return c, nil
}

// Close ends all programs.
func (c *Court) Close() error {
	var err error
	for _, p := range c.programs {
		err = errors.Join(err, p.Close())
	}
	return err
}

// Program returns the oracle of a release, or nil.
func (c *Court) Program(release string) *Program {
	if i := slices.Index(c.Releases, release); i >= 0 {
		return c.programs[i]
	}
	return nil
}

// Labels are those of all settings that read a kind, in order.
func (c *Court) Labels(kind string) []string {
	var all []string
	for _, release := range c.Releases {
		for _, s := range Settings(release, kind) {
			all = append(all, s.Label())
		}
	}
	return all
}

// Restore puts the cases before every release, all releases at once. A kubelet
// that died over a case has no answer there; deaths tell.
func (c *Court) Restore(cases []Case) (answers []Answers, deaths []error, err error) {
	answers = make([]Answers, len(cases))
	for i := range answers {
		answers[i] = Answers{}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, release := range c.Releases {
		wg.Go(func() {
			got, dead, failed := restore(c.programs[i], release, cases)
			mu.Lock()
			defer mu.Unlock()
			for _, g := range got {
				answers[g.index][g.label] = g.answer
			}
			deaths = append(deaths, dead...)
			err = errors.Join(err, failed)
		})
	}
	wg.Wait()
	return answers, deaths, err
}

// restored is an answer of one setting to one case.
type restored struct {
	index  int
	label  string
	answer Answer
}

// restore asks one release, all cases under one setting before the next: to
// change a gate takes longer than to judge a file.
func restore(p *Program, release string, cases []Case) (got []restored, deaths []error, err error) {
	byGates := map[string][]restored{}
	for i, c := range cases {
		for _, s := range Settings(release, c.Kind) {
			byGates[s.Gates] = append(byGates[s.Gates], restored{index: i, label: s.Label()})
		}
	}
	for _, gates := range slices.Sorted(maps.Keys(byGates)) {
		some, dead, err := restoreUnder(p, release, gates, cases, byGates[gates])
		if err != nil {
			return nil, nil, err
		}
		got = append(got, some...)
		deaths = append(deaths, dead...)
	}
	return got, deaths, nil
}

// restoreUnder fills in the answers under one setting. It leaves out those
// that a kubelet died over.
func restoreUnder(p *Program, release, gates string, cases []Case, got []restored) (_ []restored, deaths []error, err error) {
	requests := make([]Request, len(got))
	for i, g := range got {
		c := &cases[g.index]
		name := FileName(release, c.Kind)
		if name == "" {
			name = c.FileName
		}
		requests[i] = Request{Op: "restore", Kind: c.Kind, Policy: c.Policy, Gates: gates, Name: name, B64: File(c.Blob), Containers: c.Containers}
	}
	for done := 0; done < len(requests); {
		answers, err := p.Ask(requests[done:])
		for i, a := range answers {
			got[done+i].answer = a
		}
		done += len(answers)
		switch {
		case errors.Is(err, ErrDied) && done < len(requests):
			deaths = append(deaths, fmt.Errorf("%w over a %s file: %q", err, requests[done].Kind, *requests[done].B64))
			got = slices.Delete(got, done, done+1)
			requests = slices.Delete(requests, done, done+1)
		case err != nil:
			return nil, nil, err
		}
	}
	return got, deaths, nil
}
