package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

func TestMatrix(t *testing.T) {
	var b bytes.Buffer
	if err := Matrix(&b, kubelet.Compatibilities()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	compareFile(t, filepath.Join("testdata", "matrix.txt"), b.String())
}

const compatibilityIntro = `# Who reads what

Which kubelet accepts a file that another wrote, and what it forgets. Made from the table of formats: every kubelet writes a
file that uses each field it knows, and every other judges it. P stands for the feature gate PodLevelResourceManagers,
X for InPlacePodVerticalScalingExclusiveCPUs; without a letter all gates have their defaults. ` + "`ckpt explain --matrix`" + ` shows the same,
and ` + "`ckpt verify --kubelet 1.35 FILE`" + ` answers for one file: a file that does not use a field loses nothing.

Before a rollback, look at the row of the release you run and the column of the one you go back to. What a kubelet forgets
is gone from the file at its next write.

`

// TestCompatibilityDocument keeps the document as the table has it.
func TestCompatibilityDocument(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(compatibilityIntro)
	if err := MatrixMarkdown(&b, kubelet.Compatibilities()); err != nil {
		t.Fatal(err)
	}
	compareFile(t, filepath.Join("..", "..", "..", "docs", "compatibility.md"), b.String())
}

func compareFile(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (-update if it should):\n%s", name, d)
	}
}
