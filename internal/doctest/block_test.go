package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// block is a fenced block of a Markdown file.
type block struct {
	file  string // from the module's root
	line  int    // of the opening fence
	lang  string
	lines []string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.file, b.line) }

func (b block) text() string { return strings.Join(b.lines, "\n") + "\n" }

// documents returns the Markdown files that people read.
func documents(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "deploy/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	if len(files) < 3 {
		t.Fatalf("found only %d Markdown files", len(files))
	}
	return files
}

// blocks returns the fenced blocks of all documents.
func blocks(t *testing.T) []block {
	t.Helper()
	var all []block
	for _, path := range documents(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := parse(filepath.ToSlash(name), string(text))
		if err != nil {
			t.Error(err)
		}
		all = append(all, found...)
	}
	return all
}

// parse finds the fenced blocks in text. Fences may be indented, as in lists.
func parse(name, text string) ([]block, error) {
	var found []block
	var open *block
	indent := ""
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case open == nil && strings.HasPrefix(trimmed, "```"):
			indent = line[:len(line)-len(trimmed)]
			open = &block{file: name, line: i + 1, lang: strings.TrimSpace(strings.TrimPrefix(trimmed, "```"))}
		case open != nil && trimmed == "```":
			found = append(found, *open)
			open = nil
		case open != nil:
			open.lines = append(open.lines, strings.TrimPrefix(line, indent))
		}
	}
	if open != nil {
		return found, fmt.Errorf("%s: block is not closed", open)
	}
	return found, nil
}

func TestParse(t *testing.T) {
	got, err := parse("x.md", "text\n```go\na\n\nb\n```\n- item\n  ```console\n  $ c\n    d\n  ```\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []block{
		{"x.md", 2, "go", []string{"a", "", "b"}},
		{"x.md", 8, "console", []string{"$ c", "  d"}},
	}
	if !slices.EqualFunc(got, want, func(a, b block) bool {
		return a.String() == b.String() && a.lang == b.lang && a.text() == b.text()
	}) {
		t.Errorf("parsed %q, want %q", got, want)
	}
	if _, err := parse("x.md", "```go\na\n"); err == nil {
		t.Error("a block that is not closed is no error")
	}
}
