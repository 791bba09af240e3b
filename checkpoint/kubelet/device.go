package kubelet

import (
	"bytes"
	"fmt"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/internal/allocresp"
)

var deviceTable = kindTable{
	kind:    Device,
	formats: []*format{deviceV2Format, deviceV1Format},
	paths: []path{
		{span: Span{"1.10", "1.19"}, attempts: []attempt{
			{format: deviceV1Format, types: deviceDocNames, sums: []string{"checkpoint.checkpointData"}},
		}},
		{span: Span{"1.20", "1.30"}, reportsFirst: true, attempts: []attempt{
			{format: deviceV2Format, types: deviceDocNames, sums: []string{"checkpoint.checkpointData"}},
			{format: deviceV1Format, types: deviceDocNames, sums: []string{"checkpoint.checkpointDataV1"}},
		}},
		{span: Span{From: "1.31"}, attempts: []attempt{
			{format: deviceV2Format, types: deviceDocNames, sums: []string{"checkpoint.checkpointData"}},
		}},
	},
	refusal: func(r reader, file, err string) string { return err },
	restore: restoreDevice,
	lost:    lostDevice,
	convert: convertDevice,
	hold:    holdDevice,
	members: deviceMembers,
	check:   checkDevice,
}

var deviceDocNames = checksum.Merge(
	checksum.Name[deviceV1]("checkpoint.Data"),
	checksum.Name[deviceV1Data]("checkpoint.checkpointData"),
	checksum.Name[deviceV2]("checkpoint.Data"),
	checksum.Name[deviceV2Data]("checkpoint.checkpointData"),
)

// dialect is how r decodes an AllocResp.
func (r reader) dialect() allocresp.Dialect {
	switch {
	case (Span{To: "1.27"}).Has(r.release.Name):
		return allocresp.GogoNoCDI
	case (Span{To: "1.33"}).Has(r.release.Name):
		return allocresp.Gogo
	}
	return allocresp.Google
}

// restoreDevice drops the entries whose AllocResp does not decode: the device
// manager logs an error for each and goes on.
func restoreDevice(content any, r reader, env *environment) (any, *refusal) {
	in := content.(*DeviceState)
	st := &DeviceState{RegisteredDevices: in.RegisteredDevices}
	for i, e := range in.PodDeviceEntries {
		_, err := allocresp.Decode(e.AllocResp, r.dialect())
		switch {
		case err != nil:
		case len(st.PodDeviceEntries) == i: // nothing was dropped so far
			st.PodDeviceEntries = in.PodDeviceEntries[: i+1 : i+1]
		default:
			st.PodDeviceEntries = append(st.PodDeviceEntries, e)
		}
	}
	return st, nil
}

// lostDevice names the entries of full that restoreDevice dropped.
func lostDevice(full, state any) []string {
	kept := state.(*DeviceState).PodDeviceEntries
	var lost []string
	for i, e := range full.(*DeviceState).PodDeviceEntries {
		if len(kept) > 0 && sameEntry(e, kept[0]) {
			kept = kept[1:]
			continue
		}
		lost = append(lost, fmt.Sprintf("Data.PodDeviceEntries[%d]", i))
	}
	return lost
}

func sameEntry(a, b DeviceEntry) bool {
	return a.PodUID == b.PodUID && a.ContainerName == b.ContainerName && a.ResourceName == b.ResourceName &&
		bytes.Equal(a.AllocResp, b.AllocResp) && len(a.DeviceIDs) == len(b.DeviceIDs)
}
