package kubelet

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checksum"
)

// deviceV1 lists a container's device ids without their NUMA nodes.
type deviceV1 struct {
	Data     deviceV1Data
	Checksum checksum.Checksum
}

type deviceV1Data struct {
	PodDeviceEntries  []deviceV1Entry
	RegisteredDevices map[string][]string
}

type deviceV1Entry struct {
	PodUID        string
	ContainerName string
	ResourceName  string
	DeviceIDs     []string
	AllocResp     []byte
}

var deviceV1Names = checksum.Name[deviceV1Entry]("checkpoint.PodDevicesEntry")

var deviceV1Format = &format{
	id:    FormatID{Device, "v1"},
	title: "devices of each container as lists of ids",
	shape: `{"Data":{"PodDeviceEntries":[{"PodUID":…,"ContainerName":…,"ResourceName":…,"DeviceIDs":["ID"],` +
		`"AllocResp":BASE64}],"RegisteredDevices":{RESOURCE:["ID"]}},"Checksum":N}`,
	source: "pkg/kubelet/cm/devicemanager/checkpoint of Kubernetes 1.13 (Data), 1.30 (DataV1)",
	writes: []writer{{Span{"1.10", "1.19"}, ""}},
	fresh: func() any {
		return &deviceV1{Data: deviceV1Data{PodDeviceEntries: []deviceV1Entry{}, RegisteredDevices: map[string][]string{}}}
	},
	names: deviceV1Names,
	sums: []sum{sumOf("Checksum", algFNV, func(d *deviceV1) *checksum.Checksum { return &d.Checksum },
		dumped[deviceV1, deviceV1Data]("checkpoint.checkpointData", deviceV1Names, func(d *deviceV1) any { return d.Data }),
		deviceV1Renamed,
	)},
	build: of3(func(st *DeviceState, _ string) (any, error) {
		entries := each(st.PodDeviceEntries, func(e DeviceEntry) deviceV1Entry {
			return deviceV1Entry{e.PodUID, e.ContainerName, e.ResourceName, e.DeviceIDs.all(), e.AllocResp}
		})
		return &deviceV1{Data: deviceV1Data{entries, st.RegisteredDevices}}, nil
	}),
	content: of2(func(d *deviceV1) (any, error) {
		entries := each(d.Data.PodDeviceEntries, func(e deviceV1Entry) DeviceEntry {
			return DeviceEntry{e.PodUID, e.ContainerName, e.ResourceName, DevicesPerNUMA{0: e.DeviceIDs}, e.AllocResp}
		})
		return &DeviceState{entries, d.Data.RegisteredDevices}, nil
	}),
}

// deviceV1Renamed is the text that 1.20 to 1.30 hash. They turn their own type
// names into the old ones by replacing them in the whole text, and so also
// where a pod or a device is called like that.
var deviceV1Renamed = spelling{
	typeName: "checkpoint.checkpointDataV1",
	value: func(doc any) (any, checksum.Names) {
		return doc.(*deviceV1).Data, checksum.Merge(deviceV1Names, checksum.Name[deviceV1Data]("checkpoint.checkpointData"))
	},
	rewrite: func(text string) string { return strings.ReplaceAll(text, "PodDevicesEntryV1", "PodDevicesEntry") },
}

// all returns the ids of every node, in the order of the nodes.
func (ids DevicesPerNUMA) all() (out []string) {
	for _, node := range slices.Sorted(maps.Keys(ids)) {
		if out == nil && ids[node] != nil {
			out = []string{} // null and an empty list are hashed differently
		}
		out = append(out, ids[node]...)
	}
	return out
}
