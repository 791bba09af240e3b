package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

type stateOptions struct {
	files
	question
	as string
}

func newState(env Env) *cobra.Command {
	var o stateOptions
	cmd := &cobra.Command{
		Use:   "state [flags] --as RELEASE PATH",
		Short: "Print what a kubelet would hold after it restored a checkpoint file",
		Long: `state prints, as JSON with sorted keys, the state that the kubelet of one release
holds after it restored the file. Run it for two releases and compare the output
to see what an upgrade or a rollback changes.

If that kubelet refuses the file, state prints its error to standard error and
exits with 1.`,
		Example: `  ckpt state --as 1.37 /var/lib/kubelet/cpu_manager_state
  diff <(ckpt state --as 1.36 FILE) <(ckpt state --as 1.37 FILE)`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("state takes one PATH, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.files.addFlags(cmd)
	cmd.Flags().StringVar(&o.as, "as", "", "the kubelet's release, such as 1.37")
	o.question.addGateFlags(cmd)
	complete(cmd, "as", releases())
	return cmd
}

func (o *stateOptions) run(cmd *cobra.Command, path string) error {
	if o.as == "" {
		return errors.New("--as is missing: say which kubelet, such as --as 1.37")
	}
	o.question.releases = []string{o.as}
	r := o.reader(cmd)
	opts, err := o.question.options(r)
	if err != nil {
		return err
	}
	if opts.Gates == nil {
		opts.Gates = map[string]bool{} // that release's defaults, and no other setting
	}
	blob, err := o.read(cmd, path)
	if err != nil {
		return undecided(err)
	}
	v := judge(path, blob, opts)
	if len(v.Kubelets) == 0 {
		return undecided(fmt.Errorf("%q: kubelet %s has no %s file", path, o.as, v.Kind))
	}
	a := v.Kubelets[0]
	if a.Verdict == kubelet.Refused {
		return &exitError{exitBad, fmt.Errorf("%q: kubelet %s refuses it: %s", path, o.as, a.Error)}
	}
	return printState(cmd, a)
}

// printState goes through a map, so that all keys are sorted.
func printState(cmd *cobra.Command, a kubelet.Answer) error {
	b, err := json.Marshal(a.State())
	if err != nil {
		return undecided(err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return undecided(err)
	}
	enc := json.NewEncoder(termtext.JSONWriter(cmd.OutOrStdout()))
	enc.SetIndent("", "  ")
	if err := enc.Encode(tree); err != nil {
		return undecided(err)
	}
	return nil
}
