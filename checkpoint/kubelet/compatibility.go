package kubelet

import "github.com/kubeckpt/ckpt/internal/quantity"

// Compatibility is who reads what which other wrote, for one kind of file.
type Compatibility struct {
	Kind    Kind
	Readers []Kubelet
	Rows    []CompatibilityRow
	Remarks []string // what the rows cannot show
}

// Kubelet is one release with the gates that are on.
type Kubelet struct {
	Release string
	Gates   []string
}

// CompatibilityRow is what a full file of some writers means to each reader.
type CompatibilityRow struct {
	Writers []Kubelet
	Format  string
	Answers []Answer // one for each reader
}

// Compatibilities returns the matrix of each kind. It lets every known kubelet
// write a file that uses every field it knows, and judges that for all others.
func Compatibilities() []Compatibility {
	var out []Compatibility
	for _, k := range tables {
		c := Compatibility{Kind: k.kind, Remarks: k.remarks}
		all := k.readers(&Options{})
		for _, r := range all {
			c.Readers = append(c.Readers, r.plain())
		}
		for _, w := range all {
			f := k.writtenBy(w)
			if f == nil {
				continue
			}
			full := fullest[k.kind](w)
			held, no := k.restore(full, w, &environment{policy: fullPolicy(k, full)})
			if no != nil {
				continue // the sample is consistent: a test holds that
			}
			blob, err := f.encode(held, w.release.Name)
			if err != nil {
				continue
			}
			v := Judge(blob, Options{Kind: k.kind, Containers: fullContainers})
			c.add(w.plain(), f, v.Kubelets)
		}
		out = append(out, c)
	}
	return out
}

// add joins writers whose files are read alike.
func (c *Compatibility) add(w Kubelet, f *format, answers []Answer) {
	for i := range c.Rows {
		row := &c.Rows[i]
		if row.Format == f.id.String() && sameAnswers(row.Answers, answers) {
			row.Writers = append(row.Writers, w)
			return
		}
	}
	c.Rows = append(c.Rows, CompatibilityRow{[]Kubelet{w}, f.id.String(), answers})
}

func sameAnswers(a, b []Answer) bool {
	for i := range a {
		if a[i].Verdict != b[i].Verdict || a[i].Error != b[i].Error || len(a[i].Lost) != len(b[i].Lost) {
			return false
		}
	}
	return true
}

func (r reader) plain() Kubelet {
	k := Kubelet{Release: r.release.Name}
	for _, g := range []string{GatePodLevelResourceManagers, GateExclusiveCPUResize} {
		if r.on(g) {
			k.Gates = append(k.Gates, g)
		}
	}
	return k
}

func fullPolicy(k *kindTable, content any) string {
	if k.policy == nil {
		return ""
	}
	return k.policy(content)
}

const (
	fullPod       = "922acc1f-d886-5cc8-b44f-9ca08bae216a"
	fullContainer = "cdc2c5cc531dd48bceb064e5411259a46bd8b8e70974fce10a36"
)

var fullContainers = map[string]ContainerRef{fullContainer: {fullPod, "app"}}

// fullest is, for each kind, content that uses every field that some release
// knows.
var fullest = map[Kind]func(reader) any{
	CPU: func(w reader) any {
		if (Span{To: "1.17"}).Has(w.release.Name) {
			return &CPUState{PolicyName: "static", DefaultCPUSet: "0,4-7", Containers: map[string]string{fullContainer: "1-3"}}
		}
		return &CPUState{
			PolicyName: "static", DefaultCPUSet: "0,6-7",
			Entries:    map[string]map[string]string{fullPod: {"app": "1-3"}},
			PodEntries: map[string]string{fullPod: "1-5"},
			Baselines:  map[string]map[string]string{fullPod: {"app": "1-2"}},
		}
	},
	Memory: func(reader) any {
		block := []Block{{NUMAAffinity: []int{0}, Type: "memory", Size: 1 << 30}}
		return &MemoryState{
			PolicyName: "Static",
			MachineState: NUMANodes{0: {NumberOfAssignments: 1, Cells: []int{0}, MemoryMap: map[ResourceName]*MemoryTable{
				"memory": {TotalMemSize: 8 << 30, SystemReserved: 1 << 30, Allocatable: 7 << 30, Reserved: 1 << 30, Free: 6 << 30},
			}}},
			Entries:    ContainerMemory{fullPod: {"app": block}},
			PodEntries: PodsMemory{fullPod: {block}},
		}
	},
	Device: func(reader) any {
		return &DeviceState{
			PodDeviceEntries: []DeviceEntry{{fullPod, "app", "example.com/gpu", DevicesPerNUMA{1: {"gpu-0"}}, []byte{}}},
			RegisteredDevices: map[string][]string{
				"example.com/gpu": {"gpu-0", "gpu-1"},
			},
		}
	},
	DRA: func(w reader) any {
		pods := NameSet{fullPod: {}}
		if (Span{To: "1.30"}).Has(w.release.Name) {
			return &DRAState{Claims: []ClassicClaim{{
				DriverName: "gpu.example.com", ClassName: "gpu", ClaimUID: "c1", ClaimName: "claim", Namespace: "default", PodUIDs: pods,
				ResourceHandles: []ClaimHandle{{DriverName: "gpu.example.com", Data: "handle"}},
				CDIDevices:      map[string][]string{"gpu.example.com": {"example.com/gpu=gpu-0"}},
			}}}
		}
		share := "share-1"
		return &DRAState{ClaimInfoStateList: []Claim{{
			ClaimUID: "c1", ClaimName: "claim", Namespace: "default", PodUIDs: pods,
			DriverState: map[string]DriverState{"gpu.example.com": {
				Devices:            []ClaimDevice{{"pool", "gpu-0", &share, []string{"request"}, []string{"example.com/gpu=gpu-0"}}},
				SkipNodeOperations: []string{"NodePrepareResources"},
			}},
		}}}
	},
	Allocated: func(w reader) any {
		cpu, _ := quantity.Parse("500m")
		memory, _ := quantity.Parse("1Gi")
		list := ResourceList{"cpu": cpu, "memory": memory}
		switch {
		case (Span{To: "1.31"}).Has(w.release.Name):
			return &AllocatedState{Lists: map[string]map[string]ResourceList{fullPod: {"app": list}},
				ResizeStatus: map[string]string{fullPod: "InProgress"}}
		case (Span{To: "1.32"}).Has(w.release.Name):
			return &AllocatedState{Containers: map[string]map[string]Requirements{fullPod: {"app": {Limits: list, Requests: list}}}}
		}
		return &AllocatedState{Pods: map[string]PodResources{fullPod: {
			ContainerResources:   map[string]Requirements{"app": {Limits: list, Requests: list}},
			PodLevelResources:    &Requirements{Limits: list, Requests: list},
			EmptyDirVolumeLimits: map[string]*quantity.Quantity{"scratch": &memory},
		}}}
	},
}
