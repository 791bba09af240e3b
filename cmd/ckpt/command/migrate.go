package command

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

type migrateOptions struct {
	writing
	display
	question
	release   string
	format    string
	allowLoss bool
	json      bool
}

func newMigrate(env Env) *cobra.Command {
	var o migrateOptions
	cmd := &cobra.Command{
		Use:   "migrate [flags] (--kubelet RELEASE | --format FORMAT) PATH",
		Short: "Write a checkpoint file as the kubelet of another release does",
		Long: `migrate writes the very bytes that the kubelet of a release would write for what a
file says, so that this kubelet starts with it. It refuses when something would be
lost, and lists it, and it never migrates a broken file.

Of a directory, all the files that a kubelet keeps there are migrated in place, or
none. Where the target keeps one under another name, that is made, if it is not there
already. Stop the kubelet first: it takes no lock, and would write over the result.

Exit codes: 0 done, or nothing to do; 1 a file is broken, its target has no such file
or refuses it, something would be lost, or the result has errors that the file had
not; 2 wrong usage; 3 a file could not be read, written or understood, or a kubelet
runs.`,
		Example: `  ckpt migrate --kubelet 1.36 --dry-run /var/lib/kubelet
  ckpt migrate --kubelet 1.36 --in-place /var/lib/kubelet
  ckpt migrate --format memory/v1 -o memory_manager_state.v1 memory_manager_state`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("migrate takes one PATH, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, env, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.release, "kubelet", "", "release of the kubelet that is to read the file, such as 1.35")
	f.StringVar(&o.format, "format", "", "format to write, such as memory/v1, as the newest kubelet that writes it")
	f.BoolVar(&o.allowLoss, "allow-loss", false, "write even if something is lost")
	f.BoolVar(&o.json, "json", false, "tell what was done as a JSON object")
	o.question.addGateFlags(cmd)
	o.writing.addFlags(cmd)
	o.display.addFlags(cmd)
	complete(cmd, "kubelet", releases())
	complete(cmd, "format", writtenFormats())
	return cmd
}

// target checks the flags that say what to write.
func (o *migrateOptions) target(r *input.Reader) (kubelet.Target, kubelet.Options, error) {
	var to kubelet.Target
	switch {
	case (o.release == "") == (o.format == ""):
		return to, kubelet.Options{}, errors.New("want one of --kubelet RELEASE and --format FORMAT")
	case o.format != "" && !slices.Contains(writtenFormats(), o.format):
		return to, kubelet.Options{}, unknown("--format", o.format, writtenFormats())
	case o.release != "":
		o.question.releases = []string{o.release}
	}
	opts, err := o.question.options(r)
	if err != nil {
		return to, opts, err
	}
	to.Format, to.Gates = o.format, opts.Gates
	if o.release != "" {
		to.Release = opts.Releases[0]
	}
	if err := kubelet.CheckGates(to.Release, to.Gates); err != nil {
		return to, opts, fmt.Errorf("--gates: %w", err)
	}
	opts.Releases, opts.Gates = nil, nil
	return to, opts, nil
}

func (o *migrateOptions) run(cmd *cobra.Command, env Env, path string) error {
	if err := o.writing.check(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	isDir := err == nil && path != input.Stdin && info.IsDir()
	switch {
	case isDir && o.out != "":
		return errors.New("a directory is migrated with --in-place, not to --output")
	case isDir && o.format != "":
		return errors.New("--format is for one file; a directory has files of several kinds")
	}
	r := new(files).reader(cmd)
	to, opts, err := o.target(r)
	if err != nil {
		return err
	}
	p := &plan{to: to, allowLoss: o.allowLoss, inPlace: o.inPlace || isDir, dryRun: o.dryRun}
	if err := p.make(r, path, isDir, opts); err != nil {
		return undecided(err)
	}
	code := p.judge()
	socket := ""
	if code == exitGood && p.inPlace && !o.dryRun {
		socket = p.running()
	}
	switch {
	case socket != "":
		code, p.refused = exitUndecided, true
		p.says = append(p.says, fmt.Sprintf("a kubelet listens at %q, and would write over the result: stop it first; nothing was written", socket))
	case cmd.Context().Err() != nil:
		return cmd.Context().Err()
	case code == exitGood && o.dryRun:
		code = p.faults()
	case code == exitGood:
		code = p.write(func(path string, old, data []byte) (rewrite.Done, error) {
			done, err := o.writing.write(cmd, path, old, data)
			if to := cmp.Or(o.out, path); err != nil && !strings.Contains(err.Error(), to) {
				err = fmt.Errorf("%q: %w", to, err)
			}
			return done, err
		})
	}
	if err := o.show(cmd, env, p); err != nil {
		return undecided(err)
	}
	if len(p.says) > 0 {
		return &exitError{code, errors.New(strings.Join(p.says, "\n"))}
	}
	return exit(code)
}

// show tells what was done, where the result does not go.
func (o *migrateOptions) show(cmd *cobra.Command, env Env, p *plan) error {
	w := cmd.OutOrStdout()
	if o.toStdout() {
		w = cmd.ErrOrStderr()
	}
	m := render.Migrations{DryRun: o.dryRun, Refused: p.refused}
	for _, s := range p.steps {
		switch {
		case s.fresh != "":
			s.Out = s.fresh
		case p.inPlace:
			s.Out = s.File
		default:
			s.Out = o.out
		}
		m.Files = append(m.Files, s.Migrated)
	}
	if o.json {
		return render.WriteMigrationsJSON(w, m, o.display.options(env))
	}
	return render.WriteMigrations(w, m, o.display.options(env))
}

// writtenFormats are the formats that some release writes.
func writtenFormats() []string {
	var ids []string
	for _, f := range kubelet.Formats() {
		if len(f.Written) > 0 {
			ids = append(ids, f.ID)
		}
	}
	return ids
}
