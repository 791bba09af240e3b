package kubelet

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/utils/cpuset"
)

// ParseCPUs returns the CPUs of a set in the list format, "0-3,8", in order.
func ParseCPUs(list string) ([]int, error) {
	if listLength(list) > maxCPUs {
		return nil, fmt.Errorf("the CPU set %.40q names more than %d CPUs", list, maxCPUs)
	}
	set, err := cpuset.Parse(list)
	if err != nil {
		return nil, fmt.Errorf("the CPU set %.40q does not parse: %w", list, err)
	}
	return set.List(), nil
}

// IDs returns the ids of all devices of the entry, in the order of their nodes.
func (e DeviceEntry) IDs() []string { return e.DeviceIDs.all() }

// List returns the claims. Those of 1.30 and before are turned into the later
// shape: the CDI ids of each driver as one device, without pool, name and
// requests, which these releases did not write down. Their resource handles are
// left out.
func (s DRAState) List() []Claim {
	list := slices.Clone(s.ClaimInfoStateList)
	for _, c := range s.Claims {
		claim := Claim{ClaimUID: c.ClaimUID, ClaimName: c.ClaimName, Namespace: c.Namespace, PodUIDs: c.PodUIDs, DriverState: map[string]DriverState{}}
		for driver, ids := range c.CDIDevices {
			claim.DriverState[driver] = DriverState{Devices: []ClaimDevice{{CDIDeviceIDs: ids}}}
		}
		list = append(list, claim)
	}
	return list
}

// ByPod returns the resources of each pod by its UID. What 1.31 and before wrote
// down were requests.
func (s AllocatedState) ByPod() map[string]PodResources {
	pods := maps.Clone(s.Pods)
	if pods == nil {
		pods = map[string]PodResources{}
	}
	for uid, containers := range s.Containers {
		pods[uid] = PodResources{ContainerResources: maps.Clone(containers)}
	}
	for uid, containers := range s.Lists {
		pod := PodResources{ContainerResources: map[string]Requirements{}}
		for name, list := range containers {
			pod.ContainerResources[name] = Requirements{Requests: list}
		}
		pods[uid] = pod
	}
	return pods
}
