package kubelet_test

import (
	"fmt"
	"log"
	"os"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

func ExampleJudge() {
	blob, err := os.ReadFile("../../testdata/kubelets/memory/1.37/static-1numa-1pod.json")
	if err != nil {
		log.Fatal(err)
	}
	v := kubelet.Judge(blob, kubelet.Options{FileName: "memory_manager_state"})
	fmt.Println(v.Format, v.State)
	for _, c := range v.Checksums {
		fmt.Println(c.Field, c.Stored, c.OK)
	}
	st := v.Content.(*kubelet.MemoryState)
	fmt.Println(st.MachineState[0].MemoryMap["memory"].Free, "bytes free on NUMA node 0")
	// Output:
	// memory/v3 ok
	// dataChecksum 3541228069 true
	// checksum 1792055876 true
	// 14495514624 bytes free on NUMA node 0
}

// Which kubelets read a file after a rollback, and what do they forget?
func ExampleJudge_rollback() {
	blob, err := os.ReadFile("../../testdata/kubelets/cpu/1.36/static-pod-level+PLRM.json")
	if err != nil {
		log.Fatal(err)
	}
	v := kubelet.Judge(blob, kubelet.Options{Kind: kubelet.CPU, Releases: []string{"1.35", "1.37"}})
	for _, a := range v.Kubelets {
		fmt.Println(a.Release, a.Gates, a.Verdict, a.Lost)
	}
	// Output:
	// 1.35 map[] refused []
	// 1.37 map[] lossy [podEntries]
	// 1.37 map[PodLevelResourceManagers:true] accepted []
	// 1.37 map[InPlacePodVerticalScalingExclusiveCPUs:true] lossy [podEntries]
	// 1.37 map[InPlacePodVerticalScalingExclusiveCPUs:true PodLevelResourceManagers:true] accepted []
}

func ExampleFormats() {
	for _, f := range kubelet.Formats() {
		if f.Kind == kubelet.Memory {
			fmt.Println(f.ID, "written by", f.Written)
		}
	}
	// Output:
	// memory/v1 written by [1.21–1.36]
	// memory/v2 written by [1.36 with PodLevelResourceManagers]
	// memory/v3 written by [1.37+]
}

func ExampleTexts() {
	blob := []byte(`{"policyName":"none","defaultCpuSet":"","checksum":1353318690}`)
	texts, err := kubelet.Texts(blob, "cpu/v2", kubelet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(texts[0].Text)
	fmt.Println(texts[0].Sum)
	// Output:
	// (*state.CPUManagerCheckpoint){PolicyName:(string)none DefaultCPUSet:(string) Entries:(map[string]map[string]string)map[] Checksum:(checksum.Checksum)0}
	// 1353318690
}

// What does a rollback lose, and what would the older kubelet have written?
func ExampleMigrate() {
	blob, err := os.ReadFile("../../testdata/kubelets/memory/1.36/static-pod-level+PLRM.json")
	if err != nil {
		log.Fatal(err)
	}
	m, err := kubelet.Migrate(blob, kubelet.Target{Release: "1.35"}, kubelet.Options{FileName: "memory_manager_state"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.From, "→", m.To)
	for _, l := range m.Losses {
		fmt.Println("lost:", l.Path, "-", l.Reason)
	}
	for _, f := range m.Findings {
		fmt.Println("then:", f.Code, "at", f.Path)
	}
	fmt.Println(len(m.Bytes), "bytes,", m.Answer.Verdict, "by kubelet", m.Answer.Release)
	// Output:
	// memory/v2 → memory/v1
	// lost: podEntries - only kubelet 1.36 and later keep it
	// then: machine-state at machineState.0.memoryMap.memory.reserved
	// 359 bytes, accepted by kubelet 1.35
}
