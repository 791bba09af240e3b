package preflight_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checkpoint/kubelet/preflight"
)

func explain(t *testing.T, r recorded, release string) ([]preflight.Answer, preflight.Report) {
	t.Helper()
	q, err := r.question(release)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := preflight.Start(q)
	if err != nil {
		t.Fatal(err)
	}
	return answers, preflight.Explain(q, answers, preflight.Circumstances{})
}

// Each start that fails has an error that says so, and advice for each; one
// that succeeds has none.
func TestEveryFailureHasAdvice(t *testing.T) {
	codes := map[string]int{}
	for _, r := range readRecorded(t, filepath.Join(recordings, "cases.jsonl.gz")) {
		for _, k := range r.Kubelets {
			answers, report := explain(t, r, k.Version)
			errors := 0
			for _, f := range report.Findings {
				codes[f.Code]++
				if f.Code == "" || f.Message == "" {
					t.Errorf("%s on %s: a finding without code or message: %+v", r.ID, k.Version, f)
				}
				if f.Severity == kubelet.SeverityError {
					errors++
					advised := slices.ContainsFunc(report.Advice, func(a preflight.Advice) bool { return a.Code == f.Code && a.Do == f.Hint })
					if !advised && f.Code != "start-by-chance" {
						t.Errorf("%s on %s: no advice on %s", r.ID, k.Version, f.Code)
					}
				}
			}
			if answers[0].Starts != (errors == 0) {
				t.Errorf("%s on %s: starts %v with %d errors", r.ID, k.Version, answers[0].Starts, errors)
			}
			for _, a := range report.Advice {
				if a.Drain != (len(a.Lost) > 0) && !strings.Contains(a.Deleting, "cannot be read") && !strings.Contains(a.Deleting, " may hold ") {
					t.Errorf("%s on %s: drain %v for %d pods", r.ID, k.Version, a.Drain, len(a.Lost))
				}
			}
			if blob, err := json.Marshal(report); err != nil || strings.Contains(string(blob), ":null") {
				t.Errorf("%s on %s: %v %s", r.ID, k.Version, err, blob)
			}
		}
	}
	t.Logf("%v", codes)
	for _, code := range []string{"config-refused", "config-unfit", "reserved-memory-sum", "no-cpus", "policy-changed", "state-file-refused",
		"default-set-empty", "reserved-cpus-changed", "assignment-overlap", "cpus-changed", "memory-changed", "reserved-memory-changed",
		"memory-books-differ", "start-crash", "start-by-chance"} {
		if codes[code] == 0 {
			t.Errorf("no recorded start has %s", code)
		}
	}
}

