package style

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What only a program may do: a library that prints, exits or logs takes the
// choice from its user.
var programOnly = map[string]bool{
	"fmt.Print": true, "fmt.Printf": true, "fmt.Println": true,
	"os.Exit": true, "log.Fatal": true, "log.Fatalf": true, "log.Print": true, "log.Printf": true,
}

func TestLibrariesKeepQuiet(t *testing.T) {
	for _, f := range sources(t) {
		if !f.library() {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && programOnly[pkg.Name+"."+n.Sel.Name] {
					t.Errorf("%s: %s.%s in a library", f.at(n.Pos()), pkg.Name, n.Sel.Name)
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
					t.Errorf("%s: %s in a library", f.at(n.Pos()), id.Name)
				}
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s: func init, which runs unasked for every importer", f.at(n.Pos()))
				}
			}
			return true
		})
	}
}

func TestPackageComments(t *testing.T) {
	documented := make(map[string]string)
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		if _, ok := documented[f.dir]; !ok {
			documented[f.dir] = ""
		}
		if f.ast.Doc == nil {
			continue
		}
		if first := documented[f.dir]; first != "" {
			t.Errorf("%s: a second package comment, after that of %s", f.path, first)
		}
		documented[f.dir] = f.path
		want := "Package " + f.ast.Name.Name
		if f.ast.Name.Name == "main" {
			want = "Command " + filepath.Base(f.dir)
		}
		if !strings.HasPrefix(f.ast.Doc.Text(), want+" ") {
			t.Errorf("%s: the package comment does not begin with %q", f.path, want)
		}
	}
	for dir, file := range documented {
		if file == "" {
			t.Errorf("%s: no package comment", dir)
		}
	}
}

func TestExportedIsDocumented(t *testing.T) {
	for _, f := range sources(t) {
		if !f.library() {
			continue
		}
		for _, decl := range f.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) && !selfEvident[d.Name.Name] {
					t.Errorf("%s: %s has no comment", f.at(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkSpec(t, f, d, spec)
				}
			}
		}
	}
}

// Methods whose contract is that of a well-known interface.
var selfEvident = map[string]bool{
	"Error": true, "Unwrap": true, "Is": true, "String": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "Len": true, "Less": true, "Swap": true,
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if index, ok := typ.(*ast.IndexExpr); ok {
		typ = index.X
	}
	id, ok := typ.(*ast.Ident)
	return ok && id.IsExported()
}

func checkSpec(t *testing.T, f *file, d *ast.GenDecl, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
			t.Errorf("%s: type %s has no comment", f.at(s.Pos()), s.Name.Name)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			// A typed constant in a group is explained by its type.
			if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil && s.Type == nil {
				t.Errorf("%s: %s has no comment", f.at(s.Pos()), name.Name)
			}
		}
	}
}

var unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|HA` + `CK)\b`)

// What is not done is an issue or a sentence, not a mark in the code.
func TestNothingUnfinished(t *testing.T) {
	walk(t, func(name string) {
		switch filepath.Ext(name) {
		case ".go", ".md":
		default:
			return
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := unfinished.FindString(line); m != "" {
				t.Errorf("%s:%d: %s", name, i+1, m)
			}
		}
	})
}
