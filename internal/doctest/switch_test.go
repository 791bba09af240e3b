package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The sed script of docs/switch.md changes every way to write an import.
func TestSwitchScript(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		t.Skip(err)
	}
	script := ""
	for _, b := range blocks(t) {
		if b.file == "docs/switch.md" && strings.HasPrefix(b.text(), "s#") {
			script += b.text()
		}
	}
	file := filepath.Join(t.TempDir(), "script.sed")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	const old, ours = "k8s.io/kubernetes/pkg/kubelet/checkpointmanager", module
	for before, want := range map[string]string{
		"\t\"" + old + "\"":                 "\tcheckpointmanager \"" + ours + "/checkpoint\"",
		"\tcm \"" + old + "\"":              "\tcm \"" + ours + "/checkpoint\"",
		"import \"" + old + "\"":            "import checkpointmanager \"" + ours + "/checkpoint\"",
		"import cm \"" + old + "\"":         "import cm \"" + ours + "/checkpoint\"",
		"\t\"" + old + "/errors\"":          "\terrors \"" + ours + "/checkpoint\"",
		"\tcmerrors \"" + old + "/errors\"": "\tcmerrors \"" + ours + "/checkpoint\"",
		"import \"" + old + "/errors\"":     "import errors \"" + ours + "/checkpoint\"",
		"\t\"" + old + "/checksum\"":        "\t\"" + ours + "/checksum\"",
		"\tcs \"" + old + "/checksum\"":     "\tcs \"" + ours + "/checksum\"",
		"\t_ \"" + old + "\" // why":        "\t_ \"" + ours + "/checkpoint\" // why",
		"\t\"" + old + "/testing\"":         "\t\"" + old + "/testing\"",
		"\t\"k8s.io/api/core/v1\"":          "\t\"k8s.io/api/core/v1\"",
	} {
		sed := exec.Command("sed", "-E", "-f", file)
		sed.Stdin = strings.NewReader(before + "\n")
		out, err := sed.CombinedOutput()
		if err != nil || string(out) != want+"\n" {
			t.Errorf("%s: %v, %s, want %s", before, err, out, want)
		}
	}
}
