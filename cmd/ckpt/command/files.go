package command

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/internal/input"
)

// defaultPath is the kubelet's root directory.
const defaultPath = "/var/lib/kubelet"

// files is which files a command reads: its arguments and --root.
type files struct {
	root string
}

func (o *files) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.root, "root", "", "look all paths up inside this directory, such as /host; links cannot leave it")
}

func (o *files) reader(cmd *cobra.Command) *input.Reader {
	r := &input.Reader{Root: o.root, Stdin: cmd.InOrStdin(), BackupMark: filestore.BackupMark}
	for _, f := range kubelet.Files() {
		r.Known = append(r.Known, f.Name)
	}
	return r
}

// read returns the bytes of one file.
func (o *files) read(cmd *cobra.Command, path string) ([]byte, error) {
	r := o.reader(cmd)
	r.Known = nil
	// Expand would take a directory apart.
	if path == input.Stdin {
		for item := range r.Expand([]string{path}) {
			c, err := item.Load(nil)
			return c.Bytes, err
		}
	}
	c, err := r.ReadFile(path, nil)
	return c.Bytes, err
}

// printer writes one file after the other; Close writes what is left to say.
type printer interface {
	File(render.File) error
	Close() error
}

// judging is how files are judged.
type judging struct {
	opts   kubelet.Options
	strict bool // warnings count
	quick  bool // checksums that match are enough
	// also may add to what is printed; nil: nothing is added.
	also func(*render.File, []byte)
}

// judgeAll judges the files that paths stand for and prints each as soon as it
// is judged. Its error carries the exit code of the worst.
func judgeAll(cmd *cobra.Command, env Env, r *input.Reader, paths []string, p printer, how judging) error {
	if len(paths) == 0 {
		paths = []string{defaultPath}
	}
	one := func(w *worker, item input.Item) render.File {
		c, err := item.Load(w.buf)
		w.buf = c.Bytes
		f := render.File{Name: item.Name}
		switch {
		case err != nil:
			f.Verdict, f.Failure = unread(err)
		case how.quick && w.good(&f.Verdict, item.Name, c.Bytes, how.opts):
		default:
			f.Verdict = judge(item.Name, c.Bytes, how.opts)
			if how.also != nil {
				more := f // a copy, so that f stays off the heap where there is no also
				how.also(&more, c.Bytes)
				f = more
			}
		}
		return f
	}
	n := workers()
	switch {
	case how.also != nil:
		n = 1 // it may tell what it does
	case how.quick && n == 1:
		n = 0
	}
	code := exitGood
	shown := newProgress(cmd.ErrOrStderr(), env.Getenv, r.Expand(paths))
	var interrupted error
	for f, err := range inOrder(cmd.Context(), r.Expand(paths), n, one) {
		if err != nil {
			interrupted = err
			break
		}
		code = worse(code, codeOf(f, how.strict))
		shown.clear()
		if err := p.File(f); err != nil {
			return undecided(err)
		}
		shown.step()
	}
	shown.clear()
	if err := p.Close(); err != nil {
		return undecided(err)
	}
	if interrupted != nil {
		return interrupted
	}
	return exit(code)
}

// unread is the verdict of a file whose bytes could not be had.
func unread(err error) (kubelet.Verdict, *render.Failure) {
	v := kubelet.Verdict{Kind: kubelet.Unknown, State: kubelet.StateUnreadable}
	fail := &render.Failure{Reason: string(input.IO), Message: err.Error()}
	var e *input.Error
	if errors.As(err, &e) {
		fail.Reason, fail.Message = string(e.Reason), e.Message
		if e.Reason == input.Missing || e.Reason == input.DanglingLink {
			v.State = kubelet.StateMissing
		}
	}
	return v, fail
}

// codeOf returns the exit code that one file asks for.
func codeOf(f render.File, strict bool) int {
	if f.Failure != nil || f.Verdict.Kind == kubelet.Unknown {
		return exitUndecided
	}
	for _, finding := range f.Verdict.Findings {
		if finding.Severity == kubelet.SeverityError || strict && finding.Severity == kubelet.SeverityWarning {
			return exitBad
		}
	}
	return exitGood
}

// display is how a command prints: the flags of colour and secrets.
type display struct {
	noColor     bool
	showSecrets bool
}

func (o *display) addFlags(cmd *cobra.Command) {
	o.addColorFlag(cmd)
	cmd.Flags().BoolVar(&o.showSecrets, "show-secrets", false, "print values that look like secrets")
}

// addColorFlag is for a command that has no secrets to show.
func (o *display) addColorFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.noColor, "no-color", false, "no colour, even on a terminal")
}

func (o *display) options(env Env) render.Options {
	return render.Options{
		Width:       env.Columns,
		Color:       env.Columns > 0 && !o.noColor && env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb",
		ShowSecrets: o.showSecrets,
	}
}

// textOrJSON are the forms of several commands.
var textOrJSON = []string{"text", "json"}

// outputFlag defines -o with its forms, the first of which is the default.
func outputFlag(cmd *cobra.Command, value *string, forms ...string) {
	cmd.Flags().StringVarP(value, "output", "o", forms[0], "form of the output: "+strings.Join(forms, ", "))
	complete(cmd, "output", forms)
}
