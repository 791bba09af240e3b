package kubelet

var deviceMembers = []member{
	{name: "DeviceIDs", reason: "device/v1 lists ids without their NUMA nodes; who reads it takes all for those of node 0"},
	{name: "PodDeviceEntries", reason: "its AllocResp is no message that this kubelet decodes, so that it drops the entry when it reads the file"},
}

// convertDevice puts all ids on node 0 where the layout has no nodes, as the
// kubelets do that read device/v1.
func convertDevice(content any, from, to *format, _ *environment) (any, error) {
	if to != deviceV1Format {
		return content, nil
	}
	in := content.(*DeviceState)
	out := *in
	out.PodDeviceEntries = each(in.PodDeviceEntries, func(e DeviceEntry) DeviceEntry {
		e.DeviceIDs = DevicesPerNUMA{0: e.DeviceIDs.all()}
		return e
	})
	return &out, nil
}

// holdDevice keeps the entries that the device manager would drop: whoever reads
// the file decides about them.
func holdDevice(content any, _ reader, _ *environment) (any, *refusal) { return content, nil }
