package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// rewrite has every writer on record write its file again.
func (j *judge) rewrite(goldens []oracle.Golden) error {
	bases := map[string][]byte{}
	for _, g := range goldens {
		b, err := os.ReadFile(filepath.Join(j.dir, "kubelets", g.File))
		if err != nil {
			return err
		}
		for _, w := range g.Writers {
			bases[g.Base(w)] = b
		}
	}
	for i := range goldens {
		g := &goldens[i]
		for _, w := range g.Writers {
			now, err := j.write(g, w, bases)
			if err != nil {
				return fmt.Errorf("%s: %w", g.Base(w), err)
			}
			if now == nil { // that release is not asked
				continue
			}
			j.written++
			if recorded := bases[g.Base(w)]; !bytes.Equal(now, recorded) {
				j.differ(g.Base(w), w.Writer, "written", string(recorded), string(now))
			}
		}
	}
	return nil
}

// write returns what w writes now.
func (j *judge) write(g *oracle.Golden, w oracle.Writer, bases map[string][]byte) ([]byte, error) {
	release := w.Writer[:strings.LastIndexByte(w.Writer, '.')]
	p := j.court.Program(release)
	if p == nil {
		return nil, nil
	}
	if p.Version != w.Writer {
		return nil, fmt.Errorf("oracle-%s is of %s", release, p.Version)
	}
	q := oracle.Request{Kind: g.Kind, Policy: g.Policy, Gates: w.Gates, Bytes: true}
	switch w.Origin {
	case "writer":
		return rewritten(p, q, g, bases[g.Base(w)])
	case "created at start-up, no file before":
		q.Op = "restore"
	default:
		return derive(w, g.Kind, bases)
	}
	return bytesOf(p, q)
}

// rewritten has a kubelet store the state on record. Where the index has none
// in this release's own terms (it leaves out large ones, and keeps one for all
// writers of a file), it is the state that the kubelet restores from the file.
func rewritten(p *oracle.Program, q oracle.Request, g *oracle.Golden, file []byte) ([]byte, error) {
	q.Op, q.State = "write", g.State
	now, err := bytesOf(p, q)
	if err != nil || !bytes.HasPrefix(now, []byte("state: ")) {
		return now, err
	}
	restore := q
	restore.Op, restore.State, restore.B64 = "restore", nil, oracle.File(file)
	answers, err := p.Ask([]oracle.Request{restore})
	if err != nil {
		return nil, err
	}
	q.State = answers[0].State
	if g.Kind == "device" {
		q.State = withoutFormat.ReplaceAll(q.State, []byte("}"))
	}
	return bytesOf(p, q)
}

// withoutFormat is what the oracle adds to the state of a device file.
var withoutFormat = regexp.MustCompile(`,"format":"V[12]"\}$`)

// bytesOf returns the file that there is after a request, or the error text.
func bytesOf(p *oracle.Program, q oracle.Request) ([]byte, error) {
	answers, err := p.Ask([]oracle.Request{q})
	if err != nil {
		return nil, err
	}
	if !answers[0].Accepted {
		return []byte(answers[0].Error), nil
	}
	return answers[0].B64, nil
}

var storedSum = regexp.MustCompile(`,"checksum":[0-9]+`)

// derive makes a file that no kubelet wrote: another one without its checksum.
func derive(w oracle.Writer, kind string, bases map[string][]byte) ([]byte, error) {
	sum, name := `,"checksum":0`, strings.TrimPrefix(w.Case, "derived-checksum-0.")
	if name == w.Case {
		sum, name = "", strings.TrimPrefix(w.Case, "derived-no-checksum.")
	}
	base, ok := bases[kind+"/"+w.Writer+"/"+name+".json"]
	if !ok {
		return nil, fmt.Errorf("derived of %s, which there is not", name)
	}
	return storedSum.ReplaceAll(base, []byte(sum)), nil
}
