package preflight

import (
	"fmt"
	"strings"
)

const noFile = "; no state file is at fault"

// correction words what to change in a configuration that a kubelet refuses.
func (a *adviser) correction(st Step) string {
	c := &a.q.Config
	switch {
	case st.Path == "":
		return "mend what the error names in the configuration" + noFile
	case st.Path == "systemReserved.cpu" && c.SystemReserved[resourceCPU]+c.KubeReserved[resourceCPU]+c.ReservedSystemCPUs == "":
		return "reserve CPUs, which the static policy needs: set reservedSystemCPUs, or cpu in systemReserved or kubeReserved" + noFile
	}
	return fmt.Sprintf("correct %s in the configuration"+noFile, st.Path)
}

// fitting words what to change where the configuration does not go with the
// machine.
func (a *adviser) fitting(st Step) string {
	nodes, isNodes := strings.CutSuffix(st.Machine, " NUMA nodes")
	switch {
	case st.Stage == StageNodeAllocatable:
		return fmt.Sprintf("reserve less %s than the machine has (%s)"+noFile, st.Path, st.Machine)
	case st.Stage == StageTopology && isNodes && st.Path == "topologyManagerPolicy":
		return fmt.Sprintf("set %s in topologyManagerPolicyOptions to %s or more, with a kubelet that has this option, or topologyManagerPolicy to none"+noFile, optMaxNodes, nodes)
	}
	return fmt.Sprintf("make %s fit the machine (%s)"+noFile, or(st.Path, "the configuration"), inWords(st.Machine))
}

// inWords counts one node as one.
func inWords(machine string) string {
	if machine == "1 NUMA nodes" {
		return "1 NUMA node"
	}
	return machine
}
