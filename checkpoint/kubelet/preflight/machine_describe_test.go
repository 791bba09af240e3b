package preflight

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/cpuset"
)

func TestParseMachine(t *testing.T) {
	huge := []Hugepages{{PageSizeKiB: 2048, NumPages: 4}}
	for _, test := range []struct {
		name, text string
		want       Machine
	}{
		{"little said", `{"sockets":1}`, Machine{Nodes: []Node{{Cores: []Core{{Threads: []int{0}}}}}, Sockets: 1, CPUs: 1}},
		{"regular", `{"sockets":2,"numaPerSocket":2,"coresPerNuma":1,"threadsPerCore":2,"memoryPerNuma":[4096,8192],
			"hugepages":[[{"pageSizeKiB":2048,"numPages":4}],[]],"coresPerUncore":3}`,
			Machine{Nodes: []Node{
				{ID: 0, Memory: 4096, Hugepages: huge, Cores: []Core{{ID: 0, Threads: []int{0, 4}}}},
				{ID: 1, Memory: 8192, Hugepages: []Hugepages{}, Cores: []Core{{ID: 1, Threads: []int{1, 5}}}},
				{ID: 2, Memory: 8192, Hugepages: []Hugepages{}, Cores: []Core{{ID: 0, Socket: 1, Threads: []int{2, 6}}}},
				{ID: 3, Memory: 8192, Hugepages: []Hugepages{}, Cores: []Core{{ID: 1, Socket: 1, Threads: []int{3, 7}, Uncore: 1}}},
			}, Sockets: 2, CPUs: 8, MemoryCapacity: 4096 + 3*8192}},
		{"adjacent, some off", `{"coresPerNuma":3,"threadsPerCore":2,"numbering":"adjacent","offline":[2],"offlineSet":"4-5, 2"}`,
			Machine{Nodes: []Node{{Cores: []Core{{Threads: []int{0, 1}}, {ID: 1, Threads: []int{3}}}}}, Sockets: 1, CPUs: 3}},
		{"listed, out of order, without CPUs or memory", `{"numa":[{"id":7,"memory":8192,"distances":[20,10]},
			{"id":1,"cores":[{"id":4,"socket":3,"threads":[8,0]},{"id":5,"socket":4,"threads":[1],"uncore":0}]}]}`,
			Machine{Nodes: []Node{
				{ID: 1, Cores: []Core{{ID: 4, Socket: 3, Threads: []int{8, 0}, Uncore: 3}, {ID: 5, Socket: 4, Threads: []int{1}}}},
				{ID: 7, Memory: 8192, Distances: []int{20, 10}},
			}, Sockets: 2, CPUs: 3, MemoryCapacity: 8192}},
		{"said otherwise", `{"coresPerNuma":2,"memoryCapacity":1024,"numSockets":2,"numCores":0}`,
			Machine{Nodes: []Node{{Cores: []Core{{Threads: []int{0}}, {ID: 1, Threads: []int{1}}}}}, Sockets: 2, MemoryCapacity: 1024}},
		{"a topology that could not be read", `{"numa":[],"numCores":0,"numSockets":1,"memoryCapacity":1024}`,
			Machine{Sockets: 1, MemoryCapacity: 1024}},
	} {
		got, err := ParseMachine([]byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", test.name, d)
		}
	}
}

func TestParseMachineRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "it is empty",
		"{":                                  "the JSON ends too early",
		"sockets: 2":                         "not JSON: invalid character 's' looking for beginning of value at byte 1",
		"[]":                                 "found a JSON array where an object was expected",
		"{} {}":                              "more follows after the JSON, at byte 4",
		"{}":                                 "it says nothing of a machine; ckpt machine -o json writes one",
		"null":                               "it says nothing of a machine; ckpt machine -o json writes one",
		`{"coresPerNuma":2,"offline":[999]}`: "CPU 999 is said to be off, and is no CPU of the machine",
		`{"numa":[{"id":0}],"offline":[-1]}`: "CPU -1 is said to be off, and is no CPU of the machine",
		`{"sockets":1,"sockets":2}`:          `it has "sockets" twice in one object`,
		`{"numa":[{"id":0,"cores":[{"threads":[0],"id":1,"threads":[1]}]}]}`: `it has "threads" twice in one object`,
		`{"socket":1}`:                 `unknown field "socket"`,
		`{"sockets":"two"}`:            `field "sockets" is a JSON string, not a whole number`,
		`{"memoryPerNuma":[-1]}`:       `field "memoryPerNuma" is a JSON number -1, not a whole number that is not negative`,
		`{"numa":null}`:                `"numa" lists no node`,
		`{"numa":[],"coresPerNuma":4}`: `"numa" lists no node`,
		`{"numa":{}}`:                  `field "numa" is a JSON object, not an array`,
		`{"sockets":-1}`:               "sockets is negative: -1",
		`{"coresPerUncore":-1}`:        "coresPerUncore is negative: -1",
		`{"numbering":"odd"}`:          `numbering is "odd", not "linux" or "adjacent"`,
		`{"coresPerNuma":8193}`:        "the CPUs are more than the 8192 that Linux can have",
		`{"sockets":4294967296,"coresPerNuma":4294967296}`: "the CPUs are more than the 8192 that Linux can have",
		`{"sockets":1025}`:                                                      "1025 NUMA nodes are more than the 1024 that Linux can have",
		`{"offlineSet":"0-9999999999"}`:                                         `offlineSet: "0-9999999999" in "0-9999999999" is not a CPU below 8192 or a range of them`,
		`{"offlineSet":"3-1"}`:                                                  `offlineSet: "3-1" in "3-1" is not a CPU below 8192 or a range of them`,
		`{"numa":[{"id":0},{"id":0}]}`:                                          "NUMA node 0 is listed twice",
		`{"numa":[{"id":-2}]}`:                                                  "-2 is no id of a NUMA node",
		`{"numa":[{"id":0,"cores":[{"id":3}]}]}`:                                "core 3 of NUMA node 0 has no threads",
		`{"numa":[{"id":0,"cores":[{"threads":[1,1]}]}]}`:                       "CPU 1 is listed twice",
		`{"numa":[{"id":0,"cores":[{"threads":[8192]}]}]}`:                      "core 0 of NUMA node 0: CPU 8192 is not one of 0 to 8191",
		`{"numCores":-1}`:                                                       "numCores is -1, not one of 0 to 8192",
		`{"numSockets":-1}`:                                                     "numSockets is -1, not one of 0 to 8192",
		`{"memoryCapacity":9223372036854775808}`:                                "memoryCapacity 9223372036854775808 is more than a kubelet can count",
		`{"sockets":2,"memoryPerNuma":[9223372036854775807]}`:                   "NUMA node 1 has more memory than a kubelet can count",
		`{"hugepages":[[{"pageSizeKiB":0}]]}`:                                   "NUMA node 0: 0 KiB is no size of a page",
		`{"hugepages":[[{"pageSizeKiB":4},{"pageSizeKiB":4}]]}`:                 "NUMA node 0: hugepages of 4 KiB are listed twice",
		`{"hugepages":[[{"pageSizeKiB":1048576,"numPages":9007199254740992}]]}`: "NUMA node 0: 9007199254740992 pages of 1048576 KiB are more than a kubelet can count",
	} {
		_, err := ParseMachine([]byte(text))
		if err == nil || err.Error() != "machine description: "+want {
			t.Errorf("%s\n got %v\nwant machine description: %s", text, err, want)
		}
	}
}

// A kubelet without a state file puts all its CPUs into the default set, so
// its answers tell which CPUs a described machine has.
func TestDescribedCPUs(t *testing.T) {
	f, err := os.Open("../../../testdata/start/cases.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c struct {
			ID      string
			Kind    string
			Files   map[string]string
			Machine json.RawMessage
			Config  struct{ CPUManagerPolicyOptions map[string]string }
			Answers []struct {
				Accepted bool
				State    struct{ DefaultCPUSet string }
			} `json:"kubelets"`
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil && c.Kind == "cpu" {
			t.Fatal(err)
		}
		m, err := ParseMachine(c.Machine)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		if c.Kind != "cpu" || len(c.Files) > 0 || c.Config.CPUManagerPolicyOptions["strict-cpu-reservation"] != "" {
			continue
		}
		for _, a := range c.Answers {
			if a.Accepted && a.State.DefaultCPUSet != "" {
				if got := cpusOf(m); got != a.State.DefaultCPUSet {
					t.Errorf("%s: CPUs %s, but the kubelet found %s", c.ID, got, a.State.DefaultCPUSet)
				}
				compared++
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if compared == 0 {
		t.Error("no case was compared")
	}
	t.Logf("%d answers compared", compared)
}

func cpusOf(m Machine) string {
	var cpus []int
	for _, n := range m.Nodes {
		for _, c := range n.Cores {
			cpus = append(cpus, c.Threads...)
		}
	}
	return cpuset.New(cpus...).String()
}

// FuzzParseMachine: whatever is read can be written and read again.
func FuzzParseMachine(f *testing.F) {
	f.Add(`{"sockets":2,"coresPerNuma":2,"threadsPerCore":2,"offlineSet":"1-2,5","memoryPerNuma":[1,2],"coresPerUncore":1}`)
	f.Add(`{"numa":[{"id":3,"memory":1,"hugepages":[{"pageSizeKiB":4,"numPages":0}],"cores":[{"id":1,"socket":2,"threads":[3,1],"uncore":9}],"distances":[10]}]}`)
	f.Add(`{"numa":[],"numCores":0}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMachine([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", err)
			}
			return
		}
		if !slices.IsSortedFunc(m.Nodes, func(a, b Node) int { return a.ID - b.ID }) {
			t.Errorf("nodes out of order: %v", m.Nodes)
		}
		blob, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseMachine(blob)
		if err != nil {
			t.Fatalf("%s: %v", blob, err)
		}
		twice, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if string(blob) != string(twice) {
			t.Errorf("read\n%s\nand back\n%s", blob, twice)
		}
	})
}
