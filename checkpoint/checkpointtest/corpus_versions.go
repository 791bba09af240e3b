package checkpointtest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/migrate"
)

// checkVersions compares what older programs rely on. A version that is there
// already is not written anew even with Update: it is the one golden file whose
// change is no matter of taste.
func (c Corpus[T]) checkVersions() error {
	file := filepath.Join(c.Dir, "versions.golden")
	golden, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	was := versionTexts(string(golden))
	var all strings.Builder
	var errs []error
	for _, v := range c.Versions {
		text := versionText(v)
		all.WriteString(text)
		if old, ok := was[v.ID()]; ok && old != text {
			errs = append(errs, fmt.Errorf("version %q was edited: files of it exist, and the releases that wrote them cannot read what is written now; "+
				"leave it and add a new version with migrate.Next (if no release has had it, take it out of %q and run with Update):\n%swas\n%s", v.ID(), file, text, old))
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return c.compare(file, []byte(all.String()))
}

// versionText is what the golden file says of a version: its shape, and in lines
// of their own, which are indented, the names of types that its sums cover.
func versionText(v migrate.Version) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", v.ID(), v.Shape())
	names := v.Names()
	for _, t := range slices.SortedFunc(maps.Keys(names), func(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) }) {
		fmt.Fprintf(&b, "    %s is printed as %s\n", t, names[t])
	}
	return b.String()
}

// versionTexts splits a golden file into its versions.
func versionTexts(golden string) map[string]string {
	texts := map[string]string{}
	id := ""
	for line := range strings.Lines(golden) {
		if !strings.HasPrefix(line, " ") {
			id, _, _ = strings.Cut(line, " ")
		}
		texts[id] += line
	}
	return texts
}
