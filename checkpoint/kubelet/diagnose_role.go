package kubelet

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// role is what a value is for: which values are likely and which are possible.
type role uint8

const (
	roleText role = iota
	rolePolicy
	roleUID      // of a pod or claim
	roleName     // of a container
	roleCPUs     // "0-3,8"
	roleBytes    // an amount of memory
	roleCount    // of assignments
	roleNode     // id of a NUMA node
	roleResource // "memory", "nvidia.com/gpu"
	roleQuantity // "500m"
	roleResponse // an AllocResp
	roleNothing  // null, or an empty list or object
	roleOpaque   // what has no value of its own
)

// roleOf knows the documents by the names of their fields.
func roleOf(kind Kind, schema string, key bool) role {
	last := schema[strings.LastIndexByte(schema, '.')+1:]
	parent := ""
	if up, _, ok := cutLast(schema); ok {
		parent = up[strings.LastIndexByte(up, '.')+1:]
	}
	switch last {
	case "policyName":
		return rolePolicy
	case "defaultCpuSet", "cpuSet", "baseline":
		return roleCPUs
	case "total", "systemReserved", "allocatable", "reserved", "free", "size":
		return roleBytes
	case "numberOfAssignments":
		return roleCount
	case "PodUID", "ClaimUID":
		return roleUID
	case "ContainerName":
		return roleName
	case "ResourceName", "type":
		return roleResource
	case "AllocResp":
		return roleResponse
	case "#":
		if parent == "cells" || parent == "numaAffinity" {
			return roleNode
		}
	case "*":
		return mapRole(kind, parent, schema, key)
	}
	return roleText
}

// mapRole is the role of a map's key, or of its value.
func mapRole(kind Kind, parent, schema string, key bool) role {
	switch parent {
	case "machineState", "DeviceIDs":
		if key {
			return roleNode
		}
		return roleOpaque
	case "memoryMap", "RegisteredDevices", "limits", "requests":
		if key {
			return roleResource
		}
		if parent == "limits" || parent == "requests" {
			return roleQuantity
		}
		return roleOpaque
	case "entries", "podEntries", "baselines", "allocationEntries", "resizeStatusEntries", "PodUIDs":
		if key {
			return roleUID
		}
		if kind == CPU { // cpu/v1
			return roleCPUs
		}
		return roleText
	case "EmptyDirVolumeLimits":
		if !key {
			return roleQuantity
		}
		return roleName
	case "ContainerResources":
		return roleName
	case "*":
		switch {
		case key && kind == Allocated && strings.Count(schema, "*") == 3:
			return roleResource
		case key:
			return roleName
		case kind == Allocated:
			return roleQuantity
		case kind == CPU:
			return roleCPUs
		}
	}
	return roleText
}

func cutLast(schema string) (before, last string, found bool) {
	if i := strings.LastIndexByte(schema, '.'); i >= 0 {
		return schema[:i], schema[i+1:], true
	}
	return schema, "", false
}

// fits reports whether a kubelet may have written value in this role.
func (r role) fits(kind Kind, value string) bool {
	switch r {
	case rolePolicy:
		return slices.Contains(policyNames(kind), value)
	case roleCPUs:
		if listLength(value) > maxCPUs {
			return false
		}
		set, err := cpuset.Parse(value)
		return err == nil && set.String() == value
	case roleUID:
		return likeUID(value)
	case roleName:
		return likeName(value)
	case roleBytes:
		return likeNumber(value) && len(value) <= 20
	case roleCount, roleNode:
		return likeNumber(value) && len(value) <= 4 || value == "-1" && r == roleNode
	case roleResource:
		return likeResource(value)
	case roleQuantity:
		q, err := quantity.Parse(value)
		return err == nil && q.String() == value
	case roleNothing, roleOpaque, roleResponse:
		return true
	}
	return printable(value)
}

// alphabet returns how many other bytes are likely at one place of a value,
// for the count of what was tried.
func (r role) alphabet() uint64 {
	switch r {
	case roleUID:
		return 15
	case roleName, roleResource:
		return 37
	case roleCPUs:
		return 11
	case roleBytes, roleCount, roleNode, roleResponse:
		return 9
	case roleQuantity:
		return 20
	case roleText:
		return 94
	}
	return 0 // few as a whole
}

// letters are the bytes to try at one place of a key.
func (r role) letters() string {
	switch r {
	case roleUID:
		return "0123456789abcdef-"
	case roleCount, roleNode, roleBytes:
		return "0123456789-"
	case roleName:
		return "0123456789abcdefghijklmnopqrstuvwxyz-"
	}
	return "0123456789abcdefghijklmnopqrstuvwxyz-./_:ABCDEFGHIJKLMNOPQRSTUVWXYZ"
}

func policyNames(kind Kind) []string {
	if kind == Memory {
		return []string{"None", "Static", "BestEffort"}
	}
	return []string{"none", "static"}
}

// likeUID takes the UIDs of API objects, and the hashes that static pods have
// in their place.
func likeUID(s string) bool {
	for i := range len(s) {
		hyphen := len(s) == 36 && (i == 8 || i == 13 || i == 18 || i == 23)
		if hyphen != (s[i] == '-') || !hyphen && !strings.Contains("0123456789abcdef", s[i:i+1]) {
			return false
		}
	}
	return len(s) == 36 || len(s) == 32 || len(s) == 64
}

// likeName is the grammar of DNS labels.
func likeName(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

func likeResource(s string) bool {
	if s == "" || len(s) > 317 {
		return false
	}
	for i := range len(s) {
		c := s[i] | 0x20
		if !strings.Contains("-./_", s[i:i+1]) && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

func likeNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil && (s == "0" || s[0] != '0' && s[0] != '+')
}

func printable(s string) bool {
	for _, r := range s {
		if r == '\uFFFD' || !strconv.IsPrint(r) {
			return false
		}
	}
	return true
}
