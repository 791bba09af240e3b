package style

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// ckpt runs at every check of a monitoring agent, so its start counts. These
// packages would cost more than the rest together, or have no place in a
// command that only reads.
var heavy = []string{"net/http", "crypto/tls", "github.com/spf13/afero", "html/template", "testing"}

func TestCommandIsLight(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "./cmd/ckpt")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"/checkpoint/kubelet") {
		t.Fatalf("go list names %d packages, not checkpoint/kubelet among them", len(deps))
	}
	for _, path := range heavy {
		if slices.Contains(deps, path) {
			t.Errorf("cmd/ckpt depends on %s", path)
		}
	}
}
