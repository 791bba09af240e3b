package preflight_test

import (
	"fmt"
	"log"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

// A thread was switched off, and the CPUs that the kubelet reserves moved.
func ExampleStart() {
	machine, err := preflight.ParseMachine([]byte(`{"sockets": 1, "coresPerNuma": 8, "threadsPerCore": 2, "memoryPerNuma": [33554432000], "offline": [7]}`))
	if err != nil {
		log.Fatal(err)
	}
	config, err := preflight.ParseConfig([]byte(`{"cpuManagerPolicy": "static", "systemReserved": {"cpu": "1"}}`))
	if err != nil {
		log.Fatal(err)
	}
	answers, err := preflight.Start(preflight.Question{
		Releases: []string{"1.35"},
		Machine:  machine,
		Config:   config,
		Files: preflight.Files{preflight.CPUManagerState: []byte(
			`{"policyName":"static","defaultCpuSet":"0-1,3,6-9,11-15","entries":{"p1":{"a":"2,10"},"p2":{"b":"4-5"}},"checksum":1579966141}`)},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range answers {
		fmt.Println("kubelet", a.Release, "starts:", a.Starts, "reserved:", a.ReservedCPUs)
		for _, s := range a.Steps {
			if !s.OK {
				fmt.Printf("%s: %s\n", s.Stage, s.Error)
			}
		}
	}
	// Output:
	// kubelet 1.35 starts: false reserved: 15
	// cpu-start: current set of available CPUs "0-6,8-15" doesn't match with CPUs in state "0-15"
}

// CPU 15 came, of which the file knows nothing, nor of any behind it.
func ExampleAdopt() {
	machine, err := preflight.ParseMachine([]byte(`{"sockets": 1, "coresPerNuma": 8, "threadsPerCore": 2, "memoryPerNuma": [33554432000]}`))
	if err != nil {
		log.Fatal(err)
	}
	adopted, err := preflight.Adopt(preflight.Question{
		Releases: []string{"1.35"},
		Machine:  machine,
		Config:   preflight.Config{CPUManagerPolicy: "static", SystemReserved: map[string]string{"cpu": "1"}},
		Files: preflight.Files{preflight.CPUManagerState: []byte(
			`{"policyName":"static","defaultCpuSet":"0-1,3,5-9,11,13-14","entries":{"p1":{"a":"2,10"},"p2":{"b":"4,12"}},"checksum":340133330}`)},
	}, preflight.CPUManagerState)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(adopted.Change)
	for _, c := range adopted.Changes {
		fmt.Println(c.Path, c.Old, "→", c.New)
	}
	fmt.Println("starts:", adopted.Before.Starts, "→", adopted.After.Starts)
	// Output:
	// cpus-added
	// defaultCpuSet 0-1,3,5-9,11,13-14 → 0-1,3,5-9,11,13-15
	// starts: false → true
}
