package checkpoint_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	mostModules = 25
	// kubeletModules and kubeletReplaces are those of a program that imports
	// k8s.io/kubernetes/pkg/kubelet/checkpointmanager of 1.37.2 only.
	kubeletModules, kubeletReplaces = 214, 33
)

// user is a program that imports the library, and nothing else.
const user = `package main

import (
	"fmt"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/migrate"
)

func main() {
	_, err := checkpoint.Open[int]("", "k", checkpoint.WithStore(filestore.WithMaxSize(1)), checkpoint.WithVersions(migrate.First[int]("v1")))
	fmt.Println(err, checksum.New(1))
}
`

// What a program takes on that uses this library: the modules that its tools
// enumerate, and no replace line.
func TestModulesOfAUser(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(ours), "replace") {
		t.Error("go.mod has a replace line, which counts for its own module only: users would need it, too")
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.go": user,
		"go.sum":  string(sums),
		// A user requires a release of the module; here it is this directory.
		"go.mod": fmt.Sprintf("module example.com/user\n\ngo 1.26\n\nrequire github.com/kubeckpt/ckpt v0.0.0\n\nreplace github.com/kubeckpt/ckpt => %s\n", root),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(args ...string) []string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// What this module is built from is in the module cache; nothing else may
		// be needed.
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if strings.Contains(stderr.String(), "module lookup disabled") {
			t.Skipf("a go.mod of the module graph is not in the module cache, and this test uses no network (run \"go list -m all\" once to fetch them): %s", &stderr)
		}
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	lines("build", "-o", filepath.Join(dir, "user.exe"), ".")
	modules := lines("list", "-m", "all")
	supplying := map[string]bool{}
	for _, m := range lines("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".") {
		if m != "" {
			supplying[m] = true
		}
	}
	t.Logf("go list -m all: %d modules, %d of them supply a package:\n%s", len(modules), len(supplying), strings.Join(modules, "\n"))
	if len(modules) > mostModules {
		t.Errorf("a program has %d modules, want at most %d", len(modules), mostModules)
	}
	for m := range supplying {
		if strings.HasPrefix(m, "k8s.io/") && m != "k8s.io/utils" || strings.Contains(m, "cobra") || strings.Contains(m, "afero") {
			t.Errorf("a program links packages of %s", m)
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("| modules in `go list -m all` | %d | %d |\n| replace lines | 0 | %d |\n", len(modules), kubeletModules, kubeletReplaces); !strings.Contains(string(readme), want) {
		t.Errorf("README.md does not say\n%s", want)
	}
}