// What is said about some starts.
func TestExplain(t *testing.T) {
	byID := map[string]recorded{}
	for _, r := range readRecorded(t, filepath.Join(recordings, "cases.jsonl.gz")) {
		byID[r.ID] = r
	}
	for _, test := range []struct {
		id, release string
		codes       string // of errors, in the order of the start
		first       string // of the advice on the first: what to do, ways instead, price, pods, tool
	}{
		{"cpu/policy/none-to-static", "1.37", "policy-changed",
			`stop the kubelet and run "ckpt adopt --in-place --kubelet 1.37": the file becomes one of the new policy, by which the kubelet admits pods that run anew, and may reject some | stop the kubelet, keep a copy of cpu_manager_state, delete it and start the kubelet | nothing is lost: no pod holds anything by this file; but the kubelet admits pods that run anew, by the new policy, and rejects those that it cannot give what they ask for | tool ckpt adopt --in-place --kubelet 1.37`},
		{"cpu/policy/static-to-none-busy", "1.37", "policy-changed",
			"drain the node, stop the kubelet, keep a copy of cpu_manager_state, delete it and start the kubelet | set cpuManagerPolicy back to what the file was written with | 1 pod, if it goes on running, would keep CPUs which the kubelet gives to others as well | p1 2"},
		{"cpu/cpus/offline-default", "1.35", "cpus-changed",
			"turn CPUs on again (chcpu -e 7): the file counts on them, though no pod holds them | drain the node, stop the kubelet, keep a copy of cpu_manager_state, delete it and start the kubelet | 2 pods, if they go on running, would keep CPUs which the kubelet gives to others as well | p1 2,10 | p2 4-5"},
		{"cpu/cpus/offline-assigned", "1.37", "reserved-cpus-changed cpus-changed",
			"turn CPUs on again (chcpu -e 10): which CPUs are reserved is chosen among those that are on, and moved with them | drain the node, stop the kubelet, keep a copy of cpu_manager_state, delete it and start the kubelet | 2 pods, if they go on running, would keep CPUs which the kubelet gives to others as well | p1 2,10 | p2 4-5"},
		{"cpu/reserved/set-1", "1.37", "reserved-cpus-changed",
			"reserve other CPUs (reservedSystemCPUs: 0): CPU 1 is held exclusively by p1 | drain the node, stop the kubelet, keep a copy of cpu_manager_state, delete it and start the kubelet | 1 pod, if it goes on running, would keep CPUs which the kubelet gives to others as well | p1 1,9"},
		{"cpu/fresh/reservedSystemCPUs-99", "1.30", "config-unfit",
			"make reservedSystemCPUs fit the machine (0-15); no state file is at fault"},
		{"cpu/strict/turned-on", "1.31", "config-refused",
			"correct cpuManagerPolicyOptions.strict-cpu-reservation in the configuration; no state file is at fault"},
		{"cpu/strict/turned-on", "1.37", "reserved-cpus-changed cpus-changed",
			"take strict-cpu-reservation out of cpuManagerPolicyOptions again | drain the node, stop the kubelet, keep a copy of cpu_manager_state, delete it and start the kubelet | 1 pod, if it goes on running, would keep CPUs which the kubelet gives to others as well | p1 2,10"},
		{"memory/machine/total+4k-idle", "1.34", "memory-changed",
			`stop the kubelet and run "ckpt adopt --in-place --kubelet 1.34": the totals of the machine are written in (node 0 has 4096 bytes more than the file says) | stop the kubelet, keep a copy of memory_manager_state, delete it and start the kubelet | nothing is lost: no pod holds anything by this file | tool ckpt adopt --in-place --kubelet 1.34`},
		{"memory/machine/percent-drift", "1.37", "reserved-memory-sum memory-changed",
			"let reservedMemory add up to 6752171927, which systemReserved, kubeReserved and the threshold of evictionHard come to; no state file is at fault | give evictionHard memory.available in bytes: as a percentage it moves with every change of the machine's memory"},
		{"memory/broken/checksum", "1.36", "state-file-refused",
			`the file is corrupt: see with ckpt explain what happened to it, and with "ckpt repair --dry-run /var/lib/kubelet/memory_manager_state" whether that can be undone | drain the node, stop the kubelet, keep a copy of memory_manager_state, delete it and start the kubelet | 1 pod, if it goes on running, would keep memory which the kubelet promises to others as well; the file is broken, so there may be more | p1 | tool ckpt repair --dry-run /var/lib/kubelet/memory_manager_state`},
	} {
		r, ok := byID[test.id]
		if !ok {
			t.Errorf("no start %s", test.id)
			continue
		}
		_, report := explain(t, r, test.release)
		var codes []string
		for _, f := range report.Findings {
			if f.Severity == kubelet.SeverityError {
				codes = append(codes, f.Code)
			}
		}
		if got := strings.Join(codes, " "); got != test.codes {
			t.Errorf("%s on %s: %s, want %s", test.id, test.release, got, test.codes)
		}
		if len(report.Advice) == 0 {
			t.Errorf("%s on %s: no advice", test.id, test.release)
			continue
		}
		a := report.Advice[0]
		parts := append([]string{a.Do}, a.Instead...)
		if a.Deleting != "" {
			parts = append(parts, a.Deleting)
		}
		for _, h := range a.Lost {
			parts = append(parts, strings.TrimSpace(h.Pod+" "+h.CPUs))
		}
		if a.Tool != "" {
			parts = append(parts, "tool "+a.Tool)
		}
		if got := strings.Join(parts, " | "); got != test.first {
			t.Errorf("%s on %s:\n got %s\nwant %s", test.id, test.release, got, test.first)
		}
	}
}

// A cause that stops only some of all known kubelets is a warning; one that
// stops a kubelet that was asked for is not.
func TestSeverity(t *testing.T) {
	q := preflight.Question{Config: preflight.Config{CPUManagerPolicy: "static", SystemReserved: map[string]string{"cpu": "1"},
		CPUManagerPolicyOptions: map[string]string{"strict-cpu-reservation": "true"}}}
	var err error
	if q.Machine, err = preflight.ParseMachine([]byte(`{"coresPerNuma":4,"memoryPerNuma":[4294967296]}`)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		releases []string
		want     kubelet.Severity
		message  string
	}{
		{nil, kubelet.SeverityWarning, "kubelet 1.29–1.32: "},
		{[]string{"1.31", "1.37"}, kubelet.SeverityError, "kubelet 1.31: "},
		{[]string{"1.31"}, kubelet.SeverityError, "new static policy error: "},
	} {
		q.Releases = test.releases
		answers, err := preflight.Start(q)
		if err != nil {
			t.Fatal(err)
		}
		f := preflight.Explain(q, answers, preflight.Circumstances{}).Findings[0]
		if f.Severity != test.want || !strings.HasPrefix(f.Message, test.message) {
			t.Errorf("%v: %+v", test.releases, f)
		}
	}
}

