package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

// plan is a migration of several files: all is computed before anything is
// written.
type plan struct {
	to        kubelet.Target
	allowLoss bool
	inPlace   bool
	dryRun    bool

	steps   []*step
	refused bool     // nothing is written
	says    []string // to standard error
}

// step is one file of it.
type step struct {
	render.Migrated
	old, new []byte
	code     int // exit code that the file asks for
}

// make migrates the file at path, or those that a kubelet keeps in that
// directory, in memory.
func (p *plan) make(r *input.Reader, path string, isDir bool, opts kubelet.Options) error {
	for item := range r.Expand([]string{path}) {
		if isDir && !isKnown(item.Name) {
			return fmt.Errorf("%q has none of the files that a kubelet keeps", path)
		}
		c, err := item.Load(nil)
		if err != nil {
			p.steps = append(p.steps, &step{Migrated: render.Migrated{File: item.Name, Error: unreadWords(err)}, code: exitUndecided})
			continue
		}
		s := p.migrate(item.Name, c.Bytes, opts)
		if s.code == exitGood && s.Unused == "" {
			s.Unused = p.unused(item.Name, s)
		}
		p.steps = append(p.steps, s)
	}
	return nil
}

func unreadWords(err error) string {
	var e *input.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func (p *plan) migrate(name string, blob []byte, opts kubelet.Options) *step {
	s := &step{Migrated: render.Migrated{File: name}, old: blob}
	if name != input.Stdin {
		opts.FileName = name
	}
	if opts.Policy != "" { // which spelling is meant is known once the kind is
		opts.Policy = spelled(opts.Policy, kubelet.Judge(blob, kubelet.Options{Kind: opts.Kind, FileName: opts.FileName}).Kind)
	}
	m, err := kubelet.Migrate(blob, p.to, opts)
	var target *kubelet.TargetError
	switch {
	case errors.As(err, &target) && p.inPlace && isKnown(name):
		s.Kind, s.Unused = target.Kind, target.Reason
		return s
	case err != nil:
		s.Error, s.code = err.Error(), codeOfError(err)
		return s
	}
	s.Kind, s.From, s.To, s.Release, s.Gates = m.Kind, m.From, m.To, m.Release, render.GatesOn(m.Gates)
	s.Same, s.Losses, s.Gaps, s.Verdict = m.Same, m.Losses, m.Gaps, m.Answer.Verdict
	s.Then = m.Findings
	s.Differences = kubelet.Changes(m.Source.Content, m.Content)
	for _, f := range m.Source.Findings {
		if f.Severity != kubelet.SeverityInfo {
			s.Findings = append(s.Findings, f)
		}
	}
	s.new = m.Bytes
	return s
}

// codeOfError tells a file that is bad from one that is not understood.
func codeOfError(err error) int {
	var broken *kubelet.BrokenError
	var refused *kubelet.RefusedError
	if errors.As(err, &broken) || errors.As(err, &refused) {
		return exitBad
	}
	return exitUndecided
}

// unused returns why the target does not look at the file at path, or "".
func (p *plan) unused(path string, s *step) string {
	if !p.inPlace || !isKnown(path) {
		return ""
	}
	instead, used := "", false
	for _, f := range kubelet.Files() {
		switch {
		case f.Kind != s.Kind:
		case strings.HasSuffix("/"+path, "/"+f.Name):
			used = f.Span.Has(s.Release)
		case f.Span.Has(s.Release) && instead == "":
			instead = f.Name
		}
	}
	switch {
	case used:
		return ""
	case instead == "":
		return fmt.Sprintf("kubelet %s has no such file", s.Release)
	}
	return fmt.Sprintf("kubelet %s keeps this in %s: write it there with -o", s.Release, instead)
}

// isKnown reports whether a kubelet keeps a file at path.
func isKnown(path string) bool {
	for _, f := range kubelet.Files() {
		if strings.HasSuffix("/"+path, "/"+f.Name) {
			return true
		}
	}
	return false
}

// judge says whether the plan may be carried out, by its exit code.
func (p *plan) judge() int {
	code, lossy := exitGood, false
	for _, s := range p.steps {
		code = worse(code, s.code)
		lossy = lossy || s.code == exitGood && (s.Unused != "" || len(s.Losses)+len(s.Gaps) > 0)
	}
	if lossy && !p.allowLoss {
		code = worse(code, exitBad)
		p.says = append(p.says, "something would be lost; --allow-loss writes all the same")
	}
	if p.refused = code != exitGood; p.refused && !p.dryRun && len(p.steps) > 1 {
		p.says = append(p.says, "nothing was written")
	}
	return code
}

// putter writes data, made from the file at path that holds old.
type putter func(path string, old, data []byte) (rewrite.Done, error)

// write carries the plan out. If a file cannot be written, those before it are
// put back.
func (p *plan) write(put putter) int {
	for i, s := range p.steps {
		if s.Unused != "" || s.Same && p.inPlace {
			continue
		}
		done, err := put(s.File, s.old, s.new)
		s.Backup = done.Backup
		if err == nil && !bytes.Equal(done.Bytes, s.new) {
			err = fmt.Errorf("%q does not hold what was written to it", done.Path)
		}
		if err == nil {
			s.Written = true
			continue
		}
		s.Error = err.Error()
		p.says = append(p.says, err.Error())
		var (
			visible *filestore.NotDurableError
			unclear *filestore.UncertainError
		)
		s.Written = errors.As(err, &visible) || errors.As(err, &unclear)
		if p.inPlace {
			p.undo(p.steps[:i+1], put)
		}
		return exitUndecided
	}
	return p.faults()
}

// faults is the exit code by what is wrong with the results and was not with the
// files.
func (p *plan) faults() int {
	for _, s := range p.steps {
		if slices.ContainsFunc(s.Then, func(f kubelet.Finding) bool { return f.Severity == kubelet.SeverityError }) {
			return exitBad
		}
	}
	return exitGood
}

// undo puts back what was written, and names what it leaves behind. If it fails,
// the backup is what is left.
func (p *plan) undo(steps []*step, put putter) {
	for _, s := range steps {
		if !s.Written {
			if s.Backup != "" {
				p.says = append(p.says, fmt.Sprintf("%q was not written; %q, with the same bytes, is left", s.File, s.Backup))
			}
			continue
		}
		done, err := put(s.File, s.new, s.old)
		if err == nil && !bytes.Equal(done.Bytes, s.old) {
			err = fmt.Errorf("%q does not hold what was written to it", done.Path)
		}
		if done.Backup != "" { // of the new bytes, which nobody misses
			if rmErr := os.Remove(done.Backup); rmErr != nil {
				p.says = append(p.says, fmt.Sprintf("%q is left, with the new bytes: %v", done.Backup, rmErr))
			}
		}
		switch s.Restored = err == nil; {
		case !s.Restored:
			p.says = append(p.says, fmt.Sprintf("%q may be left changed, for it could not be put back: %v; what it held is in %q", s.File, err, s.Backup))
		case s.Backup != "":
			p.says = append(p.says, fmt.Sprintf("%q was put back; %q, with the same bytes, is left", s.File, s.Backup))
		}
	}
}
