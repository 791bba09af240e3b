// Command newmod prints the go.mod of the oracle of one patch release:
//
//	go run ./newmod 1.38.0 >kubelet-1.38/go.mod
//
// k8s.io/kubernetes replaces its staging modules by directories of its own
// repository, which a dependent does not see. They become the published
// modules of the same release here; its other replacements are kept.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const oracle = "github.com/kubeckpt/ckpt/testdata/oracle"

// refused are module versions that the Go proxy does not serve, and what
// stands in: only API types that are linked and never run.
var refused = map[string]string{"k8s.io/kube-scheduler v0.31.14": "v0.31.13"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: newmod 1.MINOR.PATCH")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "newmod:", err)
		os.Exit(1)
	}
}

// goMod is the part of go mod edit -json that is used.
type goMod struct {
	Go      string
	Godebug []struct{ Key, Value string }
	Replace []struct {
		Old struct{ Path string }
		New struct{ Path, Version string }
	}
}

func write(release string) error {
	var downloaded struct{ GoMod string }
	if err := run(&downloaded, "go", "mod", "download", "-json", "k8s.io/kubernetes@v"+release); err != nil {
		return err
	}
	var mod goMod
	if err := run(&mod, "go", "mod", "edit", "-json", downloaded.GoMod); err != nil {
		return err
	}
	minor := release[:strings.LastIndexByte(release, '.')]
	fmt.Printf("module %s/kubelet-%s\n\ngo %s\n\n", oracle, minor, mod.Go)
	for _, g := range mod.Godebug {
		fmt.Printf("godebug %s=%s\n\n", g.Key, g.Value)
	}
	fmt.Printf("require (\n\t%s v0.0.0\n\tk8s.io/kubernetes v%s\n)\n\nreplace %s => ../\n\nreplace (\n", oracle, release, oracle)
	for _, r := range mod.Replace {
		to := r.New.Path + " " + r.New.Version
		if strings.HasPrefix(r.New.Path, "./staging/") {
			version := "v0" + strings.TrimPrefix(release, "1")
			if other, ok := refused[r.Old.Path+" "+version]; ok {
				version = other
			}
			to = r.Old.Path + " " + version
		}
		fmt.Printf("\t%s => %s\n", r.Old.Path, strings.TrimSpace(to))
	}
	fmt.Println(")")
	return nil
}

func run(into any, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	return json.Unmarshal(out, into)
}
