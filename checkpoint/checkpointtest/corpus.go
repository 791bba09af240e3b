package checkpointtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/migrate"
)

// Corpus is the files that the releases of a program have written. See the package
// comment for its directory.
type Corpus[T any] struct {
	Dir string
	Key string // under which the program keeps its state
	// Versions and Options are those with which the program opens its State.
	Versions []migrate.Version
	Options  []checkpoint.Option
	// Older are the releases that may have to read what is written now.
	Older []Release
	// Release and Cases make the inputs of the release that is being written: with
	// Update, each case that has no file yet is written as one. A case without a file,
	// or with one that says something else, is an error. Both names are those of files.
	Release string
	Cases   map[string]*T
	// Update writes what is compared otherwise. It is for a flag -update.
	Update bool
}

// Check reads all files, has all releases read what is written now, and compares.
// It returns all that is not as it should be.
func (c Corpus[T]) Check() error {
	if err := c.check(); err != nil {
		return err
	}
	errs := []error{c.checkVersions()}
	if c.Update {
		errs = append(errs, c.record())
	}
	errs = append(errs, c.checkCases(), c.checkOrphans())
	inputs, err := c.inputs()
	if err == nil && len(inputs) == 0 {
		err = fmt.Errorf("%q has no file of any release", c.Dir)
	}
	errs = append(errs, err)
	for _, input := range inputs {
		if err := c.checkFile(input); err != nil {
			errs = append(errs, fmt.Errorf("%q: %w", input, err))
		}
	}
	return errors.Join(errs...)
}

// derived are the ends of names of files that Check writes.
var derived = []string{".read", ".file", ".lost", ".as-", ".to-"}

// inputs returns the files that releases have written.
func (c Corpus[T]) inputs() ([]string, error) {
	all, err := filepath.Glob(filepath.Join(c.Dir, "*", "*.json"))
	return slices.DeleteFunc(all, func(name string) bool { return isDerived(filepath.Base(name)) }), err
}

// record writes the cases that have no file.
func (c Corpus[T]) record() error {
	for _, name := range slices.Sorted(maps.Keys(c.Cases)) {
		file := c.caseFile(name)
		if _, err := os.Stat(file); err == nil {
			continue
		}
		blob, err := c.write(c.Cases[name])
		if err != nil {
			return fmt.Errorf("case %q: %w", name, err)
		}
		if err := put(file, blob); err != nil {
			return err
		}
	}
	return nil
}

// write returns the file of a state.
func (c Corpus[T]) write(doc *T) (blob []byte, err error) {
	err = c.inDir(nil, func(dir string, s *checkpoint.State[T]) error {
		if err := s.Update(context.Background(), func(d *T) error { *d = *doc; return nil }); err != nil {
			return err
		}
		blob, err = os.ReadFile(filepath.Join(dir, c.Key))
		return err
	})
	return blob, err
}

// inDir runs do with the State of a new directory that has one file, or none. The
// options more come after the program's own.
func (c Corpus[T]) inDir(blob []byte, do func(dir string, s *checkpoint.State[T]) error, more ...checkpoint.Option) error {
	dir, err := os.MkdirTemp("", "checkpointtest-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if blob != nil {
		if err := os.WriteFile(filepath.Join(dir, c.Key), blob, 0o600); err != nil {
			return err
		}
	}
	opts := slices.Concat([]checkpoint.Option{checkpoint.WithVersions(c.Versions...)}, c.Options, more)
	s, err := checkpoint.Open[T](dir, c.Key, opts...)
	if err != nil {
		return err
	}
	return do(dir, s)
}

// checkFile takes one file up and down.
func (c Corpus[T]) checkFile(input string) error {
	blob, err := os.ReadFile(input)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(input, ".json")
	var file []byte
	var errs []error
	err = c.inDir(blob, func(dir string, s *checkpoint.State[T]) error {
		doc, _, err := s.Load(context.Background())
		if err != nil {
			return err
		}
		errs = append(errs, c.compareState(base+".read.json", s), c.checkLosses(base+".lost.json", doc))
		if err := s.Update(context.Background(), func(*T) error { return nil }); err != nil {
			return err
		}
		if file, err = os.ReadFile(filepath.Join(dir, c.Key)); err != nil {
			return err
		}
		errs = append(errs, c.compare(base+".file.json", file))
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range c.Older {
		errs = append(errs, c.inDir(file, func(dir string, s *checkpoint.State[T]) error {
			return c.checkRelease(base, r, dir, s)
		}))
	}
	return errors.Join(errs...)
}

// checkRelease has an older release read the file of dir, and write it.
func (c Corpus[T]) checkRelease(base string, r Release, dir string, s *checkpoint.State[T]) error {
	doc, err := r.Read(dir, c.Key)
	if err != nil {
		return fmt.Errorf("release %s does not read what is written now: %w", r.Name, err)
	}
	if err := c.compareJSON(base+".as-"+r.Name+".json", doc); err != nil || r.Write == nil {
		return err
	}
	if err := r.Write(dir, c.Key); err != nil {
		return fmt.Errorf("release %s does not change what is written now: %w", r.Name, err)
	}
	return c.compareState(base+".to-"+r.Name+".json", s)
}

// compareState compares what s reads, and as what.
func (c Corpus[T]) compareState(golden string, s *checkpoint.State[T]) error {
	doc, info, err := s.Load(context.Background())
	if err != nil {
		return err
	}
	return c.compareJSON(golden, struct {
		Version string         `json:"version"`
		Lost    []migrate.Lost `json:"lost,omitempty"`
		State   *T             `json:"state"`
	}{info.Version, info.Lost, doc})
}

func (c Corpus[T]) compareJSON(golden string, v any) error {
	blob, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return c.compare(golden, append(blob, '\n'))
}

// compare compares with a golden file, or writes it.
func (c Corpus[T]) compare(golden string, got []byte) error {
	if c.Update {
		return put(golden, got)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		return fmt.Errorf("%w (it is written with Update)", err)
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%q differs (it is written anew with Update):\n%s\nwant\n%s", golden, got, want)
	}
	return nil
}

func put(file string, blob []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, blob, 0o644)
}
