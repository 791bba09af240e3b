package doctest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packages that a fragment may use without importing them.
var packages = []string{
	"context", "errors", "fmt", "io", "log", "os", "time",
	module + "/checksum", module + "/filestore", module + "/migrate",
	module + "/checkpoint", module + "/checkpoint/kubelet",
	"github.com/spf13/afero",
}

const module = "github.com/kubeckpt/ckpt"

// program returns the block as a Go file. A fragment becomes a function whose
// errors go to the caller, so that "return err" compiles.
func program(b block) string {
	text := b.text()
	if regexp.MustCompile(`(?m)^package `).MatchString(text) {
		return text
	}
	var out strings.Builder
	out.WriteString("package main\n\nimport (\n")
	for _, path := range packages {
		if regexp.MustCompile(`\b` + filepath.Base(path) + `\.`).MatchString(text) {
			fmt.Fprintf(&out, "\t%q\n", path)
		}
	}
	fmt.Fprintf(&out, ")\n\nfunc fragment() error {\n%s\nreturn nil\n}\n\nfunc main() { _ = fragment() }\n", text)
	return out.String()
}

// wantOutput returns the lines of a closing "// Output:" comment.
func wantOutput(b block) ([]string, bool) {
	for i, line := range b.lines {
		if strings.TrimSpace(line) != "// Output:" {
			continue
		}
		var want []string
		for _, line := range b.lines[i+1:] {
			text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
			if !ok {
				break
			}
			want = append(want, strings.TrimSpace(text))
		}
		return want, true
	}
	return nil, false
}

// overlay returns the file by which the go tool sees text in the place of the
// module's file name.
func overlay(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	abs, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	source, list := filepath.Join(dir, filepath.Base(name)), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{abs: source}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(source, []byte(text), 0o600), os.WriteFile(list, replace, 0o600)); err != nil {
		t.Fatal(err)
	}
	return list
}

// runGo compiles the block inside the module, by an overlay, so that nothing
// is written there.
func runGo(t *testing.T, b block) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "block.exe")
	build := exec.Command("go", "build", "-overlay", overlay(t, "internal/doctest/testdata/block/main.go", program(b)), "-o", bin, "./internal/doctest/testdata/block")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\nin\n%s", b, err, out, program(b))
	}
	want, ok := wantOutput(b)
	if !ok {
		return
	}
	cmd := exec.Command(bin)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s", b, err, out)
	}
	if got := splitLines(string(out)); !slices.Equal(got, want) {
		t.Errorf("%s prints\n%s\nthe document says\n%s", b, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