// Files of which nothing stops a kubelet are told of all the same.
func TestForgotten(t *testing.T) {
	q := preflight.Question{Releases: []string{"1.37"}, Files: preflight.Files{preflight.DeviceCheckpoint: []byte(`{"Data":{},"Checksum":1}`)}}
	var err error
	if q.Machine, err = preflight.ParseMachine([]byte(`{"coresPerNuma":4,"memoryPerNuma":[4294967296]}`)); err != nil {
		t.Fatal(err)
	}
	answers, err := preflight.Start(q)
	if err != nil || !answers[0].Starts {
		t.Fatalf("%v %+v", err, answers)
	}
	report := preflight.Explain(q, answers, preflight.Circumstances{NoKind: []string{"c.yaml"}})
	var codes []string
	for _, f := range report.Findings {
		codes = append(codes, f.Code+" "+string(f.Severity))
	}
	if want := []string{"devices-forgotten warning", "config-without-kind warning"}; !slices.Equal(codes, want) {
		t.Errorf("%q, want %q", codes, want)
	}
}

// Each of several faults is named, with its own advice.
func TestEachFaultIsNamed(t *testing.T) {
	n := newNode(t)
	n.config.CPUManagerPolicyOptions = map[string]string{"a": "1", "b": "1", "full-pcpus-only": "x"}
	n.config.EvictionHard["memory.available"] = "y"
	n.files[preflight.AllocatedPods] = []byte("{")
	n.files[preflight.DRAManagerState] = []byte("{")
	q := n.question()
	report := preflight.Explain(q, []preflight.Answer{startOne(t, q)}, preflight.Circumstances{Dir: "/host/var/lib/kube let"})
	var got []string
	for i, f := range report.Findings {
		if f.Severity == kubelet.SeverityError {
			got = append(got, f.Code+" "+f.Path)
		}
		if i < len(report.Advice) && report.Advice[i].Path != "" && report.Advice[i].Path != f.Path {
			t.Errorf("advice on %s beside %s", report.Advice[i].Path, f.Path)
		}
	}
	want := []string{"config-refused evictionHard.memory.available", "state-file-refused dra_manager_state",
		"config-refused cpuManagerPolicyOptions.a", "config-refused cpuManagerPolicyOptions.b", "config-refused cpuManagerPolicyOptions.full-pcpus-only",
		"state-file-refused allocated_pods_state"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, a := range report.Advice {
		if a.File != "" && !strings.HasSuffix(a.Tool, " '/host/var/lib/kube let/"+a.File+"'") {
			t.Errorf("%s: %q", a.File, a.Tool)
		}
	}
}

// The command to adopt is for the node that was asked about.
func TestAdoptCommand(t *testing.T) {
	n := newNode(t)
	n.cpu = &kubelet.CPUState{PolicyName: "none"}
	q := n.question()
	c := preflight.Circumstances{Flags: " --root /host --config /etc/k.yaml"}
	answers := []preflight.Answer{startOne(t, q)}
	const want = "ckpt adopt --in-place --kubelet 1.37 --root /host --config /etc/k.yaml"
	if a := preflight.Explain(q, answers, c).Advice[0]; a.Tool != want || !strings.Contains(a.Do, want) {
		t.Errorf("%+v", a)
	}
	c.Planned = true
	if a := preflight.Explain(q, answers, c).Advice[0]; !strings.HasPrefix(a.Do, "make the change, ") {
		t.Errorf("%+v", a)
	}
}

// What the file is said to hold is in it: no set of it is the union.
func TestBecauseOfTheUnion(t *testing.T) {
	n := newNode(t)
	n.online("7")
	for _, st := range startOne(t, n.question()).Steps {
		if strings.HasPrefix(st.Error, "current set") && st.Because() != "all sets of the file together are 0-15, but 0-6,8-15 is expected" {
			t.Error(st.Because())
		}
	}
}

// CPUs of which the file says nothing may be a pod's: that is said, and no
// command given.
func TestLostIsNotAdded(t *testing.T) {
	n := newNode(t)
	n.cpu.DefaultCPUSet = "0,2-6,8,10-15"
	q := n.question()
	report := preflight.Explain(q, []preflight.Answer{startOne(t, q)}, preflight.Circumstances{})
	if a := report.Advice[0]; a.Tool != "" || !strings.HasPrefix(a.Do, "CPU 7 is in no set of the file: off before, or held by a pod that was lost from it.") {
		t.Errorf("%+v", a)
	}
}

// Allocated amounts are lost with their file as well, whether it is broken or of
// another release.
func TestPriceOfAllocated(t *testing.T) {
	for _, test := range []struct {
		from, release, edit, code string
	}{
		{"1.37", "1.37", "900m", "state-file-refused"},
		{"1.37", "1.37", "", ""},
		{"1.32", "1.33", "", "state-forgotten"},
	} {
		blob, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "kubelets", "allocated", test.from, "2pods.json"))
		if err != nil {
			t.Fatal(err)
		}
		if test.edit != "" {
			blob = []byte(strings.Replace(string(blob), "500m", test.edit, 1))
		}
		n := newNode(t)
		n.release = test.release
		n.files[preflight.AllocatedPods] = blob
		q := n.question()
		report := preflight.Explain(q, []preflight.Answer{startOne(t, q)}, preflight.Circumstances{})
		if test.code == "" {
			if len(report.Advice) > 0 {
				t.Errorf("%+v", report)
			}
			continue
		}
		if len(report.Advice) != 1 {
			t.Fatalf("%+v", report)
		}
		a := report.Advice[0]
		if a.Code != test.code || !a.Drain || len(a.Lost) != 2 || strings.Contains(a.Deleting, "nothing") || a.Lost[1].Allocated["cpu"] == "" || !strings.Contains(a.Deleting, "2 pods") {
			t.Errorf("%s: %+v", test.release, a)
		}
		for _, way := range a.Instead {
			if strings.Contains(way, "delete") && !strings.HasPrefix(way, "drain") {
				t.Errorf("%s: %q", test.release, way)
			}
		}
	}
}

