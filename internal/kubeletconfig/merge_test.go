package kubeletconfig

import (
	"encoding/json"
	"strings"
	"testing"
)

const kind = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"

// plain is a document without apiVersion and kind, in the order of its keys.
func plain(t *testing.T, doc []byte) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(doc, &m); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	delete(m, "apiVersion")
	delete(m, "kind")
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestMerge(t *testing.T) {
	for _, test := range []struct {
		name    string
		main    string // "" for no file
		dropIns []string
		flags   string
		sets    []string
		want    string
	}{
		{"nothing", "", nil, "", nil, `{}`},
		{"YAML", kind + "cpuManagerPolicy: static\nsystemReserved: {cpu: 500m, memory: 1Gi}", nil, "", nil,
			`{"cpuManagerPolicy":"static","systemReserved":{"cpu":"500m","memory":"1Gi"}}`},
		{"JSON as it is", `{"cpuManagerPolicy": "static", "x": 1e3}`, nil, "", nil, `{"cpuManagerPolicy":"static","x":1000}`},
		{"aliases", kind + "systemReserved: &r {cpu: '1'}\nkubeReserved: *r", nil, "", nil,
			`{"kubeReserved":{"cpu":"1"},"systemReserved":{"cpu":"1"}}`},
		{"drop-ins in order", kind + "cpuManagerPolicy: none\nkubeReserved: {cpu: '1', memory: 1Gi}\nreservedMemory: [{numaNode: 0}]\nevictionHard: {}",
			[]string{kind + "cpuManagerPolicy: static\nkubeReserved: {cpu: '2'}", kind + "kubeReserved: {memory: null, pid: '5'}\nreservedMemory: [{numaNode: 1}]"}, "", nil,
			`{"cpuManagerPolicy":"static","evictionHard":{},"kubeReserved":{"cpu":"2","pid":"5"},"reservedMemory":[{"numaNode":1}]}`},
		{"the threshold is filled in before the drop-ins", kind, []string{kind + "evictionHard: {nodefs.available: 5%}"}, "", nil,
			`{"evictionHard":{"memory.available":"100Mi","nodefs.available":"5%"}}`},
		{"but not without a file", "", []string{kind + "evictionHard: {nodefs.available: 5%}"}, "", nil,
			`{"evictionHard":{"nodefs.available":"5%"}}`},
		{"merging thresholds is for the file to ask", kind + "evictionHard: {}", []string{kind + "mergeDefaultEvictionSettings: true"}, "", nil,
			`{"evictionHard":{}}`},
		{"flags come last", kind + "cpuManagerPolicy: none\nsystemReserved: {cpu: '1'}\nfeatureGates: {A: true, B: true}", []string{kind + "cpuManagerPolicy: none"},
			"--cpu-manager-policy=static --system-reserved memory=1Gi --feature-gates=B=false,C=true", nil,
			`{"cpuManagerPolicy":"static","evictionHard":{"memory.available":"100Mi"},"featureGates":{"A":true,"B":false,"C":true},"systemReserved":{"memory":"1Gi"}}`},
		{"all flags", "", nil, `kubelet --cpu-manager-policy "static" --cpu-manager-policy-options full-pcpus-only=true --cpu-manager-policy-options=a=b,c
			--reserved-cpus 0-3 --memory_manager_policy Static --reserved-memory "0:memory=1Gi,hugepages-2Mi=2Mi;1:memory=1Gi" --reserved-memory '2:memory=1'
			--topology-manager-policy restricted --topology-manager-scope=pod --topology-manager-policy-options prefer-closest-numa-nodes=true
			--kube-reserved cpu=1,memory=1Gi --system-reserved-cgroup=/s --kube-reserved-cgroup=/k --eviction-hard "memory.available<1Gi,nodefs.available<10%"
			--experimental-allocatable-ignore-eviction`, nil,
			`{"cpuManagerPolicy":"static","cpuManagerPolicyOptions":{"a":"b,c","full-pcpus-only":"true"},"evictionHard":{"memory.available":"1Gi","nodefs.available":"10%"},` +
				`"kubeReserved":{"cpu":"1","memory":"1Gi"},"kubeReservedCgroup":"/k","memoryManagerPolicy":"Static",` +
				`"reservedMemory":[{"limits":{"hugepages-2Mi":"2Mi","memory":"1Gi"},"numaNode":0},{"limits":{"memory":"1Gi"},"numaNode":1},{"limits":{"memory":"1"},"numaNode":2}],` +
				`"reservedSystemCPUs":"0-3","systemReservedCgroup":"/s","topologyManagerPolicy":"restricted","topologyManagerPolicyOptions":{"prefer-closest-numa-nodes":"true"},` +
				`"topologyManagerScope":"pod","x-ignoreEvictionThreshold":true}`},
		{"settings come after flags", kind + "systemReserved: {cpu: '1', memory: 1Gi}\nkubeReserved: {cpu: '1'}", nil, "--cpu-manager-policy none",
			[]string{"cpuManagerPolicy=static", "reservedSystemCPUs=0", "systemReserved.cpu=2", "evictionHard.memory.available=1Gi", "featureGates.A=true",
				"cpuManagerPolicyOptions.full-pcpus-only=true", `reservedMemory=[{"numaNode":0}]`, "kubeReserved=null", "memory-manager-policy=Static"},
			`{"cpuManagerPolicy":"static","cpuManagerPolicyOptions":{"full-pcpus-only":"true"},"evictionHard":{"memory.available":"1Gi"},"featureGates":{"A":true},` +
				`"memoryManagerPolicy":"Static","reservedMemory":[{"numaNode":0}],"reservedSystemCPUs":"0","systemReserved":{"cpu":"2","memory":"1Gi"}}`},
	} {
		flags, err := ParseFlags(test.flags)
		if err != nil || flags.Broken != "" {
			t.Errorf("%s: %v %s", test.name, err, flags.Broken)
		}
		for _, s := range test.sets {
			key, value, _ := strings.Cut(s, "=")
			if err := flags.Set(key, value); err != nil {
				t.Errorf("%s: %s: %v", test.name, s, err)
			}
		}
		var main *File
		if test.main != "" {
			main = &File{"config.yaml", []byte(test.main)}
		}
		var dropIns []File
		for _, d := range test.dropIns {
			dropIns = append(dropIns, File{"x.conf", []byte(d)})
		}
		m := Merge(main, dropIns, flags)
		if m.Broken != "" || len(m.Notes) > 0 {
			t.Errorf("%s: %q %q", test.name, m.Broken, m.Notes)
		}
		if got := plain(t, m.JSON); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// What a JSON file says twice is for the judge to see.
func TestMergeLeavesJSONAlone(t *testing.T) {
	const doc = `{"cpuManagerPolicy":"none", "unheard":[1], "cpuManagerPolicy":"static"}`
	m := Merge(&File{"c", []byte(doc)}, nil, Flags{})
	if string(m.JSON) != doc {
		t.Errorf("%s", m.JSON)
	}
	flags, _ := ParseFlags("--reserved-cpus=1")
	m = Merge(&File{"c", []byte(doc)}, nil, flags)
	if want := `{"cpuManagerPolicy":"none","unheard":[1],"cpuManagerPolicy":"static","reservedSystemCPUs":"1"}`; string(m.JSON) != want {
		t.Errorf("%s", m.JSON)
	}
}

func TestMergeTells(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [*" + strings.TrimSuffix(strings.Repeat(p+",*", 10), ",*") + "]\n"
	}
	long := "a: &a " + strings.Repeat("x", 500<<10) + "\nb: [" + strings.Repeat("*a,", 1000) + "]\n"
	for _, test := range []struct {
		name, main, dropIn, flags string
		broken, note              string
	}{
		{"not YAML", "a: b: c", "", "", "failed to load Kubelet config file c, error failed to decode: yaml: mapping values are not allowed in this context", ""},
		{"too long", strings.Repeat("#", MaxSize+1), "", "", "c: the document is too large to be judged here: it has 1048577 bytes, more than 1048576", ""},
		{"aliases of aliases", bomb, "", "", "failed to load Kubelet config file c, error failed to decode: yaml: document contains excessive aliasing", ""},
		{"aliases of much", long, "", "", "c: the document is too large to be judged here: its aliases stand for more than 8388608 bytes", ""},
		{"a key twice", "a: 1\na: 2", "", "", "", `c: yaml: line 2: key "a" already set in map: the kubelet logs that and takes the last`},
		{"a drop-in without kind", "", "a: 1", "", "failed to load kubelet dropin file, path: d.conf, error: no apiVersion/kind of a KubeletConfiguration", ""},
		{"a drop-in that is a list", "", "- 1", "", "failed to load kubelet dropin file, path: d.conf, error: it is not an object", ""},
		{"a flag without value", "", "", "--cpu-manager-policy", "failed to parse kubelet flag: flag needs an argument: --cpu-manager-policy", ""},
		{"a bad flag", "", "", "--reserved-memory 0", `failed to parse kubelet flag: invalid argument "0" for "--reserved-memory" flag: the reserved memory has incorrect format, expected numaNodeID:type=quantity[,type=quantity...], got 0`, ""},
	} {
		flags, err := ParseFlags(test.flags)
		if err != nil {
			t.Error(err)
		}
		var dropIns []File
		if test.dropIn != "" {
			dropIns = []File{{"d.conf", []byte(test.dropIn)}}
		}
		m := Merge(&File{"c", []byte(test.main)}, dropIns, flags)
		if test.main == "" {
			m = Merge(nil, dropIns, flags)
		}
		note := strings.Join(m.Notes, "; ")
		if m.Broken != test.broken || note != test.note {
			t.Errorf("%s: %q %q\nwant %q %q", test.name, m.Broken, note, test.broken, test.note)
		}
	}
}

func TestNoKind(t *testing.T) {
	for doc, want := range map[string]int{kind: 0, "a: 1": 1, "kind: KubeletConfiguration": 1,
		`{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration"}`: 0} {
		if m := Merge(&File{"c", []byte(doc)}, nil, Flags{}); len(m.NoKind) != want {
			t.Errorf("%q: %q", doc, m.NoKind)
		}
	}
}

// A document that says to be something else is none, and what a kubelet says of
// it is known but for the end.
func TestRefusedKind(t *testing.T) {
	const load = "failed to load Kubelet config file /c, error "
	for doc, want := range map[string]string{
		"":                                 load + `kubelet config file "/c" was empty`,
		"# nothing":                        load + "failed to decode: Object 'Kind' is missing in 'null'",
		"kind: Pod\napiVersion: v1":        load + `failed to decode: no kind "Pod" is registered for version "v1"`,
		`{"kind":"Pod","apiVersion":"v1"}`: load + `failed to decode: no kind "Pod" is registered for version "v1"`,
		"kind: KubeletConfiguration\napiVersion: v1":                             load + `failed to decode: no kind "KubeletConfiguration" is registered for version "v1"`,
		"kind: KubeletConfiguration\napiVersion: kubelet.config.k8s.io/v1alpha1": load + `failed to decode: no kind "KubeletConfiguration" is registered for version "kubelet.config.k8s.io/v1alpha1"`,
		"kind: kubeletconfiguration\napiVersion: kubelet.config.k8s.io/v1beta1":  load + `failed to decode: no kind "kubeletconfiguration" is registered for version "kubelet.config.k8s.io/v1beta1"`,
		"kind: KubeletConfiguration\napiVersion: a/b/c":                          load + "failed to decode: unexpected GroupVersion string: a/b/c",
		"kind: 5":           load + "failed to decode: couldn't get version/kind: kind is 5",
		kind:                "",
		"kind: Pod":         "",
		"apiVersion: 1.0.0": "",
	} {
		m := Merge(&File{"/c", []byte(doc)}, nil, Flags{})
		own := strings.Contains(want, "no kind") || strings.Contains(want, "couldn't get")
		if m.Broken != want || m.Own != own {
			t.Errorf("%q: %q %t, want %q %t", doc, m.Broken, m.Own, want, own)
		}
	}
	for _, doc := range []string{"", "kind: Pod\napiVersion: v1", "a: 1"} {
		if m := Merge(nil, []File{{"x.conf", []byte(doc)}}, Flags{}); !strings.HasPrefix(m.Broken, "failed to load kubelet dropin file, path: x.conf, ") || !m.Own {
			t.Errorf("%q: %q %t", doc, m.Broken, m.Own)
		}
	}
}
