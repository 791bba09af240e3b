package checkpointtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint"
)

// check says what is wrong with the Corpus itself. Names become those of files.
func (c Corpus[T]) check() error {
	var errs []error
	if len(c.Cases) > 0 || c.Release != "" {
		errs = append(errs, checkName("release", c.Release))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Cases)) {
		errs = append(errs, checkName("case", name))
		if c.Cases[name] == nil {
			errs = append(errs, fmt.Errorf("case %q is nil", name))
		}
		if isDerived(name + ".json") {
			errs = append(errs, fmt.Errorf("case %q has the name of a file that Check writes (%s)", name, strings.Join(derived, ", ")))
		}
	}
	seen := map[string]bool{}
	for _, r := range c.Older {
		errs = append(errs, checkName("older release", r.Name))
		if r.Read == nil {
			errs = append(errs, fmt.Errorf("older release %q has no function Read", r.Name))
		}
		if seen[r.Name] {
			errs = append(errs, fmt.Errorf("there are two older releases %q", r.Name))
		}
		seen[r.Name] = true
	}
	return errors.Join(errs...)
}

// checkName refuses what is no name of one file, on any system.
func checkName(what, name string) error {
	if name == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) || !filepath.IsLocal(name) {
		return fmt.Errorf("the %s has the name %q, want that of a file, without its directory", what, name)
	}
	return nil
}

// caseFile returns the file of a case.
func (c Corpus[T]) caseFile(name string) string {
	return filepath.Join(c.Dir, c.Release, name+".json")
}

// checkCases reports cases that no file stands for, because it was not written yet or
// says something else by now: they are not tested.
func (c Corpus[T]) checkCases() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.Cases)) {
		if err := c.checkCase(name); err != nil {
			errs = append(errs, fmt.Errorf("case %q is not tested: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

func (c Corpus[T]) checkCase(name string) error {
	blob, err := os.ReadFile(c.caseFile(name))
	if err != nil {
		return fmt.Errorf("%w (it is written with Update)", err)
	}
	return c.inDir(blob, func(_ string, s *checkpoint.State[T]) error {
		doc, _, err := s.Load(context.Background())
		if err != nil {
			return err
		}
		// The file is what it was when it was written: so it is the case that has changed.
		if err := wantSame(doc, c.Cases[name]); err != nil {
			return fmt.Errorf("%q was written for another value, and inputs are never written anew (remove it if no release has had it): %w", c.caseFile(name), err)
		}
		return nil
	})
}

// checkOrphans reports files that Check has written for an input that is gone.
func (c Corpus[T]) checkOrphans() error {
	const end = ".read.json"
	all, err := filepath.Glob(filepath.Join(c.Dir, "*", "*"+end))
	errs := []error{err}
	for _, file := range all {
		input := strings.TrimSuffix(file, end) + ".json"
		if _, err := os.Stat(input); err != nil {
			errs = append(errs, fmt.Errorf("what %q was read from is not tested: %w", file, err))
		}
	}
	return errors.Join(errs...)
}

func isDerived(file string) bool {
	return slices.ContainsFunc(derived, func(mark string) bool { return strings.Contains(file, mark) })
}
