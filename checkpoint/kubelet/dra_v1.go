package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// draV1 is the state of kubelet 1.29 as a plain struct. In 1.30 the handle got
// one more field, which changed the hash and nothing else: that is draV2.
type draV1 struct {
	Version  string            `json:"version"`
	Entries  draV1Claims       `json:"entries,omitempty"`
	Checksum checksum.Checksum `json:"checksum"`
}

type draV1Claims []draV1Claim

type draV1Claim struct {
	DriverName      string
	ClassName       string
	ClaimUID        draUID
	ClaimName       string
	Namespace       string
	PodUIDs         NameSet
	ResourceHandles []draV1Handle
	CDIDevices      map[string][]string
}

type draV1Handle struct {
	DriverName string `json:"driverName,omitempty"`
	Data       string `json:"data,omitempty"`
}

var draV1Names = checksum.Merge(draNames,
	checksum.Name[draV1Claims]("state.ClaimInfoStateList"),
	checksum.Name[draV1Claim]("state.ClaimInfoState"),
	checksum.Name[draV1Handle]("v1alpha2.ResourceHandle"),
)

var draV1Format = &format{
	id:    FormatID{DRA, "v1"},
	title: "prepared claims with their resource handles",
	shape: `{"version":"v1","entries":[{"DriverName":…,"ClassName":…,"ClaimUID":…,"ClaimName":…,"Namespace":…,"PodUIDs":{POD:{}},` +
		`"ResourceHandles":[{"driverName":…,"data":…}],"CDIDevices":{DRIVER:["ID"]}}],"checksum":N}`,
	source: "pkg/kubelet/cm/dra/state of Kubernetes 1.29 (DRAManagerCheckpoint)",
	writes: []writer{{Span{"1.27", "1.29"}, ""}},
	fresh:  func() any { return &draV1{Version: "v1", Entries: draV1Claims{}} },
	names:  draV1Names,
	sums: []sum{{
		field: "checksum", algorithm: algFNV,
		stored: of(func(d *draV1) uint64 { return uint64(d.Checksum) }),
		set:    setter(func(d *draV1, v uint64) { d.Checksum = checksum.Checksum(v) }),
		spellings: []spelling{
			dumped[draV1, draV1]("state.DRAManagerCheckpoint", draV1Names, func(d *draV1) any {
				c := *d
				c.Checksum = 0
				return &c
			}),
			withoutHandles(func(d *draV1) draBareClaims {
				out := draBareClaims{}
				for _, c := range d.Entries {
					out = append(out, draBareClaim{c.DriverName, c.ClassName, c.ClaimUID, c.ClaimName, c.Namespace, c.PodUIDs, c.CDIDevices})
				}
				return out
			}),
		},
	}},
	inMemory: func(doc any, yield func(any, string) bool) {
		c := *doc.(*draV1)
		c.Entries = nil
		yield(&c, "a list of claims that was never made was hashed as nil, but is read back as an empty list")
	},
	build: of3(func(st *DRAState, _ string) (any, error) {
		d := &draV1{Version: "v1", Entries: draV1Claims{}}
		for _, c := range st.Claims {
			out := draV1Claim{c.DriverName, c.ClassName, draUID(c.ClaimUID), c.ClaimName, c.Namespace, c.PodUIDs, nil, c.CDIDevices}
			if c.ResourceHandles != nil {
				out.ResourceHandles = []draV1Handle{}
			}
			for _, h := range c.ResourceHandles {
				out.ResourceHandles = append(out.ResourceHandles, draV1Handle{h.DriverName, h.Data})
			}
			d.Entries = append(d.Entries, out)
		}
		return d, nil
	}),
	content: of2(func(d *draV1) (any, error) {
		st := &DRAState{}
		if d.Entries != nil {
			st.Claims = []ClassicClaim{}
		}
		for _, c := range d.Entries {
			out := classicClaim(c.DriverName, c.ClassName, c.ClaimUID, c.ClaimName, c.Namespace, c.PodUIDs, c.CDIDevices)
			if c.ResourceHandles != nil {
				out.ResourceHandles = []ClaimHandle{}
			}
			for _, h := range c.ResourceHandles {
				out.ResourceHandles = append(out.ResourceHandles, ClaimHandle{DriverName: h.DriverName, Data: h.Data})
			}
			st.Claims = append(st.Claims, out)
		}
		return st, nil
	}),
}
