package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// deviceV2 lists a container's device ids by NUMA node. Only Data is hashed,
// and by value.
type deviceV2 struct {
	Data     deviceV2Data
	Checksum checksum.Checksum
}

type deviceV2Data struct {
	PodDeviceEntries  []DeviceEntry
	RegisteredDevices map[string][]string
}

var deviceV2Names = checksum.Merge(
	checksum.Name[DeviceEntry]("checkpoint.PodDevicesEntry"),
	checksum.Name[DevicesPerNUMA]("checkpoint.DevicesPerNUMA"),
)

var deviceV2Format = &format{
	id:    FormatID{Device, "v2"},
	title: "devices of each container by NUMA node",
	shape: `{"Data":{"PodDeviceEntries":[{"PodUID":…,"ContainerName":…,"ResourceName":…,"DeviceIDs":{"0":["ID"]},` +
		`"AllocResp":BASE64}],"RegisteredDevices":{RESOURCE:["ID"]}},"Checksum":N}`,
	source: "pkg/kubelet/cm/devicemanager/checkpoint of Kubernetes 1.29 and 1.37 (Data)",
	writes: []writer{{Span{From: "1.20"}, ""}},
	fresh: func() any {
		return &deviceV2{Data: deviceV2Data{PodDeviceEntries: []DeviceEntry{}, RegisteredDevices: map[string][]string{}}}
	},
	names: deviceV2Names,
	sums: []sum{sumOf("Checksum", algFNV, func(d *deviceV2) *checksum.Checksum { return &d.Checksum },
		dumped[deviceV2, deviceV2Data]("checkpoint.checkpointData", deviceV2Names, func(d *deviceV2) any { return d.Data }),
	)},
	build: of3(func(st *DeviceState, _ string) (any, error) {
		return &deviceV2{Data: deviceV2Data{st.PodDeviceEntries, st.RegisteredDevices}}, nil
	}),
	content: of2(func(d *deviceV2) (any, error) {
		return &DeviceState{PodDeviceEntries: d.Data.PodDeviceEntries, RegisteredDevices: d.Data.RegisteredDevices}, nil
	}),
}
