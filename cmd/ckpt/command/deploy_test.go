package command

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

const deployDir = "../../../deploy/systemd/"

// unit returns the settings of a unit file, each with all its values.
func unit(t *testing.T, name string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(deployDir + name)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			settings[key] = append(settings[key], value)
		}
	}
	return settings
}

// The unit runs a command line that ckpt takes, before the kubelet, and never
// keeps the kubelet from starting.
func TestSystemdUnit(t *testing.T) {
	service := unit(t, "ckpt-preflight.service")
	start := service["ExecStart"]
	if len(start) != 1 || !strings.HasPrefix(start[0], "-/usr/local/bin/ckpt ") {
		t.Fatalf("ExecStart is %q; the - lets a bad answer pass", start)
	}
	if got := service["Type"]; len(got) != 1 || got[0] != "oneshot" {
		t.Errorf("Type is %q", got)
	}
	if got := service["Before"]; len(got) != 1 || got[0] != "kubelet.service" {
		t.Errorf("Before is %q", got)
	}
	dropIn := unit(t, "kubelet.service.d/10-ckpt.conf")
	for _, hard := range []string{"Requires", "BindsTo", "Requisite"} {
		if dropIn[hard] != nil || service[hard] != nil {
			t.Errorf("%s would keep the kubelet from starting", hard)
		}
	}
	if len(dropIn["Wants"]) != 1 || len(dropIn["After"]) != 1 {
		t.Errorf("the drop-in does not order anything: %v", dropIn)
	}
	// As systemd does: ${X} is one argument, whatever is in it.
	env := map[string]string{}
	for _, e := range service["Environment"] {
		key, value, _ := strings.Cut(strings.Trim(e, `"`), "=")
		env[key] = value
	}
	variable := regexp.MustCompile(`\$\{(\w+)\}`)
	var args []string
	for _, word := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(start[0], -1)[1:] {
		args = append(args, variable.ReplaceAllStringFunc(strings.Trim(word, `"`), func(name string) string {
			value, ok := env[strings.Trim(name, "${}")]
			if !ok {
				t.Errorf("%s has no default", name)
			}
			return value
		}))
	}
	var stdout, stderr bytes.Buffer
	code := Run(Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }},
		append(args, "--root", t.TempDir()))
	// There is nothing in that directory, but the command line is good.
	if code != exitUndecided {
		t.Errorf("ckpt %q ends with %d: %s", args, code, stderr.String())
	}
}
