package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

type dumpOptions struct {
	files
	kind   string
	as     string
	output string
}

var dumpForms = []string{"text", "raw", "json"}

func newDump(env Env) *cobra.Command {
	var o dumpOptions
	cmd := &cobra.Command{
		Use:   "dump [flags] PATH",
		Short: "Print the exact text that a file's checksum covers",
		Long: `dump prints what the kubelet hashes of a file, under each Go type name that some
kubelet prints it with, and the checksum that it gives.

With -o text, control characters are escaped. With -o raw the first text is
printed byte for byte with nothing behind it, for other programs.

Exit codes: 0 the stored checksum is that of one of the texts; 1 it is of none;
2 wrong usage; 3 the file could not be read or decoded.`,
		Example: `  ckpt dump cpu_manager_state
  ckpt dump --as cpu/v1 cpu_manager_state`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("dump takes one PATH, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, env, args[0]) },
	}
	o.files.addFlags(cmd)
	cmd.Flags().StringVar(&o.kind, "kind", "", "kind of the file: "+strings.Join(kinds(), ", ")+" (default: by name, then content)")
	cmd.Flags().StringVar(&o.as, "as", "", "read the file as this format, such as cpu/v2 (default: the one it has)")
	outputFlag(cmd, &o.output, dumpForms...)
	complete(cmd, "kind", kinds())
	complete(cmd, "as", formatIDs())
	return cmd
}

func (o *dumpOptions) run(cmd *cobra.Command, env Env, path string) error {
	switch {
	case o.as != "" && !slices.Contains(formatIDs(), o.as):
		return unknown("--as", o.as, formatIDs())
	case o.kind != "" && !slices.Contains(kinds(), o.kind):
		return unknown("--kind", o.kind, kinds())
	case !slices.Contains(dumpForms, o.output):
		return unknown("--output", o.output, dumpForms)
	case o.output == "raw" && env.Columns > 0:
		return errors.New("--output raw is not for a terminal: the text may hold control characters")
	}
	blob, err := o.read(cmd, path)
	if err != nil {
		return undecided(err)
	}
	opts := kubelet.Options{Kind: kubelet.Kind(o.kind)}
	if path != input.Stdin {
		opts.FileName = path
	}
	texts, err := kubelet.Texts(blob, o.as, opts)
	if err != nil {
		return undecided(fmt.Errorf("%q: %w", path, err))
	}
	if err := o.print(cmd.OutOrStdout(), texts); err != nil {
		return undecided(err)
	}
	// The first text's field is the one that decides.
	for _, t := range texts {
		if t.Field == texts[0].Field && t.Sum == t.Stored {
			return nil
		}
	}
	return exit(exitBad)
}

func (o *dumpOptions) print(w io.Writer, texts []kubelet.Text) error {
	switch o.output {
	case "raw":
		_, err := io.WriteString(w, texts[0].Text)
		return err
	case "json":
		e := json.NewEncoder(termtext.JSONWriter(w))
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(texts)
	}
	for i, t := range texts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		mark := "differs"
		if t.Sum == t.Stored {
			mark = "matches"
		}
		fmt.Fprintf(w, "%s, %s as %s: sum %d, stored %d, %s\n", t.Format, t.Field, t.TypeName, t.Sum, t.Stored, mark)
		if _, err := fmt.Fprintln(w, termtext.Sanitize(t.Text)); err != nil {
			return err
		}
	}
	return nil
}

func formatIDs() []string {
	var ids []string
	for _, f := range kubelet.Formats() {
		ids = append(ids, f.ID)
	}
	return ids
}
