package checkpointtest_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/migrate"
)

func TestCorpus(t *testing.T) {
	if err := corpus().Check(); err != nil {
		t.Error(err)
	}
}

// A corpus notices what an author may do wrong.
func TestCorpusNotices(t *testing.T) {
	type preparedV1Later struct {
		Claims map[string][]string `json:"claims,omitempty"`
		Later  string              `json:"later,omitempty"`
	}
	laterUp := func(d *preparedV1Later) (*preparedV2, []migrate.Loss, error) { return up(&preparedV1{d.Claims}) }
	laterDown := func(d *preparedV2) (*preparedV1Later, []migrate.Loss, error) {
		v1, lost, err := down(d)
		return &preparedV1Later{Claims: v1.Claims}, lost, err
	}
	forgetful := func(d *preparedV2) (*preparedV1, []migrate.Loss, error) {
		v1, _, err := down(d)
		delete(v1.Claims, "b")
		return v1, nil, err
	}
	silent := func(d *preparedV2) (*preparedV1, []migrate.Loss, error) {
		v1, _, err := down(d)
		return v1, nil, err
	}
	forgetfulForm := checkpoint.WithLegacy(checkpoint.Legacy[oldStore, preparedV1]{
		Version: "v1",
		Read:    func(s *oldStore) (*preparedV1, []migrate.Loss, error) { return s.V1, nil, nil },
		Write: func(d *preparedV1) (*oldStore, []migrate.Loss, error) {
			some := maps.Clone(d.Claims)
			delete(some, "b")
			return &oldStore{V1: &preparedV1{some}}, nil, nil
		},
	})
	for name, c := range map[string]struct {
		change func(dir string) error
		spoil  func(versions *[]migrate.Version, opts *[]checkpoint.Option)
		update bool
		want   string
	}{
		"a version in use has got a field": {
			spoil: func(v *[]migrate.Version, o *[]checkpoint.Option) {
				*v, *o = []migrate.Version{migrate.First[preparedV1Later]("v1"), migrate.Next("v2", laterUp, laterDown)}, nil
			},
			want: `version "v1" was edited: files of it exist`,
		},
		"a version in use has got a field, and all is written anew": {
			spoil: func(v *[]migrate.Version, o *[]checkpoint.Option) {
				*v, *o = []migrate.Version{migrate.First[preparedV1Later]("v1"), migrate.Next("v2", laterUp, laterDown)}, nil
			},
			update: true,
			want:   "add a new version",
		},
		"an older version is not written any more": {
			spoil: func(_ *[]migrate.Version, o *[]checkpoint.Option) { *o = (*o)[1:] },
			want:  "release 1.0 does not read what is written now",
		},
		"a step forgets": {
			spoil: func(v *[]migrate.Version, _ *[]checkpoint.Option) { (*v)[1] = migrate.Next("v2", up, forgetful) },
			want:  "two-claims.file.json",
		},
		"a step forgets, and all is written anew": {
			spoil:  func(v *[]migrate.Version, _ *[]checkpoint.Option) { (*v)[1] = migrate.Next("v2", up, forgetful) },
			update: true,
			want:   `neither step reports a migrate.Loss: "claims.b" was {"devices":["gpu-1","gpu-2"]} and becomes null`,
		},
		"a step reports another loss": {
			spoil: func(v *[]migrate.Version, _ *[]checkpoint.Option) { (*v)[1] = migrate.Next("v2", up, silent) },
			want:  "two-claims.lost.json",
		},
		"the old form forgets": {
			spoil: func(_ *[]migrate.Version, o *[]checkpoint.Option) { (*o)[1] = forgetfulForm },
			want:  `read again, without a migrate.Loss: "claims.b"`,
		},
		"a file is damaged": {
			change: func(dir string) error {
				return os.WriteFile(filepath.Join(dir, "1.0", "two-claims.json"), []byte("{"), 0o600)
			},
			want: `two-claims.json": cannot load state`,
		},
		"a golden is missing": {
			change: func(dir string) error { return os.Remove(filepath.Join(dir, "1.1", "two-claims.as-1.0.json")) },
			want:   "written with Update",
		},
		"there are no inputs": {
			change: func(dir string) error {
				for _, release := range []string{"1.0", "1.1", "1.2"} {
					if err := os.RemoveAll(filepath.Join(dir, release)); err != nil {
						return err
					}
				}
				return nil
			},
			want: "no file of any release",
		},
	} {
		t.Run(name, func(t *testing.T) {
			broken := corpus()
			broken.Update = false
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(broken.Dir)); err != nil {
				t.Fatal(err)
			}
			broken.Dir = dir
			if err := broken.Check(); err != nil {
				t.Fatalf("before: %v", err)
			}
			if c.change != nil {
				if err := c.change(dir); err != nil {
					t.Fatal(err)
				}
			}
			if c.spoil != nil {
				c.spoil(&broken.Versions, &broken.Options)
			}
			broken.Update = c.update
			if err := broken.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// With Update a case becomes a file once, and is never written again.
func TestRecordOnce(t *testing.T) {
	c := corpus()
	c.Dir, c.Update = t.TempDir(), true
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(c.Dir, "1.2", "two-claims.json")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c.Cases["two-claims"].Claims["c"] = preparedClaim{}
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), `case "two-claims" is not tested`) {
		t.Errorf("the case has changed: %v", err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("%v: the input became %s", err, after)
	}
}
