package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubeckpt/ckpt/internal/input"
	"github.com/kubeckpt/ckpt/internal/rewrite"
)

// writing is where a command that makes a file puts it.
type writing struct {
	out     string
	inPlace bool
	dryRun  bool
}

func (o *writing) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "write the result to this file; - for standard output")
	f.BoolVar(&o.inPlace, "in-place", false, "replace the file; what it held is kept as FILE.ckpt-backup-TIME")
	f.BoolVar(&o.dryRun, "dry-run", false, "write nothing, show what would change")
}

// check refuses a command line that does not say, once, where to write to what is
// made from the file at path.
func (o *writing) check(path string) error {
	fd, isOpen := openFile(o.out)
	isOpen = isOpen && o.out != input.Stdin
	if isOpen && fd == "1" {
		o.out = input.Stdin
	}
	switch {
	case isOpen && fd != "1":
		return fmt.Errorf("%q is a file that is open already, which is not replaced: give -o - for standard output, or a file's own name", o.out)
	case !o.dryRun && o.out != "" && sameFile(path, o.out):
		return fmt.Errorf("%q is the file itself: give --in-place to replace it", o.out)
	case o.out != "" && o.inPlace:
		return errors.New("--output and --in-place exclude each other")
	case o.inPlace && path == input.Stdin:
		return errors.New("standard input cannot be replaced: give -o FILE")
	case o.out == "" && !o.inPlace && !o.dryRun:
		return errors.New("nothing says where to write: give -o FILE, --in-place or --dry-run")
	}
	return nil
}

// toStdout reports whether standard output is taken by the result, so that what
// is told of it goes to standard error.
func (o *writing) toStdout() bool { return o.out == input.Stdin && !o.dryRun }

// write puts data, made from the file at path that holds old, where it was asked
// to be. It is for what check has passed, and not for a dry run.
func (o *writing) write(cmd *cobra.Command, path string, old, data []byte) (rewrite.Done, error) {
	switch {
	case o.inPlace:
		return rewrite.InPlace(path, old, data)
	case o.toStdout():
		_, err := cmd.OutOrStdout().Write(data)
		return rewrite.Done{Path: o.out, Bytes: data}, err
	}
	return rewrite.File(o.out, data)
}

// openFile returns the number of the descriptor that path, such as /dev/stdout,
// leads to by a link of the system. To put another file in the place of what is
// open would take away what others have written to it.
func openFile(path string) (fd string, ok bool) {
	for range 40 { // as many links as Linux follows
		path = filepath.Clean(path)
		dir, name := filepath.Split(path)
		dir = strings.TrimSuffix(dir, "/")
		switch {
		case path == "/dev/stdin":
			return "0", true
		case path == "/dev/stdout":
			return "1", true
		case path == "/dev/stderr":
			return "2", true
		case slices.Contains([]string{"/dev/fd", "/proc/self/fd", "/proc/thread-self/fd", fmt.Sprintf("/proc/%d/fd", os.Getpid())}, dir):
			return name, true
		case strings.HasPrefix(dir, "/proc/") && strings.HasSuffix(dir, "/fd"):
			return "of another process", true
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", false
		}
		if path = to; !filepath.IsAbs(to) {
			path = filepath.Join(dir+"/", to)
		}
	}
	return "", false
}

// sameFile reports whether two paths, neither of them -, lead to one file.
func sameFile(a, b string) bool {
	if a == input.Stdin || b == input.Stdin {
		return false
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// tellSoon tells people what takes long, if it does. When stop returns, nothing
// is told any more.
func tellSoon(cmd *cobra.Command, text string) (stop func()) {
	const silence = time.Second
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-over:
		case <-time.After(silence):
			note(cmd, text)
		}
	}()
	return func() {
		close(over)
		<-gone
	}
}
