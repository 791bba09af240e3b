package input_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/kubeckpt/ckpt/internal/input"
)

// A node's disk, mounted at host, has its kubelet directory on another volume:
// a link that is absolute, as seen from the node.
func Example() {
	host, err := os.MkdirTemp("", "host")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(host)
	os.MkdirAll(filepath.Join(host, "var/lib"), 0o755)
	os.MkdirAll(filepath.Join(host, "mnt/kubelet"), 0o755)
	os.Symlink("/mnt/kubelet", filepath.Join(host, "var/lib/kubelet"))
	os.WriteFile(filepath.Join(host, "mnt/kubelet/cpu_manager_state"), []byte(`{"policyName":"none"}`), 0o600)

	r := &input.Reader{Root: host, Known: []string{"cpu_manager_state", "memory_manager_state"}}
	var buf []byte
	for item := range r.Expand([]string{"/var/lib/kubelet", "/no/such/file"}) {
		c, err := item.Load(buf)
		if err != nil {
			fmt.Println(err)
		} else {
			fmt.Println(item.Name, string(c.Bytes))
		}
		buf = c.Bytes
	}
	// Output:
	// /var/lib/kubelet/cpu_manager_state {"policyName":"none"}
	// "/no/such/file" does not exist
}
