package kubelet

import (
	"encoding/json"
	"hash/crc32"
	"maps"
	"reflect"
	"slices"
)

// draV3 keeps its document as a string and guards it with a CRC-32 of the
// string's bytes. The document is decoded only after the sum.
type draV3 struct {
	Data     string
	Checksum uint32
}

// draV3Data is the inner document. D is what a release knows of a driver.
type draV3Data[D any] struct {
	draV3TypeMeta
	ClaimInfoStateList draV3Claims[D]
}

type draV3TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

type draV3Claims[D any] []draV3Claim[D]

type draV3Claim[D any] struct {
	ClaimUID    draUID
	ClaimName   string
	Namespace   string
	PodUIDs     NameSet
	DriverState map[string]D
}

// draDriver131 is what 1.31 to 1.34 know.
type draDriver131 struct {
	Devices []draDevice131
}

type draDevice131 struct {
	PoolName     string
	DeviceName   string
	RequestNames []string
	CDIDeviceIDs []string
}

// draDriver135 is what 1.35 and 1.36 know.
type draDriver135 struct {
	Devices []draDevice135
}

type draDevice135 struct {
	PoolName     string
	DeviceName   string
	ShareID      *draUID
	RequestNames []string
	CDIDeviceIDs []string
}

// draDriver137 is what 1.37 knows.
type draDriver137 struct {
	Devices            []draDevice135
	SkipNodeOperations []draSkip `json:"skipNodeOperations,omitempty"`
}

type draSkip string

const draV3Empty = `{"kind":"DRACheckpoint","apiVersion":"checkpoint.dra.kubelet.k8s.io/v1","ClaimInfoStateList":null}`

var draV3Format = &format{
	id:    FormatID{DRA, "v3"},
	title: "prepared claims as a JSON string under a CRC-32",
	shape: `{"Data":"{\"kind\":\"DRACheckpoint\",\"apiVersion\":\"checkpoint.dra.kubelet.k8s.io/v1\",\"ClaimInfoStateList\":[{\"ClaimUID\":…,` +
		`\"ClaimName\":…,\"Namespace\":…,\"PodUIDs\":{POD:{}},\"DriverState\":{DRIVER:{\"Devices\":[…]}}}]}","Checksum":N}`,
	source:    "pkg/kubelet/cm/dra/state of Kubernetes 1.31, 1.35 (ShareID) and 1.37 (skipNodeOperations)",
	writes:    []writer{{Span{From: "1.31"}, ""}},
	fresh:     func() any { return &draV3{Data: draV3Empty, Checksum: crc32.ChecksumIEEE([]byte(draV3Empty))} },
	prefilled: true,
	claims:    of(func(d *draV3) bool { return d.Data != "" && d.Data != draV3Empty }),
	inner:     &innerDoc{"Data", reflect.TypeFor[draV3Data[draDriver137]](), []reflect.Type{reflect.TypeFor[draV3Data[draDriver131]]()}, of(func(d *draV3) string { return d.Data })},
	names:     draV3Names,
	sums: []sum{sumOf("Checksum", algCRC, func(d *draV3) *uint32 { return &d.Checksum },
		dumpedString(func(d *draV3) string { return d.Data }))},
	build: of3(func(st *DRAState, release string) (any, error) {
		switch {
		case (Span{From: "1.37"}).Has(release):
			return buildDRAV3(st, draDriver137Of)
		case (Span{From: "1.35"}).Has(release):
			return buildDRAV3(st, draDriver135Of)
		}
		return buildDRAV3(st, draDriver131Of)
	}),
	content: draV3Content(draDriver137.state),
}

