package command

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

type adoptOptions struct {
	node
	display
	inPlace bool
	dryRun  bool
	json    bool
}

func newAdopt(env Env) *cobra.Command {
	var o adoptOptions
	cmd := &cobra.Command{
		Use:   "adopt [flags] --kubelet RELEASE (--dry-run | --in-place)",
		Short: "Rewrite state files for a machine that has changed, where that is provably safe",
		Long: `adopt rewrites cpu_manager_state and memory_manager_state so that the kubelet of one
release accepts them where it refuses them now, without a drain: what pods hold stays
as it is, to the last CPU and byte. Four changes can be adopted:

  - the policy was turned on, and nobody holds anything by the file;
  - CPUs were added behind all that the file knows, none of them on the core of a
    CPU that somebody holds, and no other file names a holder that this one lacks;
  - strictly reserved CPUs moved, over CPUs that nobody holds, and no more are
    missing in the file than can have been reserved before;
  - the memory of NUMA nodes differs from boot to boot, and all that is held fits.

Everything else is refused, and why is said. Nothing is written unless every file
that keeps the kubelet from starting can be adopted, and unless the kubelet, by the
checks of ckpt preflight, refuses the old file for this change alone and accepts the
new one. What a file held is kept beside it; if one cannot be written, those before
it are put back.

Stop the kubelet first: it takes no lock, and would write over the result.

Exit codes: 0 done, or nothing to do; 1 a file is not adopted; 2 wrong usage; 3 a file
could not be read or written.`,
		Example: `  ckpt adopt --kubelet 1.37 --dry-run
  ckpt adopt --kubelet 1.37 --in-place --only memory`,
		Args: noPaths("adopt"),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd, env) },
	}
	o.node.addFlags(cmd)
	f := cmd.Flags()
	f.Lookup("kubelet").Usage = "the kubelet release to adopt the files for, such as 1.37"
	f.Lookup("only").Usage = "adopt the file of one manager alone, cpu or memory, by a configuration without unknown fields"
	f.BoolVar(&o.inPlace, "in-place", false, "replace the files; what they held is kept as FILE.ckpt-backup-TIME")
	f.BoolVar(&o.dryRun, "dry-run", false, "write nothing, show what would change")
	f.BoolVar(&o.json, "json", false, "say what is done as JSON")
	o.addColorFlag(cmd)
	return cmd
}

func (o *adoptOptions) run(cmd *cobra.Command, env Env) error {
	switch {
	case o.inPlace == o.dryRun:
		return errors.New("want one of --dry-run and --in-place")
	case len(o.releases) != 1:
		return fmt.Errorf("a file is adopted for one kubelet: give --kubelet once, got it %d times", len(o.releases))
	}
	o.whole = true
	n, err := o.node.read(cmd, nil)
	if err != nil {
		return err
	}
	told := render.Adoptions{Release: n.question.Releases[0], DryRun: o.dryRun, Only: n.question.Only}
	if err := adoptAll(n.question, &told); err != nil {
		return undecided(err)
	}
	after := n.question
	after.Files = maps.Clone(n.question.Files)
	code := exitGood
	for _, f := range told.Files {
		if f.Refused != "" {
			code = exitBad
		}
		if f.Adoption != nil {
			after.Files[f.File] = f.Adoption.Bytes
		}
	}
	var failed error
	if !o.dryRun && code == exitGood {
		stop := tellSoon(cmd, "waiting for another process that writes there: it holds .ckpt.lock in "+n.dir)
		failed = o.write(n, &told)
		if stop(); failed != nil {
			code, after.Files = exitUndecided, maps.Clone(n.question.Files)
			for _, f := range told.Files {
				if f.Out != "" { // it could not be put back
					after.Files[f.File] = f.Adoption.Bytes
				}
			}
		}
	}
	if told.After, err = preflight.Start(after); err != nil {
		return undecided(err)
	}
	show := o.display.options(env)
	write := render.WriteAdoptions
	if o.json {
		write = render.WriteAdoptionsJSON
	}
	if err := write(cmd.OutOrStdout(), told, show); err != nil {
		return undecided(err)
	}
	if failed != nil {
		return &exitError{code, failed}
	}
	return exit(code)
}

// adoptAll computes what becomes of each file before any is written.
func adoptAll(q preflight.Question, told *render.Adoptions) error {
	for _, name := range []string{preflight.CPUManagerState, preflight.MemoryManagerState} {
		if q.Only != "" && kubelet.KindOfName(name) != q.Only {
			continue
		}
		f := render.Adopted{File: name}
		a, err := preflight.Adopt(q, name)
		var no *preflight.NotAdoptedError
		switch _, found := q.Files[name]; {
		case err == nil:
			f.Adoption = &a
		case !errors.As(err, &no):
			return err
		case !found:
			f.Idle = "there is no such file"
		case no.Before.Starts:
			f.Idle = "the kubelet accepts it as it is"
		default:
			f.Refused = no.Reason
		}
		told.Files = append(told.Files, f)
	}
	return nil
}

// write replaces the adopted files, all or none: if one cannot be written, those
// before it are put back.
func (o *adoptOptions) write(n found, told *render.Adoptions) error {
	p := &plan{inPlace: true}
	var files []*render.Adopted
	for i := range told.Files {
		f := &told.Files[i]
		if f.Adoption == nil {
			continue
		}
		path, err := o.hostPath(strings.TrimSuffix(n.dir, "/") + "/" + f.File)
		if err != nil {
			f.Error = err.Error()
			return err
		}
		files = append(files, f)
		p.steps = append(p.steps, &step{Migrated: render.Migrated{File: path}, old: n.question.Files[f.File], new: f.Adoption.Bytes})
	}
	code := p.write(func(path string, old, data []byte) (rewrite.Done, error) {
		done, err := rewrite.InPlace(path, old, data)
		if err != nil && !strings.Contains(err.Error(), path) {
			err = fmt.Errorf("%q: %w", path, err)
		}
		return done, err
	})
	for i, s := range p.steps {
		f := files[i]
		f.Backup, f.Restored, f.Error = s.Backup, s.Restored, s.Error
		if s.Written && !s.Restored {
			f.Out = s.File
		}
	}
	if code != exitGood {
		return errors.New(strings.Join(p.says, "\n"))
	}
	return nil
}

// hostPath is where path, a path inside the root, is for this process. No link
// on the way may lead out of the root.
func (o *adoptOptions) hostPath(path string) (string, error) {
	if o.root == "" {
		return path, nil
	}
	root, err := filepath.EvalSymlinks(o.root)
	if err != nil {
		return "", err
	}
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(root, path))
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%q leads through a link out of %q: nothing is written there", path, o.root)
	}
	return real, nil
}
