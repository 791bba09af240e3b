package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// docs/findings.md lists exactly the codes and reasons that the source has.
func TestFindings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	isCode := func(name, typ string) bool { return strings.HasPrefix(name, "code") }
	codes := append(constants(t, "checkpoint/kubelet", isCode), constants(t, "checkpoint/kubelet/preflight", isCode)...)
	reasons := constants(t, "internal/input", func(name, typ string) bool { return typ == "Reason" })
	if len(codes) < 20 || len(reasons) < 10 {
		t.Fatalf("found only the codes %v and the reasons %v", codes, reasons)
	}
	same(t, "a heading for finding", quoted(string(text), `(?m)^### (.*)$`), codes)
	same(t, "a line for reason", quoted(string(text), `(?m)^\| (`+"`"+`.*) \|.*\|$`), reasons)
}

func same(t *testing.T, what string, documented, source []string) {
	t.Helper()
	for _, code := range source {
		if !slices.Contains(documented, code) {
			t.Errorf("docs/findings.md has no %s %q", strings.TrimPrefix(what, "a "), code)
		}
	}
	for _, code := range documented {
		if !slices.Contains(source, code) {
			t.Errorf("docs/findings.md has %s %q, which the source does not know", what, code)
		}
	}
}

// quoted returns the words in backquotes within the first group of pattern.
func quoted(text, pattern string) []string {
	var words []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		for _, w := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[1], -1) {
			words = append(words, w[1])
		}
	}
	return words
}

// constants returns the values of those string constants of a package that
// want picks by name and type.
func constants(t *testing.T, dir string, want func(name, typ string) bool) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			typ := ""
			if id, ok := spec.Type.(*ast.Ident); ok {
				typ = id.Name
			}
			for i, name := range spec.Names {
				if i >= len(spec.Values) || !want(name.Name, typ) {
					continue
				}
				if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					value, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					found[value] = true
				}
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(found))
}
