package preflight_test

import (
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// What is to be corrected in a configuration is named, also where it is not there.
func TestCorrection(t *testing.T) {
	for _, test := range []struct {
		name, want string
		prepare    func(n *node)
	}{
		{"a file that is none", "mend what the error names in the configuration", func(n *node) { n.config = preflight.Broken("it is empty", false) }},
		{"nothing reserved", "reserve CPUs, which the static policy needs: set reservedSystemCPUs", func(n *node) { n.config.SystemReserved = map[string]string{"memory": "1Gi"} }},
		{"more reserved than there is", "make systemReserved.cpu fit the machine (16 CPUs)", func(n *node) { n.config.SystemReserved["cpu"] = "64" }},
		{"an option that is unknown", "correct cpuManagerPolicyOptions.x in the configuration", func(n *node) { n.option("x") }},
		{"nine nodes", "set max-allowable-numa-nodes in topologyManagerPolicyOptions to 9 or more", func(n *node) {
			n.machine = `{"sockets":9,"coresPerNuma":2,"memoryPerNuma":[8589934592]}`
			n.config.TopologyManagerPolicy = "restricted"
		}},
		{"no such node", "make reservedMemory[0].numaNode fit the machine (1 NUMA node)", func(n *node) {
			n.machine = `{"coresPerNuma":2,"memoryPerNuma":[8589934592]}`
			n.config.ReservedMemory[0].NUMANode = 3
		}},
	} {
		n := newNode(t)
		test.prepare(n)
		q := n.question()
		report := preflight.Explain(q, []preflight.Answer{startOne(t, q)}, preflight.Circumstances{})
		said := ""
		for _, a := range report.Advice {
			said += a.Do + "\n"
		}
		if !strings.Contains("\n"+said, "\n"+test.want) {
			t.Errorf("%s: %s", test.name, said)
		}
		for _, f := range report.Findings {
			if strings.Contains(f.Message, "nodes is") || strings.Contains(f.Message, "CPUs is") || strings.Contains(f.Message, "Nodes is") {
				t.Errorf("%s: %s", test.name, f.Message)
			}
		}
	}
}
