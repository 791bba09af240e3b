package checkpointtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
)

// copied returns the corpus in a directory of its own, within root.
func copied(t *testing.T) (c checkpointtest.Corpus[preparedV2], root string) {
	t.Helper()
	c, root = corpus(), t.TempDir()
	dir := filepath.Join(root, "claims")
	if err := os.CopyFS(dir, os.DirFS(c.Dir)); err != nil {
		t.Fatal(err)
	}
	c.Dir, c.Update = dir, false
	return c, root
}

func filesIn(t *testing.T, root string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A case that no file stands for is named.
func TestCasesThatAreNotTested(t *testing.T) {
	for name, spoil := range map[string]func(c *checkpointtest.Corpus[preparedV2]){
		`case "new" is not tested`: func(c *checkpointtest.Corpus[preparedV2]) { c.Cases["new"] = &preparedV2{} },
		`case "two-claims" is not tested`: func(c *checkpointtest.Corpus[preparedV2]) {
			c.Cases["two-claims"].Claims["b"] = preparedClaim{}
		},
		`the release has the name ""`: func(c *checkpointtest.Corpus[preparedV2]) { c.Release = "" },
		`two-claims.read.json" was read from is not tested`: func(c *checkpointtest.Corpus[preparedV2]) {
			c.Cases = nil
			_ = os.Remove(filepath.Join(c.Dir, "1.2", "two-claims.json"))
		},
	} {
		c, _ := copied(t)
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		spoil(&c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

// What cannot be the name of a file is refused before anything is written.
func TestNamesOfCases(t *testing.T) {
	for want, spoil := range map[string]func(c *checkpointtest.Corpus[preparedV2]){
		`the release has the name "../x"`: func(c *checkpointtest.Corpus[preparedV2]) { c.Release = "../x" },
		`the release has the name ".."`:   func(c *checkpointtest.Corpus[preparedV2]) { c.Release = ".." },
		`the case has the name ".."`:      func(c *checkpointtest.Corpus[preparedV2]) { c.Cases[".."] = &preparedV2{} },
		`the case has the name "a/b"`:     func(c *checkpointtest.Corpus[preparedV2]) { c.Cases["a/b"] = &preparedV2{} },
		`the case has the name "a\\b"`:    func(c *checkpointtest.Corpus[preparedV2]) { c.Cases[`a\b`] = &preparedV2{} },
		`case "x.read" has the name of a`: func(c *checkpointtest.Corpus[preparedV2]) { c.Cases["x.read"] = &preparedV2{} },
		`case "none" is nil`:              func(c *checkpointtest.Corpus[preparedV2]) { c.Cases["none"] = nil },
		`older release "0" has no`:        func(c *checkpointtest.Corpus[preparedV2]) { c.Older = []checkpointtest.Release{{Name: "0"}} },
		`older release has the name "a/b"`: func(c *checkpointtest.Corpus[preparedV2]) {
			c.Older[0].Name = "a/b"
		},
		"there are two older releases": func(c *checkpointtest.Corpus[preparedV2]) { c.Older = append(c.Older, c.Older[0]) },
	} {
		c, root := copied(t)
		before := filesIn(t, root)
		c.Update = true
		spoil(&c)
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if after := filesIn(t, root); len(after) != len(before) {
			t.Errorf("%s: %d files became %d", want, len(before), len(after))
		}
	}
	if err := (checkpointtest.Corpus[preparedV2]{}).Check(); err == nil {
		t.Error("the zero Corpus is good")
	}
}
