package command

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

type formatsOptions struct {
	output string
}

func newFormats(env Env) *cobra.Command {
	var o formatsOptions
	cmd := &cobra.Command{
		Use:   "formats [flags] [FORMAT|KIND ...]",
		Short: "List what is known of each on-disk version",
		Long: `formats lists the on-disk versions that are known and who writes them. Given
formats (cpu/v2) or kinds (cpu), it tells all it knows of those: the JSON, who
reads it, and what the checksum covers.`,
		Example: `  ckpt formats
  ckpt formats memory/v3`,
		ValidArgs: formatNames(),
		RunE:      func(cmd *cobra.Command, args []string) error { return o.run(cmd.OutOrStdout(), env.Columns, args) },
	}
	outputFlag(cmd, &o.output, textOrJSON...)
	return cmd
}

func (o *formatsOptions) run(w io.Writer, columns int, names []string) error {
	for _, name := range names {
		if !slices.Contains(formatNames(), name) {
			return unknown("format", name, formatNames())
		}
	}
	all := kubelet.Formats()
	if len(names) > 0 {
		all = slices.DeleteFunc(all, func(f kubelet.FormatInfo) bool {
			return !slices.Contains(names, f.ID) && !slices.Contains(names, string(f.Kind))
		})
	}
	switch {
	case o.output == "json":
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return undecided(e.Encode(all))
	case o.output != "text":
		return unknown("--output", o.output, textOrJSON)
	case len(names) == 0:
		return undecided(listFormats(w, all))
	}
	return undecided(describeFormats(w, columns, all))
}

// formatNames returns what formats takes as arguments: kinds, then formats.
func formatNames() []string {
	return append(kinds(), formatIDs()...)
}

// listFormats writes one line a format.
func listFormats(w io.Writer, all []kubelet.FormatInfo) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "FORMAT\tWRITTEN BY\tWHAT IT HOLDS")
	for _, f := range all {
		// A gate is told in full by describeFormats.
		written := "no release"
		if len(f.Written) > 0 {
			written, _, _ = strings.Cut(strings.Join(f.Written, ", "), " with ")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.ID, written, f.Title)
	}
	return t.Flush()
}

// describeFormats writes all there is to say of each format. Only the JSON is
// not broken into lines.
func describeFormats(w io.Writer, columns int, all []kubelet.FormatInfo) error {
	if columns == 0 {
		columns = fallbackColumns
	}
	var b strings.Builder
	fact := func(name, value string) {
		for _, line := range wrap(value, columns-14) {
			fmt.Fprintf(&b, "  %-11s %s\n", name, line)
			name = ""
		}
	}
	for i, f := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s  %s\n", f.ID, f.Title)
		fmt.Fprintf(&b, "  %-11s %s\n", "JSON", f.Shape)
		fact("written by", list(f.Written))
		fact("read by", list(f.Read))
		for _, s := range f.Sums {
			name := "also"
			if s.Authoritative {
				name = "checksum"
			}
			fact(name, fmt.Sprintf("%s: %s of %s", s.Field, s.Algorithm, strings.Join(s.TypeNames, " or ")))
			if s.ZeroPasses != nil {
				fact("", "0 is not checked by "+list(s.ZeroPasses))
			}
		}
		if f.Prefilled {
			fact("", "a file without data and checksum passes as an empty one")
		}
		fact("source", f.Source)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func list(spans []string) string {
	if len(spans) == 0 {
		return "no release"
	}
	return strings.Join(spans, ", ")
}

// wrap breaks text at spaces into lines of at most width characters, or one
// word.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