// A file is adopted also where the sizes of hugepages come or go, and once the
// configuration is corrected.
func TestAdoptIsAdvised(t *testing.T) {
	const pages = `{"sockets":2,"coresPerNuma":4,"threadsPerCore":2,"memoryPerNuma":[8589934592],"hugepages":[[%s]]}`
	for _, test := range []struct {
		name, do string
		prepare  func(n *node)
	}{
		{"a size appears", "stop the kubelet and run ", func(n *node) {
			n.machine = strings.Replace(pages, "%s", `{"pageSizeKiB":2048,"numPages":512},{"pageSizeKiB":1048576,"numPages":0}`, 1)
		}},
		{"a size goes", "stop the kubelet and run ", func(n *node) {
			delete(n.memory.Entries, "p1")
			n.memory.MachineState[0].NumberOfAssignments = 0
			for _, node := range n.memory.MachineState {
				table := node.MemoryMap["memory"] // without pages, all that is not reserved
				table.Allocatable = table.TotalMemSize - table.SystemReserved
				table.Free, table.Reserved = table.Allocatable, 0
				node.MemoryMap["hugepages-2Mi"] = &kubelet.MemoryTable{}
			}
			n.machine = strings.Replace(pages, `"hugepages":[[%s]]`, `"hugepages":[[]]`, 1)
		}},
		{"reserved CPUs that are not there", "correct the configuration first, stop the kubelet and run ", func(n *node) {
			n.config.ReservedSystemCPUs = "0,99"
			n.sizes("8589930496", "512")
		}},
	} {
		n := newNode(t)
		test.prepare(n)
		q := n.question()
		if test.name == "a size goes" {
			delete(q.Files, preflight.CPUManagerState)
		}
		report := preflight.Explain(q, []preflight.Answer{startOne(t, q)}, preflight.Circumstances{})
		at := slices.IndexFunc(report.Advice, func(a preflight.Advice) bool { return a.Code == "memory-changed" })
		if at < 0 || report.Advice[at].Tool == "" || !strings.HasPrefix(report.Advice[at].Do, test.do) {
			t.Errorf("%s: %+v", test.name, report)
		}
	}
}

// The command that is given can be run: what it loses is named, and allowed.
func TestMigrateCommand(t *testing.T) {
	n := newNode(t)
	n.release = "1.31"
	n.files[preflight.DRAManagerState] = recordedFile(t, "dra/1.37/skip-node-ops.json")
	q := n.question()
	q.Releases = []string{"1.29"}
	q.Config.FeatureGates = map[string]bool{"DynamicResourceAllocation": true}
	report := preflight.Explain(q, []preflight.Answer{startOne(t, q)}, preflight.Circumstances{})
	for _, a := range report.Advice {
		if a.File == preflight.DRAManagerState && strings.Contains(a.Tool, " --allow-loss ") && strings.Contains(a.Do, " reads, without ") {
			return
		}
	}
	t.Errorf("%+v", report)
}
