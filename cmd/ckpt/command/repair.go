package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

type repairOptions struct {
	question
	diagnosis
	writing
	display
	apply  int
	reseal bool
	json   bool
}

func newRepair(env Env) *cobra.Command {
	var o repairOptions
	cmd := &cobra.Command{
		Use:   "repair [flags] FILE",
		Short: "Undo what happened to a broken checkpoint file",
		Long: `repair undoes what ckpt explain says of a broken file: it puts an old value back,
takes out an entry that was added, cuts off what stands behind the end, or keeps the
half that is whole. It does so by itself only if there is one explanation, and that
one is certain; else look at them with ckpt explain, and choose one with --apply.

The result has a matching checksum, and a kubelet that --kubelet asks for accepts it,
or nothing is written. What is broken is kept: --in-place leaves a copy beside the file.

--reseal undoes nothing, but computes the checksum of the content as it is. A kubelet
then believes whatever the file says. Do so only if you have edited it on purpose.

Stop the kubelet first. It writes the file whenever a pod comes or goes, and would
write what it holds in memory over the result.`,
		Example: `  ckpt repair --dry-run /var/lib/kubelet/cpu_manager_state
  ckpt repair --in-place --kubelet 1.37 /var/lib/kubelet/memory_manager_state
  ckpt repair --apply 2 -o mended cpu_manager_state`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("repair takes one file, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, env, args[0]) },
	}
	f := cmd.Flags()
	o.writing.addFlags(cmd)
	f.IntVar(&o.apply, "apply", 0, "undo this explanation, from 1 on (default: the only one, if it is certain)")
	f.BoolVar(&o.reseal, "reseal", false, "compute the checksum of the content as it is, and undo nothing")
	o.question.addFlags(cmd)
	o.diagnosis.addFlags(cmd)
	o.display.addFlags(cmd)
	f.BoolVar(&o.json, "json", false, "say what is done as JSON")
	return cmd
}

func (o *repairOptions) check(cmd *cobra.Command, path string) error {
	switch {
	case o.apply < 0 || o.apply == 0 && cmd.Flags().Changed("apply"):
		return errors.New("--apply: explanations are counted from 1 on")
	case o.apply > 0 && o.reseal:
		return errors.New("--apply and --reseal exclude each other")
	}
	return o.writing.check(path)
}

func (o *repairOptions) run(cmd *cobra.Command, env Env, path string) error {
	if err := o.check(cmd, path); err != nil {
		return err
	}
	var src files
	r := src.reader(cmd)
	opts, err := o.question.options(r)
	if err != nil {
		return err
	}
	blob, err := src.read(cmd, path)
	if err != nil {
		return undecided(err)
	}
	broken := render.File{Name: path, Verdict: judge(path, blob, opts)}
	if err := anotherKind(broken, blob, o.kind); err != nil {
		return &exitError{exitBad, err}
	}
	if path != input.Stdin {
		opts.FileName = path
	}
	opts.Policy = spelled(opts.Policy, broken.Verdict.Kind)

	fix := kubelet.Fix{Apply: o.apply, Reseal: o.reseal}
	if !o.reseal {
		explain, err := o.diagnoser(cmd, env, r, opts)
		if err != nil {
			return err
		}
		explain(&broken, blob)
		fix.Explanations = broken.Explanations
	}
	if err := cmd.Context().Err(); err != nil {
		return undecided(err)
	}
	told := render.Repair{File: broken, DryRun: o.dryRun}
	told.Result, err = kubelet.Repair(blob, fix, opts)
	if err != nil {
		told.Error = err
		return o.refused(cmd, env, told)
	}
	code := exitGood
	if len(told.Result.Faults()) > 0 {
		code = exitBad
	}
	if o.dryRun {
		return o.told(cmd, env, told, code)
	}
	done, err := o.writing.write(cmd, path, blob, told.Result.Bytes)
	if err != nil {
		return undecided(err)
	}
	if err := verified(done, told.Result, opts); err != nil {
		return undecided(err)
	}
	told.Out, told.Backup = done.Path, done.Backup
	return o.told(cmd, env, told, code)
}

// told tells, and returns code as an error.
func (o *repairOptions) told(cmd *cobra.Command, env Env, told render.Repair, code int) error {
	if err := o.tell(cmd, env, told); err != nil {
		return undecided(err)
	}
	return exit(code)
}

// anotherKind returns an error if the file is good, but not what --kind says.
func anotherKind(f render.File, blob []byte, kind string) error {
	if kind == "" || f.Verdict.State == kubelet.StateOK {
		return nil
	}
	v := kubelet.Judge(blob, kubelet.Options{})
	if v.State != kubelet.StateOK || v.Kind == f.Verdict.Kind {
		return nil
	}
	return fmt.Errorf("%q is a good %s file, not a broken %s file", f.Name, v.Kind, kind)
}

// verified looks at what was read back after the write.
func verified(done rewrite.Done, want kubelet.Repaired, opts kubelet.Options) error {
	accepted := slices.ContainsFunc(kubelet.Judge(done.Bytes, opts).Kubelets, func(a kubelet.Answer) bool { return a.Verdict != kubelet.Refused })
	if accepted && bytes.Equal(done.Bytes, want.Bytes) {
		return nil
	}
	if done.Backup == "" {
		return fmt.Errorf("%q does not hold what was written: something else writes it too", done.Path)
	}
	return fmt.Errorf("%q does not hold what was written: something else writes it too; what it held is in %q", done.Path, done.Backup)
}

// tell says what was done, or would be.
func (o *repairOptions) tell(cmd *cobra.Command, env Env, told render.Repair) error {
	var w io.Writer = cmd.OutOrStdout()
	if o.toStdout() {
		w = cmd.ErrOrStderr()
	}
	if o.json {
		return render.WriteRepairJSON(w, told, o.display.options(env))
	}
	return render.WriteRepair(w, told, o.display.options(env))
}

// refused says why nothing was written. That a file needs no repair is good
// news, unless a program waits for the result.
func (o *repairOptions) refused(cmd *cobra.Command, env Env, told render.Repair) error {
	if err := o.tell(cmd, env, told); err != nil {
		return undecided(err)
	}
	var no *kubelet.RepairError
	if errors.As(told.Error, &no) && no.Reason == kubelet.RepairNothing && o.out == "" {
		return exit(codeOf(told.File, false))
	}
	return exit(exitBad)
}
