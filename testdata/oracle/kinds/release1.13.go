//go:build !since1.29

package kinds

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"k8s.io/klog"
	pluginapi "k8s.io/kubernetes/pkg/kubelet/apis/deviceplugin/v1beta1"
	"k8s.io/kubernetes/pkg/kubelet/checkpointmanager"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpuset"
	"k8s.io/kubernetes/pkg/kubelet/cm/devicemanager/checkpoint"

	"github.com/kubeckpt/ckpt/testdata/oracle/serve"
)

// 1.13 is here for the formats that nothing later writes. It has two kinds,
// and no gate that matters to them.
var all = map[string]serve.Kind{"cpu": cpu, "device": device}

func setGates(map[string]bool) (func(), error) { return nil, errors.New("1.13 has no gates here") }

func gates([]string) map[string]bool { return nil }

func silence() {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
}

// cpuState is what a kubelet holds: container ID → CPU set.
type cpuState struct {
	PolicyName    string            `json:"policyName"`
	DefaultCPUSet string            `json:"defaultCpuSet"`
	Entries       map[string]string `json:"entries"`
}

var cpu = serve.Kind{
	Name: "cpu_manager_state",
	Restore: func(f serve.File) (any, error) {
		s, err := cpustate.NewCheckpointState(f.Dir, f.Name, f.Policy)
		if err != nil {
			return nil, err
		}
		st := cpuState{f.Policy, s.GetDefaultCPUSet().String(), map[string]string{}}
		for id, set := range s.GetCPUAssignments() {
			st.Entries[id] = set.String()
		}
		return st, nil
	},
	Write: func(f serve.File, raw json.RawMessage) error {
		var st cpuState
		if err := serve.Decode(raw, &st); err != nil {
			return err
		}
		s, err := cpustate.NewCheckpointState(f.Dir, f.Name, f.Policy)
		if err != nil {
			return err
		}
		held := cpustate.ContainerCPUAssignments{}
		for id, set := range st.Entries {
			held[id] = parseSet(set)
		}
		s.SetCPUAssignments(held)
		s.SetDefaultCPUSet(parseSet(st.DefaultCPUSet))
		return nil
	},
	Sums: func(b []byte) []serve.Sum {
		cp := cpustate.NewCPUManagerCheckpoint()
		return []serve.Sum{sumOf("V1", b, cp, func() any { return cp.Checksum })}
	},
}

func parseSet(s string) cpuset.CPUSet {
	set, err := cpuset.Parse(s)
	if err != nil {
		panic(fmt.Sprintf("state: cpuset %q: %v", s, err))
	}
	return set
}

func deviceRead(m checkpointmanager.CheckpointManager, name string) ([]checkpoint.PodDevicesEntry, map[string][]string, string, error) {
	cp := checkpoint.New(make([]checkpoint.PodDevicesEntry, 0), make(map[string][]string))
	if err := m.GetCheckpoint(name, cp); err != nil {
		return nil, nil, "", err
	}
	entries, registered := cp.GetData()
	return entries, registered, "V1", nil
}

func allocRespError(b []byte) error {
	return (&pluginapi.ContainerAllocateResponse{}).Unmarshal(b)
}

func deviceSums(b []byte) []serve.Sum { return []serve.Sum{deviceSum(b, "V1")} }
