package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/kubeckpt/ckpt"
	root   = "../.."
)

// file is one Go file of the module, parsed. Build tags are not looked at, so
// that what holds on Linux holds for the other systems' files too.
type file struct {
	path  string // from the module's root, with slashes
	dir   string // the same of its directory
	test  bool
	lines int
	ast   *ast.File
	fset  *token.FileSet
}

func (f *file) at(pos token.Pos) string {
	p := f.fset.Position(pos)
	return f.path + ":" + strconv.Itoa(p.Line)
}

// library reports whether others import the file's package.
func (f *file) library() bool { return !f.test && f.ast.Name.Name != "main" }

// imports returns the paths that f imports; those of this module without the
// module's own path and a slash in front ("/checksum").
func (f *file) imports() []string {
	var paths []string
	for _, spec := range f.ast.Imports {
		paths = append(paths, strings.TrimPrefix(strings.Trim(spec.Path.Value, `"`), module))
	}
	return paths
}

// sources parses every Go file of this module. Modules below it have rules of
// their own.
func sources(t *testing.T) []*file {
	t.Helper()
	var files []*file
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, &file{
			path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			lines: strings.Count(string(text), "\n"), ast: tree, fset: fset,
		})
	})
	if len(files) < 20 {
		t.Fatalf("found only %d Go files", len(files))
	}
	return files
}

// walk calls visit with every file that people wrote, by its path from the
// module's root.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if rel != "." && (d.Name() == "testdata" || d.Name() == ".git" || err == nil) {
				return fs.SkipDir
			}
			return nil
		}
		visit(rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
