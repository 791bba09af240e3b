package command

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

// defaultPatience is Env.Patience for people who wait.
const defaultPatience = 5 * time.Second

// diagnosis is how a command looks for what happened to a broken file.
type diagnosis struct {
	deep bool
	with string
}

func (o *diagnosis) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.deep, "deep", false, "search longer for what happened to a broken file; an interrupt ends the search")
	cmd.Flags().StringVar(&o.with, "with", "", "the kubelet directory whose other files name the pods of this node")
}

// diagnoser returns what to do with each file and its bytes.
func (o *diagnosis) diagnoser(cmd *cobra.Command, env Env, r *input.Reader, opts kubelet.Options) (func(*render.File, []byte), error) {
	hints, err := o.hints(r, opts)
	if err != nil {
		return nil, err
	}
	return func(f *render.File, blob []byte) {
		ctx := cmd.Context()
		if !o.deep {
			short, cancel := context.WithTimeout(ctx, cmp.Or(env.Patience, defaultPatience))
			defer cancel()
			ctx = short
		}
		d := kubelet.DiagnoseOptions{Options: opts, Deep: o.deep, Hints: hints}
		if f.Name != input.Stdin {
			d.FileName = f.Name
		}
		if o.deep {
			d.Progress = func(stage string) {
				fmt.Fprintf(cmd.ErrOrStderr(), "ckpt: %s: looking for %s\n", termtext.Sanitize(f.Name), stage)
			}
		}
		f.Explanations = kubelet.Diagnose(ctx, blob, d)
		if len(f.Explanations) > 0 {
			f.Excerpt = render.ExcerptOf(blob, f.Explanations[0])
		}
	}, nil
}

// hints reads the other files of the node.
func (o *diagnosis) hints(r *input.Reader, opts kubelet.Options) (kubelet.Hints, error) {
	if o.with == "" {
		return kubelet.Hints{}, nil
	}
	var contents []any
	for item := range r.Expand([]string{o.with}) {
		c, err := item.Load(nil)
		if err != nil {
			return kubelet.Hints{}, undecided(err)
		}
		contents = append(contents, kubelet.Judge(c.Bytes, kubelet.Options{FileName: item.Name, Releases: opts.Releases}).Content)
	}
	return kubelet.HintsOf(contents...), nil
}
