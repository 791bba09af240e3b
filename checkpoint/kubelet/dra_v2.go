package kubelet

import (
	"bytes"

	"github.com/kubeckpt/ckpt/checksum"
)

// draV2 is draV1 with one more field in the handle, for structured parameters.
type draV2 struct {
	Version  string            `json:"version"`
	Entries  draV2Claims       `json:"entries,omitempty"`
	Checksum checksum.Checksum `json:"checksum"`
}

type draV2Claims []draV2Claim

type draV2Claim struct {
	DriverName      string
	ClassName       string
	ClaimUID        draUID
	ClaimName       string
	Namespace       string
	PodUIDs         NameSet
	ResourceHandles []draV2Handle
	CDIDevices      map[string][]string
}

type draV2Handle struct {
	DriverName     string         `json:"driverName,omitempty"`
	Data           string         `json:"data,omitempty"`
	StructuredData *draStructured `json:"structuredData,omitempty"`
}

type draStructured struct {
	VendorClassParameters draRaw      `json:"vendorClassParameters,omitempty"`
	VendorClaimParameters draRaw      `json:"vendorClaimParameters,omitempty"`
	NodeName              string      `json:"nodeName,omitempty"`
	Results               []draResult `json:"results"`
}

type draResult struct {
	VendorRequestParameters draRaw `json:"vendorRequestParameters,omitempty"`
	draModel
}

type draModel struct {
	NamedResources *draNamed `json:"namedResources,omitempty"`
}

type draNamed struct {
	Name string `json:"name"`
}

// draRaw keeps any JSON as it stands in the file.
type draRaw struct {
	Raw    []byte    `json:"-"`
	Object draObject `json:"-"`
}

// draObject is never set by a decoder, but its type is part of the hash.
type draObject interface{ object() }

func (r *draRaw) UnmarshalJSON(b []byte) error {
	if !bytes.Equal(b, []byte("null")) {
		r.Raw = bytes.Clone(b)
	}
	return nil
}

func (r draRaw) MarshalJSON() ([]byte, error) {
	if r.Raw == nil {
		return []byte("null"), nil
	}
	return r.Raw, nil
}

var draV2Names = checksum.Merge(draNames,
	checksum.Name[draV2Claims]("state.ClaimInfoStateList"),
	checksum.Name[draV2Claim]("state.ClaimInfoState"),
	checksum.Name[draV2Handle]("v1alpha2.ResourceHandle"),
	checksum.Name[draStructured]("v1alpha2.StructuredResourceHandle"),
	checksum.Name[draResult]("v1alpha2.DriverAllocationResult"),
	checksum.Name[draModel]("v1alpha2.AllocationResultModel"),
	checksum.Name[draNamed]("v1alpha2.NamedResourcesAllocationResult"),
	checksum.Name[draRaw]("runtime.RawExtension"),
	checksum.Name[draObject]("runtime.Object"),
)

var draV2Format = &format{
	id:    FormatID{DRA, "v2"},
	title: "prepared claims with their resource handles, which may be structured",
	shape: `{"version":"v1","entries":[{…,"ResourceHandles":[{"driverName":…,"data":…,"structuredData":…}],` +
		`"CDIDevices":{DRIVER:["ID"]}}],"checksum":N}`,
	source: "pkg/kubelet/cm/dra/state of Kubernetes 1.30 (DRAManagerCheckpoint)",
	writes: []writer{{Span{"1.30", "1.30"}, ""}},
	fresh:  func() any { return &draV2{Version: "v1", Entries: draV2Claims{}} },
	names:  draV2Names,
	sums: []sum{{
		field: "checksum", algorithm: algFNV,
		stored: of(func(d *draV2) uint64 { return uint64(d.Checksum) }),
		set:    setter(func(d *draV2, v uint64) { d.Checksum = checksum.Checksum(v) }),
		spellings: []spelling{
			dumped[draV2, draV2]("state.DRAManagerCheckpoint", draV2Names, func(d *draV2) any {
				c := *d
				c.Checksum = 0
				return &c
			}),
			withoutHandles(func(d *draV2) draBareClaims {
				out := draBareClaims{}
				for _, c := range d.Entries {
					out = append(out, draBareClaim{c.DriverName, c.ClassName, c.ClaimUID, c.ClaimName, c.Namespace, c.PodUIDs, c.CDIDevices})
				}
				return out
			}),
		},
	}},
	inMemory: func(doc any, yield func(any, string) bool) {
		c := *doc.(*draV2)
		c.Entries = nil
		yield(&c, "a list of claims that was never made was hashed as nil, but is read back as an empty list")
	},
	build: of3(func(st *DRAState, _ string) (any, error) {
		d := &draV2{Version: "v1", Entries: draV2Claims{}}
		for _, c := range st.Claims {
			out := draV2Claim{c.DriverName, c.ClassName, draUID(c.ClaimUID), c.ClaimName, c.Namespace, c.PodUIDs, nil, c.CDIDevices}
			if c.ResourceHandles != nil {
				out.ResourceHandles = []draV2Handle{}
			}
			for _, h := range c.ResourceHandles {
				structured, _ := h.Structured.(*draStructured)
				out.ResourceHandles = append(out.ResourceHandles, draV2Handle{h.DriverName, h.Data, structured})
			}
			d.Entries = append(d.Entries, out)
		}
		return d, nil
	}),
	content: of2(func(d *draV2) (any, error) {
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
				handle := ClaimHandle{DriverName: h.DriverName, Data: h.Data}
				if h.StructuredData != nil {
					handle.Structured = h.StructuredData
				}
				out.ResourceHandles = append(out.ResourceHandles, handle)
			}
			st.Claims = append(st.Claims, out)
		}
		return st, nil
	}),
}
