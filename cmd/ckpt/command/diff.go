package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/input"
)

type diffOptions struct {
	files
	display
	kind   string
	output string
}

func newDiff(env Env) *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff [flags] A B",
		Short: "Show what two checkpoint files mean differently",
		Long: `diff compares what two files of one kind say, by path. Their layouts may differ, and
the order of anything in them does not count. Checksums are not compared: use verify
for those. Of a file in two halves, what the newest kubelet reads is compared; that the
other half says something else goes to standard error, and counts as a difference if
it is not so in both.

The exit code is 0 if the files mean the same, 1 if they differ, and more if they
cannot be compared. A or B may be - for standard input.`,
		Example: `  ckpt diff cpu_manager_state.bak /var/lib/kubelet/cpu_manager_state
  ssh NODE cat /var/lib/kubelet/memory_manager_state | ckpt diff memory_manager_state -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff takes two files, got %d", len(args))
			}
			if args[0] == input.Stdin && args[1] == input.Stdin {
				return errors.New("only one of the two can be standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, env, args[0], args[1]) },
	}
	o.files.addFlags(cmd)
	o.display.addFlags(cmd)
	cmd.Flags().StringVar(&o.kind, "kind", "", "kind of the files (default: by name, then content)")
	complete(cmd, "kind", kinds())
	outputFlag(cmd, &o.output, textOrJSON...)
	return cmd
}

func (o *diffOptions) run(cmd *cobra.Command, env Env, a, b string) error {
	if !slices.Contains(textOrJSON, o.output) {
		return unknown("--output", o.output, textOrJSON)
	}
	question := question{kind: o.kind}
	opts, err := question.options(o.reader(cmd))
	if err != nil {
		return err
	}
	old, err := o.content(cmd, a, opts)
	if err != nil {
		return undecided(err)
	}
	if opts.Kind == "" {
		opts.Kind = old.Kind // both are meant to be of one kind
	}
	now, err := o.content(cmd, b, opts)
	if err != nil {
		return undecided(err)
	}
	d := render.Diff{A: a, B: b, Kind: old.Kind, Differences: kubelet.Changes(old.Content, now.Content)}
	// What is compared is what the newest kubelet reads. An older one reads the
	// other half of a file in two halves.
	x, y := oddHalf(old), oddHalf(now)
	d.HalvesDiffer = !slices.Equal(x, y)
	for _, f := range []struct {
		name string
		odd  []string
	}{{a, x}, {b, y}} {
		if len(f.odd) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "ckpt: %q: the half for older kubelets, which is not compared, says something else (%s)\n", f.name, strings.Join(f.odd, ", "))
		}
	}
	show := o.display.options(env)
	write := render.WriteDiff
	if o.output == "json" {
		write = render.WriteDiffJSON
	}
	if err := write(cmd.OutOrStdout(), d, show); err != nil {
		return undecided(err)
	}
	if len(d.Differences) > 0 || d.HalvesDiffer {
		return exit(exitBad)
	}
	return nil
}

// oddHalf returns in what the halves of a file differ: fields that say different
// things and, if the half for older kubelets has a wrong sum, that one's name.
func oddHalf(v kubelet.Verdict) (paths []string) {
	for _, f := range v.Findings {
		if f.Code == "halves-differ" || f.Code == "legacy-checksum-mismatch" {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// understood reports whether a file that no kubelet reads says something that is
// known all the same: a matching checksum tells.
func understood(v kubelet.Verdict) bool {
	return slices.ContainsFunc(v.Checksums, func(c kubelet.Checksum) bool { return c.OK })
}

// content reads one file and what it says.
func (o *diffOptions) content(cmd *cobra.Command, path string, opts kubelet.Options) (kubelet.Verdict, error) {
	blob, err := o.read(cmd, path)
	if err != nil {
		return kubelet.Verdict{}, err
	}
	v := judge(path, blob, opts)
	why := "nothing in it can be read"
	if len(v.Findings) > 0 {
		why = v.Findings[0].Message
	}
	switch {
	case v.Content == nil || v.Kind == kubelet.Unknown:
		return v, fmt.Errorf("%q: %s", path, why)
	case v.State == kubelet.StateOther && !understood(v):
		return v, fmt.Errorf("%q cannot be read as a %s file: %s", path, v.Kind, why)
	}
	if opts.Kind != "" && v.Kind != opts.Kind {
		return v, fmt.Errorf("%q is a %s file, not a %s file", path, v.Kind, opts.Kind)
	}
	return v, nil
}
