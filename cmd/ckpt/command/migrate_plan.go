package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

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
	whole   bool     // all files of a directory
	refused bool     // nothing is written
	says    []string // to standard error
}

// step is one file of it.
type step struct {
	render.Migrated
	old, new []byte
	content  any    // of old
	fresh    string // the file that is made of it, which is not there yet; empty: it is replaced
	code     int    // exit code that the file asks for
}

// make migrates the file at path, or those that a kubelet keeps in that
// directory, in memory.
func (p *plan) make(r *input.Reader, path string, isDir bool, opts kubelet.Options) error {
	p.whole = isDir
	for item := range r.Expand([]string{path}) {
		if _, known := knownAs(item.Name); isDir && !known {
			return fmt.Errorf("%q has none of the files that a kubelet keeps", path)
		}
		c, err := item.Load(nil)
		if err != nil {
			p.steps = append(p.steps, &step{Migrated: render.Migrated{File: item.Name, Error: unreadWords(err)}, code: exitUndecided})
			continue
		}
		s := p.migrate(item.Name, c.Bytes, opts)
		if s.Unused == "" {
			p.settle(r, s, opts)
		}
		p.steps = append(p.steps, s)
	}
	for _, s := range p.steps {
		p.asideOf(s)
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
	var (
		target     *kubelet.TargetError
		containers *kubelet.ContainersError
	)
	switch _, known := knownAs(name); {
	case errors.As(err, &target) && p.inPlace && known && p.to.Format == "":
		v := kubelet.Judge(blob, opts)
		s.Kind, s.content = v.Kind, v.Content
		p.forsake(s, target.Reason)
		return s
	case err != nil:
		s.Error, s.code = err.Error(), codeOfError(err)
		if errors.As(err, &containers) && opts.Containers == nil {
			s.Error += `: cpu/v1 names containers by id, so give those that run with --containers, as "crictl ps -a -o json" prints them`
		}
		return s
	}
	s.Kind, s.From, s.To, s.Release, s.Gates = m.Kind, m.From, m.To, m.Release, render.GatesOn(m.Gates)
	s.Same, s.Losses, s.Gaps, s.Verdict = m.Same, m.Losses, m.Gaps, m.Answer.Verdict
	s.Then = m.Findings
	s.Differences = m.Changes()
	for _, f := range m.Source.Findings {
		if f.Severity != kubelet.SeverityInfo {
			s.Findings = append(s.Findings, f)
		}
	}
	s.new, s.content = m.Bytes, m.Source.Content
	return s
}

// codeOfError tells a file that is bad, or not one for its target, from one that
// is not understood.
func codeOfError(err error) int {
	var (
		broken  *kubelet.BrokenError
		refused *kubelet.RefusedError
		target  *kubelet.TargetError
	)
	if errors.As(err, &broken) || errors.As(err, &refused) || errors.As(err, &target) {
		return exitBad
	}
	return exitUndecided
}

// judge says whether the plan may be carried out, by its exit code.
func (p *plan) judge() int {
	code, lossy, some := exitGood, false, false
	for _, s := range p.steps {
		code = worse(code, s.code)
		some = some || s.code == exitGood && p.writes(s)
		lossy = lossy || s.code == exitGood && len(s.Losses)+len(s.Gaps) > 0
	}
	if lossy && !p.allowLoss {
		code = worse(code, exitBad)
		for _, s := range p.steps {
			if s.Unused != "" && s.Info != "" {
				p.says = append(p.says, s.Info)
			}
		}
		p.says = append(p.says, "something would be lost; --allow-loss writes all the same")
	}
	if p.refused = code != exitGood; p.refused && !p.dryRun && len(p.steps) > 1 {
		said := "nothing was written"
		if some && !lossy {
			said += "; a file that is good can be migrated by its own path"
		}
		p.says = append(p.says, said)
	}
	return code
}

// putter writes data, made from the file at path that holds old.
type putter func(path string, old, data []byte) (rewrite.Done, error)

// writes reports whether the plan writes anything for a file.
func (p *plan) writes(s *step) bool {
	return s.Unused == "" && (!s.Same || !p.inPlace || s.fresh != "")
}

// write carries the plan out. If a file cannot be written, those before it are
// put back.
func (p *plan) write(put putter) int {
	for i, s := range p.steps {
		if !p.writes(s) {
			continue
		}
		var done rewrite.Done
		var err error
		if s.fresh == "" {
			done, err = put(s.File, s.old, s.new)
		} else {
			done, err = rewrite.New(s.fresh, s.new)
		}
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
		if s.fresh != "" {
			err := uncreate(s.fresh, s.new)
			if s.Restored = err == nil; err != nil {
				p.says = append(p.says, fmt.Sprintf("%q was not there and may be left: %v", s.fresh, err))
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