// draV3Content decodes the inner document as a release does that knows D.
func draV3Content[D any](state func(D) DriverState) func(any) (any, error) {
	return of2(func(d *draV3) (any, error) {
		var data draV3Data[D]
		if err := json.Unmarshal([]byte(d.Data), &data); err != nil {
			return nil, &stage{"", err, true}
		}
		st := &DRAState{}
		if data.ClaimInfoStateList != nil {
			st.ClaimInfoStateList = []Claim{}
		}
		for _, c := range data.ClaimInfoStateList {
			claim := Claim{ClaimUID: string(c.ClaimUID), ClaimName: c.ClaimName, Namespace: c.Namespace, PodUIDs: c.PodUIDs}
			if c.DriverState != nil {
				claim.DriverState = make(map[string]DriverState, len(c.DriverState))
			}
			for driver, s := range c.DriverState {
				claim.DriverState[driver] = state(s)
			}
			st.ClaimInfoStateList = append(st.ClaimInfoStateList, claim)
		}
		return st, nil
	})
}

// draV3Limit leaves of each driver what a release knows that knows D.
func draV3Limit[D interface{ state() DriverState }](known func(DriverState) D) func(any) any {
	return func(whole any) any {
		st := *whole.(*DRAState)
		st.ClaimInfoStateList = slices.Clone(st.ClaimInfoStateList)
		for i, c := range st.ClaimInfoStateList {
			drivers := maps.Clone(c.DriverState)
			for driver, s := range drivers {
				drivers[driver] = known(s).state()
			}
			st.ClaimInfoStateList[i].DriverState = drivers
		}
		return &st
	}
}

func (s draDriver131) state() (out DriverState) {
	if s.Devices != nil {
		out.Devices = []ClaimDevice{}
	}
	for _, d := range s.Devices {
		out.Devices = append(out.Devices, ClaimDevice{d.PoolName, d.DeviceName, nil, d.RequestNames, d.CDIDeviceIDs})
	}
	return out
}

func (s draDriver135) state() (out DriverState) {
	if s.Devices != nil {
		out.Devices = []ClaimDevice{}
	}
	for _, d := range s.Devices {
		out.Devices = append(out.Devices, ClaimDevice{d.PoolName, d.DeviceName, (*string)(d.ShareID), d.RequestNames, d.CDIDeviceIDs})
	}
	return out
}

func (s draDriver137) state() DriverState {
	out := draDriver135{s.Devices}.state()
	for _, op := range s.SkipNodeOperations {
		out.SkipNodeOperations = append(out.SkipNodeOperations, string(op))
	}
	return out
}

// buildDRAV3 writes the inner document as a release does that knows D.
func buildDRAV3[D any](st *DRAState, driver func(DriverState) D) (*draV3, error) {
	data := draV3Data[D]{draV3TypeMeta: draV3TypeMeta{"DRACheckpoint", "checkpoint.dra.kubelet.k8s.io/v1"}}
	if st.ClaimInfoStateList != nil {
		data.ClaimInfoStateList = draV3Claims[D]{}
	}
	for _, c := range st.ClaimInfoStateList {
		out := draV3Claim[D]{draUID(c.ClaimUID), c.ClaimName, c.Namespace, c.PodUIDs, nil}
		if c.DriverState != nil {
			out.DriverState = make(map[string]D, len(c.DriverState))
		}
		for name, s := range c.DriverState {
			out.DriverState[name] = driver(s)
		}
		data.ClaimInfoStateList = append(data.ClaimInfoStateList, out)
	}
	text, err := marshalInner(data)
	return &draV3{Data: text}, err
}

func draDriver131Of(s DriverState) (out draDriver131) {
	if s.Devices != nil {
		out.Devices = []draDevice131{}
	}
	for _, d := range s.Devices {
		out.Devices = append(out.Devices, draDevice131{d.PoolName, d.DeviceName, d.RequestNames, d.CDIDeviceIDs})
	}
	return out
}

func draDriver135Of(s DriverState) (out draDriver135) {
	if s.Devices != nil {
		out.Devices = []draDevice135{}
	}
	for _, d := range s.Devices {
		out.Devices = append(out.Devices, draDevice135{d.PoolName, d.DeviceName, (*draUID)(d.ShareID), d.RequestNames, d.CDIDeviceIDs})
	}
	return out
}

func draDriver137Of(s DriverState) draDriver137 {
	out := draDriver137{Devices: draDriver135Of(s).Devices}
	for _, op := range s.SkipNodeOperations {
		out.SkipNodeOperations = append(out.SkipNodeOperations, draSkip(op))
	}
	return out
}
