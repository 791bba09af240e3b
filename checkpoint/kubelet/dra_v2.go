package kubelet

import (
	"bytes"

	"github.com/kubeckpt/ckpt/checksum"
)

// draV2Handle is a driver's own data, as 1.30 knows it.
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
	AllocationResultModel
}

// AllocationResultModel is part of a claim's structured parameters in 1.30. It
// is embedded, and the dump shows the name of an embedded type as a field.
type AllocationResultModel struct {
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

type draV2 = draClassic[draV2Handle]

var draV2Format = draClassicFormat(format{
	id:    FormatID{DRA, "v2"},
	title: "prepared claims with their resource handles, which may be structured",
	shape: `{"version":"v1","entries":[{…,"ResourceHandles":[{"driverName":…,"data":…,"structuredData":…}],` +
		`"CDIDevices":{DRIVER:["ID"]}}],"checksum":N}`,
	source: "pkg/kubelet/cm/dra/state of Kubernetes 1.30 (DRAManagerCheckpoint)",
	writes: []writer{{Span{"1.30", "1.30"}, ""}},
	names: draClassicNames[draV2Handle](checksum.Merge(
		checksum.Name[draStructured]("v1alpha2.StructuredResourceHandle"),
		checksum.Name[draResult]("v1alpha2.DriverAllocationResult"),
		checksum.Name[AllocationResultModel]("v1alpha2.AllocationResultModel"),
		checksum.Name[draNamed]("v1alpha2.NamedResourcesAllocationResult"),
		checksum.Name[draRaw]("runtime.RawExtension"),
		checksum.Name[draObject]("runtime.Object"),
	)),
}, func(h draV2Handle) ClaimHandle {
	out := ClaimHandle{DriverName: h.DriverName, Data: h.Data}
	if h.StructuredData != nil {
		out.Structured = h.StructuredData
	}
	return out
}, func(h ClaimHandle) draV2Handle {
	structured, _ := h.Structured.(*draStructured)
	return draV2Handle{h.DriverName, h.Data, structured}
})
