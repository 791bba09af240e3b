package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	const store = "k8s.io/kubernetes/pkg/kubelet/util/store"
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
		"\t\"" + old + "/testing\"":         "\ttesting \"" + ours + "/checkpoint/checkpointtest\"",
		"\tcmt \"" + old + "/testing\"":     "\tcmt \"" + ours + "/checkpoint/checkpointtest\"",
		"\t\"" + store + "\"":               "\tstore \"" + ours + "/filestore\"",
		"import \"" + store + "\"":          "import store \"" + ours + "/filestore\"",
		"\tutilstore \"" + store + "\"":     "\tutilstore \"" + ours + "/filestore\"",
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

// The samples begin with claims; a driver that has given all of them back begins with
// a file without any.
func TestSwitchSamplesWithoutClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Go blocks")
	}
	replace := map[string]string{
		`&ClaimsV1{map[string][]string{"claim-a": {"gpu-0"}}}`: `&ClaimsV1{}`,
		`&ClaimsV1{map[string]string{"claim-a": "gpu-0"}}`:     `&ClaimsV1{}, V2: &SummedV2{}`,
		`claim-a:[gpu-0] `:    ``,
		`map[claim-a:gpu-0] `: `map[] `,
		`923064363,"v1":{"preparedClaims":{"claim-a":["gpu-0"],"claim-b":["gpu-1"]}},"c…`: `136248760,"v1":{"preparedClaims":{"claim-b":["gpu-1"]}},"ckpt":{"name":"checkp…`,
	}
	found := 0
	for _, b := range blocks(t) {
		if b.file != "docs/switch.md" || b.lang != "go" || !strings.Contains(b.text(), "claim-a") {
			continue
		}
		found++
		changed := b
		changed.lines = slices.Clone(b.lines)
		for i := range changed.lines {
			for from, to := range replace {
				changed.lines[i] = strings.ReplaceAll(changed.lines[i], from, to)
			}
		}
		runGo(t, changed)
	}
	if found != 2 {
		t.Errorf("%d samples", found)
	}
}
