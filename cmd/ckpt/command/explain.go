package command

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
)

type explainOptions struct {
	files
	question
	display
	diagnosis
	output string
	matrix bool
}

func newExplain(env Env) *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain [flags] [PATH ...]",
		Short: "Show in plain words and pictures what a checkpoint file says and who reads it",
		Long: `explain says in plain words whether a checkpoint file is sound, which kubelet wrote
it and which accept it, draws what it holds, and tells what to do about each fault.

Of a broken file it says what probably happened to it: which value was changed from
what, which entry was added, where it breaks off and what is still whole. It says
"certain" only where chance is all but ruled out, or something beside the checksum
agrees; see docs/diagnosis.md.

PATH is a file, a directory, or - for standard input; without one it is
` + defaultPath + `.`,
		Example: `  ckpt explain /var/lib/kubelet/cpu_manager_state
  ckpt explain --kubelet 1.37 - < memory_manager_state`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, env, args) },
	}
	o.files.addFlags(cmd)
	o.question.addFlags(cmd)
	o.display.addFlags(cmd)
	o.diagnosis.addFlags(cmd)
	outputFlag(cmd, &o.output, textOrJSON...)
	cmd.Flags().BoolVar(&o.matrix, "matrix", false, "show who reads what which other kubelet wrote, and read no file")
	return cmd
}

func (o *explainOptions) run(cmd *cobra.Command, env Env, paths []string) error {
	if o.matrix {
		if o.output != "text" {
			return errors.New("--matrix is text only")
		}
		if len(paths) > 0 {
			return errors.New("--matrix is about kubelets, not about files: leave the PATH out")
		}
		return undecided(render.Matrix(cmd.OutOrStdout(), kubelet.Compatibilities()))
	}
	if !slices.Contains(textOrJSON, o.output) {
		return unknown("--output", o.output, textOrJSON)
	}
	r := o.reader(cmd)
	opts, err := o.question.options(r)
	if err != nil {
		return err
	}
	show := o.display.options(env)
	var p printer = &pages{w: cmd.OutOrStdout(), show: show}
	if o.output == "json" {
		show.Content = true
		if p, err = render.NewPrinter(cmd.OutOrStdout(), render.JSON, show); err != nil {
			return err
		}
	}
	also, err := o.diagnoser(cmd, env, r, opts)
	if err != nil {
		return err
	}
	return judgeAll(cmd, env, r, paths, p, judging{opts: opts, also: also})
}

// pages writes one page a file with an empty line between them.
type pages struct {
	w    io.Writer
	show render.Options
	some bool
}

func (p *pages) File(f render.File) error {
	if p.some {
		if _, err := fmt.Fprintln(p.w); err != nil {
			return err
		}
	}
	p.some = true
	return render.Explain(p.w, f, p.show)
}

func (p *pages) Close() error { return nil }
