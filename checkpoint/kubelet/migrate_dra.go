package kubelet

import (
	"maps"
	"slices"
)

var draMembers = []member{
	{name: "ShareID", span: Span{From: "1.35"}},
	{name: "skipNodeOperations", span: Span{From: "1.37"}},
	{name: "structuredData", reason: "only kubelet 1.30 keeps it"},
	{name: "ResourceHandles", reason: "dra/v3 keeps no data of drivers"},
	{name: "ClassName", reason: "dra/v3 keeps no class"},
	{name: "DriverName", reason: "dra/v3 names the drivers of a claim, and none of them first"},
	{name: "Devices", reason: "dra/v1 and dra/v2 keep the CDI ids of a driver's devices alone"},
	{name: "DriverState", reason: "dra/v1 and dra/v2 keep a claim's drivers and CDI ids alone"},
}

// convertDRA changes between the claims of 1.29 and 1.30 and those of later
// kubelets, which no kubelet does. What both have is who uses a claim, its
// drivers, and the CDI ids that each gives to containers.
func convertDRA(content any, from, to *format, _ *environment) (any, error) {
	in := content.(*DRAState)
	switch {
	case (from == draV3Format) == (to == draV3Format):
		return content, nil
	case to == draV3Format:
		return &DRAState{ClaimInfoStateList: each(in.Claims, modernClaim)}, nil
	}
	return &DRAState{Claims: each(in.ClaimInfoStateList, classicClaim)}, nil
}

func modernClaim(c ClassicClaim) Claim {
	out := Claim{ClaimUID: c.ClaimUID, ClaimName: c.ClaimName, Namespace: c.Namespace, PodUIDs: c.PodUIDs}
	drivers := map[string]DriverState{}
	if c.DriverName != "" {
		drivers[c.DriverName] = DriverState{}
	}
	for _, h := range c.ResourceHandles {
		if h.DriverName != "" {
			drivers[h.DriverName] = DriverState{}
		}
	}
	for driver, ids := range c.CDIDevices {
		drivers[driver] = DriverState{}
		if len(ids) > 0 {
			drivers[driver] = DriverState{Devices: []ClaimDevice{{CDIDeviceIDs: ids}}}
		}
	}
	if len(drivers) > 0 {
		out.DriverState = drivers
	}
	return out
}

func classicClaim(c Claim) ClassicClaim {
	out := ClassicClaim{ClaimUID: c.ClaimUID, ClaimName: c.ClaimName, Namespace: c.Namespace, PodUIDs: c.PodUIDs}
	drivers := slices.Sorted(maps.Keys(c.DriverState))
	for i, driver := range drivers {
		if i == 0 {
			out.DriverName = driver
		}
		if len(drivers) > 1 {
			// A kubelet asks the driver of each handle to release a claim.
			out.ResourceHandles = append(out.ResourceHandles, ClaimHandle{DriverName: driver})
		}
		var ids []string
		for _, d := range c.DriverState[driver].Devices {
			ids = append(ids, d.CDIDeviceIDs...)
		}
		if len(ids) == 0 {
			continue
		}
		if out.CDIDevices == nil {
			out.CDIDevices = map[string][]string{}
		}
		out.CDIDevices[driver] = ids
	}
	return out
}
