package kubelet

// draV1Handle is a driver's own data, as 1.29 knows it.
type draV1Handle struct {
	DriverName string `json:"driverName,omitempty"`
	Data       string `json:"data,omitempty"`
}

type draV1 = draClassic[draV1Handle]

var draV1Format = draClassicFormat(format{
	id:    FormatID{DRA, "v1"},
	title: "prepared claims with their resource handles",
	shape: `{"version":"v1","entries":[{"DriverName":…,"ClassName":…,"ClaimUID":…,"ClaimName":…,"Namespace":…,"PodUIDs":{POD:{}},` +
		`"ResourceHandles":[{"driverName":…,"data":…}],"CDIDevices":{DRIVER:["ID"]}}],"checksum":N}`,
	source: "pkg/kubelet/cm/dra/state of Kubernetes 1.29 (DRAManagerCheckpoint)",
	writes: []writer{{Span{"1.27", "1.29"}, ""}},
	names:  draClassicNames[draV1Handle](nil),
}, func(h draV1Handle) ClaimHandle {
	return ClaimHandle{DriverName: h.DriverName, Data: h.Data}
}, func(h ClaimHandle) draV1Handle {
	return draV1Handle{h.DriverName, h.Data}
})
