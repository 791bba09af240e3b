package doctest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Every block does what the document says.
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("builds ckpt and every Go block")
	}
	ckptInPath(t)
	used := make(map[string]bool)
	for _, b := range blocks(t) {
		t.Run(b.String(), func(t *testing.T) {
			switch b.lang {
			case "console":
				posix(t)
				runConsole(t, b, used)
			case "go":
				runGo(t, b)
			case "json":
				if !json.Valid([]byte(b.text())) {
					t.Error("is not JSON")
				}
			case "text", "yaml", "ini", "diff", "mermaid":
			default:
				t.Errorf("language %q is not one that package doctest knows", b.lang)
			}
		})
	}
	for text := range notRun {
		if !used[text] && runtime.GOOS != "windows" {
			t.Errorf("no document has the command %q any more", text)
		}
	}
}

func posix(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
}

// patientMain is the main function of cmd/ckpt, but for the time that it takes to
// find out what happened to a file: the documents do not show a slow machine.
const patientMain = `package main

import (
	"os"
	"time"

	"github.com/kubeckpt/ckpt/cmd/ckpt/command"
)

func main() {
	env := command.System()
	env.Patience = 10 * time.Minute
	os.Exit(command.Run(env, os.Args[1:]))
}
`

// ckptInPath builds ckpt where the shell of this test finds it, and lets go run
// find the same.
func ckptInPath(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" '-overlay="+overlay(t, "cmd/ckpt/main.go", patientMain)+"'")
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./cmd/ckpt")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// The README's test command is what CI runs.
func TestReadmeTestsAreThoseOfCI(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	ci, err := os.ReadFile(filepath.Join(root, ".ci/run"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "\n$ go test ./...\n") {
		t.Error("README.md does not show go test ./...")
	}
	if !strings.Contains(string(ci), " go test -json -count=1 -timeout 20m ./... |") {
		t.Error(".ci/run does not run go test ./...")
	}
}
