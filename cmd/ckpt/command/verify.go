package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
)

type verifyOptions struct {
	files
	question
	display
	output string
	strict bool
	quick  bool
}

func newVerify(env Env) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [flags] [PATH ...]",
		Short: "Check checkpoint files, one line a file",
		Long: `verify checks the kubelet's checkpoint files and prints one line for each.

PATH is a file, a directory, or - for standard input; without one it is
` + defaultPath + `. Of a directory, the files of the kubelet are checked, or all
files if it has none of those.

With --quick, a file that is spelled just as a kubelet spells it and whose
checksums match is called ok without a look at what it says: not whether CPUs or
devices are held twice, whether the numbers add up, whether the halves of a file
agree, nor which kubelet accepts it. All other files are judged in full.

Exit codes: 0 good; 1 at least one file is bad; 2 wrong usage; 3 a file could not
be read or is of no known kind. Of several files, 1 counts before 3.`,
		Example: `  ckpt verify
  ckpt verify --kubelet 1.36,1.37 /var/lib/kubelet/cpu_manager_state
  ckpt verify --root /host -o json`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, env, args) },
	}
	o.files.addFlags(cmd)
	o.question.addFlags(cmd)
	o.display.addFlags(cmd)
	cmd.Flags().BoolVar(&o.strict, "strict", false, "let warnings make a file bad")
	cmd.Flags().BoolVar(&o.quick, "quick", false, "look no further at a file whose checksums match")
	var forms []string
	for _, f := range render.Formats() {
		forms = append(forms, string(f))
	}
	outputFlag(cmd, &o.output, forms...)
	return cmd
}

func (o *verifyOptions) run(cmd *cobra.Command, env Env, paths []string) (err error) {
	if q := o.question; o.quick && (len(q.releases) > 0 || len(q.gates) > 0 || q.policy != "" || q.containers != "") {
		return errors.New("--quick looks at checksums only; it cannot answer --kubelet, --gates, --policy or --containers")
	}
	format, err := render.ParseFormat(o.output)
	if err != nil {
		return err
	}
	r := o.reader(cmd)
	opts, err := o.question.options(r)
	if err != nil {
		return err
	}
	show := o.display.options(env)
	show.WholeNames = env.Columns == 0 // for grep
	out := cmd.OutOrStdout()
	if env.Columns == 0 { // nobody looks on
		d := newDelayed(out)
		defer func() {
			if failed := d.close(); failed != nil {
				err = undecided(failed)
			}
		}()
		out = d
	}
	p, err := render.NewPrinter(out, format, show)
	if err != nil {
		return err
	}
	return judgeAll(cmd, env, r, paths, p, judging{opts: opts, strict: o.strict, quick: o.quick})
}
