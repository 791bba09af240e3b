package kubelet

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/internal/allocresp"
)

const (
	codeDeviceTwice   = "device-held-twice"
	codeNotRegistered = "device-not-registered"
	codeAllocResp     = "allocresp-invalid"
)

// checkDevice looks for devices that are given out twice or unknown, and for
// entries that a kubelet would drop.
func checkDevice(content any, add func(Finding)) {
	st := content.(*DeviceState)
	registered := map[string]map[string]bool{}
	for resource, ids := range st.RegisteredDevices {
		set := make(map[string]bool, len(ids))
		for _, id := range ids {
			set[id] = true
		}
		registered[resource] = set
	}
	type device struct{ resource, id string }
	owner := map[device]string{}
	for i, e := range st.PodDeviceEntries {
		path := fmt.Sprintf("Data.PodDeviceEntries[%d]", i)
		who := fmt.Sprintf("pod %s, container %s", e.PodUID, e.ContainerName)
		for _, node := range slices.Sorted(maps.Keys(e.DeviceIDs)) {
			for _, id := range e.DeviceIDs[node] {
				d := device{e.ResourceName, id}
				if other, taken := owner[d]; taken {
					add(Finding{codeDeviceTwice, SeverityError, path + ".DeviceIDs",
						fmt.Sprintf("device %q of %s is held by %s and by %s", id, e.ResourceName, other, who),
						"two containers believe that the device is theirs; restart one of the pods"})
				}
				owner[d] = who
				// A kubelet that waits for its plugins after a start has written empty lists.
				if set := registered[e.ResourceName]; len(set) > 0 && !set[id] {
					add(Finding{codeNotRegistered, SeverityWarning, path + ".DeviceIDs",
						fmt.Sprintf("device %q is held, but %s has no such device registered", id, e.ResourceName),
						"the device is gone or its plugin names it otherwise since a reboot; restart the pod"})
				}
			}
		}
		checkAllocResp(e.AllocResp, path, who, add)
	}
}

func checkAllocResp(resp []byte, path, who string, add func(Finding)) {
	_, since134 := allocresp.Decode(resp, allocresp.Google)
	_, before := allocresp.Decode(resp, allocresp.Gogo)
	const hint = "the kubelet logs it and forgets that this container holds these devices: it may hand them out again"
	switch {
	case since134 != nil && before != nil:
		add(Finding{codeAllocResp, SeverityError, path + ".AllocResp",
			fmt.Sprintf("the plugin's answer for %s is no ContainerAllocateResponse: %v", who, since134), hint})
	case since134 != nil:
		add(Finding{codeAllocResp, SeverityWarning, path + ".AllocResp",
			fmt.Sprintf("kubelets from 1.34 on drop the entry of %s: %v", who, since134), hint})
	case before != nil:
		add(Finding{codeAllocResp, SeverityWarning, path + ".AllocResp",
			fmt.Sprintf("kubelets up to 1.33 drop the entry of %s: %v", who, before), hint})
	}
}
