package kubelet_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// All that a kubelet remembers of a node, of whichever version its files are.
func ExampleFiles() {
	const root = "testdata/node" // /var/lib/kubelet, on a node
	show := map[kubelet.Kind]func([]byte) error{
		kubelet.CPU:       shower(kubelet.ReadCPU, func(st *kubelet.CPUState) any { return "shared CPUs " + st.DefaultCPUSet }),
		kubelet.Memory:    shower(kubelet.ReadMemory, func(st *kubelet.MemoryState) any { return "policy " + st.PolicyName }),
		kubelet.Device:    shower(kubelet.ReadDevices, func(st *kubelet.DeviceState) any { return st.RegisteredDevices }),
		kubelet.DRA:       shower(kubelet.ReadDRA, func(st *kubelet.DRAState) any { return st.List()[0].ClaimName }),
		kubelet.Allocated: shower(kubelet.ReadAllocated, func(st *kubelet.AllocatedState) any { return len(st.ByPod()) }),
	}
	for _, file := range kubelet.Files() {
		blob, err := os.ReadFile(filepath.Join(root, file.Name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // not every kubelet writes every file
		}
		if err == nil {
			err = show[file.Kind](blob)
		}
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// dra/v3: claim-1
	// cpu/v4: shared CPUs 0-1,9,11,13-15
	// memory/v3: policy Static
	// device/v2: map[intel.com/sriov:[0000:3b:02.1 0000:3b:02.2 0000:86:02.2 0000:86:02.3] nvidia.com/gpu:[GPU-0 GPU-1 GPU-2 GPU-3 GPU-4 GPU-5 GPU-6 GPU-7 GPU-8 GPU-9]]
	// allocated/v3: 2
	// allocated/v3: 2
}

// shower returns a function that reads a file and prints something of its state.
func shower[T any](read func([]byte) (*T, kubelet.Reading, error), something func(*T) any) func([]byte) error {
	return func(blob []byte) error {
		st, reading, err := read(blob)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %v\n", reading.Format, something(st))
		return nil
	}
}
