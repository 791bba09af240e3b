package style

import (
	"slices"
	"strings"
	"testing"
)

// rule says what the packages under dir may import. The first rule that fits a
// package decides.
type rule struct {
	dir   string   // "checksum", or "internal/*" for what is below
	ours  []string // packages of this module; a trailing * stands for any rest
	never []string // packages of others, likewise
}

// Pure packages turn values into values: no files, no network, no environment.
var impure = []string{"os", "os/*", "io/fs", "syscall", "net", "net/*", "log", "log/*", "path/filepath", "github.com/spf13/*"}

// Leaves of internal that are pure and may be used everywhere.
var leaves = []string{"/internal/quantity", "/internal/sniff", "/internal/termtext", "/internal/allocresp", "/internal/fastsum", "/internal/fnvsearch", "/internal/jsonfault"}

var rules = []rule{
	{dir: "checksum", never: impure},
	{dir: "migrate", never: impure},
	{dir: "filestore", never: []string{"net", "net/*", "log", "github.com/spf13/*", "encoding/json"}},
	{dir: "checkpoint", ours: []string{"/checksum", "/filestore", "/migrate", "/internal/jsonfault"}, never: []string{"net", "net/*", "log", "github.com/spf13/*"}},
	{dir: "checkpoint/kubelet", ours: append([]string{"/checksum", "/migrate"}, leaves...), never: impure},
	{dir: "checkpoint/kubelet/preflight", ours: append([]string{"/checksum", "/migrate", "/checkpoint/kubelet"}, leaves...), never: impure},
	{dir: "checkpoint/checkpointtest", ours: []string{"/checksum", "/filestore", "/migrate", "/checkpoint", "/internal/crashfs", "/internal/faultfs"}, never: []string{"net", "net/*", "log"}},
	{dir: "cmd/ckpt/render", ours: append([]string{"/checkpoint/kubelet", "/checkpoint/kubelet/preflight", "/migrate"}, leaves...), never: impure},
	{dir: "cmd/ckpt/command", ours: []string{"*"}, never: []string{"net", "net/*", "log", "github.com/spf13/afero"}},
	{dir: "cmd/ckpt", ours: []string{"/cmd/ckpt/command"}},
	{dir: "internal/input", ours: leaves, never: []string{"net", "net/*", "log", "log/*", "github.com/spf13/*"}},
	{dir: "internal/oracle/*", ours: []string{"/checkpoint/kubelet", "/internal/*"}, never: []string{"net", "net/*", "github.com/spf13/*"}},
	{dir: "internal/sysfs", ours: []string{"/checkpoint/kubelet/preflight"}, never: []string{"net", "net/*", "log", "github.com/spf13/*"}},
	{dir: "internal/rewrite", ours: []string{"/filestore"}, never: []string{"net", "net/*", "log", "github.com/spf13/*"}},
	// Test file systems may know what they test, never the command.
	{dir: "internal/*", ours: []string{"/checksum", "/filestore", "/internal/*"}, never: []string{"github.com/spf13/cobra"}},
}

// match reports whether name is pattern, or begins as it does before its *.
func match(pattern, name string) bool {
	prefix, open := strings.CutSuffix(pattern, "*")
	return name == pattern || open && strings.HasPrefix(name, prefix)
}

func (r rule) allows(path string) bool {
	fits := func(pattern string) bool { return match(pattern, path) }
	if strings.HasPrefix(path, "/") {
		return slices.ContainsFunc(r.ours, fits)
	}
	return !slices.ContainsFunc(r.never, fits)
}

func ruleFor(dir string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return match(r.dir, dir) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

// Imports point one way, so that each package can be read and used alone.
func TestImports(t *testing.T) {
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		r, ok := ruleFor(f.dir)
		if !ok {
			t.Errorf("%s: no rule says what package %q may import", f.path, f.dir)
			continue
		}
		for _, path := range f.imports() {
			if !r.allows(path) {
				t.Errorf("%s imports %q, which %q may not", f.path, path, r.dir)
			}
		}
	}
}

func TestRulesRefuse(t *testing.T) {
	tests := []struct{ dir, path string }{
		{"checksum", "/migrate"},
		{"checksum", "os"},
		{"checkpoint/kubelet", "/filestore"},
		{"checkpoint/kubelet", "github.com/spf13/afero"},
		{"checkpoint/kubelet", "/internal/input"},
		{"cmd/ckpt/render", "/checkpoint"},
		{"cmd/ckpt/command", "net/http"},
		{"filestore", "/checksum"},
	}
	for _, tt := range tests {
		if r, ok := ruleFor(tt.dir); !ok || r.allows(tt.path) {
			t.Errorf("%q may import %q", tt.dir, tt.path)
		}
	}
}
