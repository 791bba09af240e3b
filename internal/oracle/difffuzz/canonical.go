package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/oracle"
)

// tree is JSON as Go values, with numbers as they are spelt.
func tree(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// theirs brings the state that a kubelet restored into the shape that ours
// has. It only renames and leaves out; it never supplies a value:
//   - the device manager drops entries whose AllocResp does not decode, which
//     the oracle lists beside all of them;
//   - 1.13 keys its entries by container ID, which we call containers, and
//     lists device ids without a NUMA node, which we, as 1.20 to 1.30, take
//     to be node 0;
//   - members that are null, which some release always prints and another does
//     not know, are left out where their name is a field's.
func theirs(kind, release string, state json.RawMessage) (any, error) {
	v, err := tree(state)
	if err != nil {
		return nil, err
	}
	top, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the state is no object")
	}
	switch kind {
	case "cpu":
		if release == "1.13" {
			top["containers"], top["entries"] = top["entries"], map[string]any{}
		}
	case "device":
		entries, _ := top["PodDeviceEntries"].([]any)
		dropped, _ := top["dropped"].([]any)
		for i := len(dropped) - 1; i >= 0; i-- {
			n, err := dropped[i].(map[string]any)["index"].(json.Number).Int64()
			if err != nil {
				return nil, err
			}
			entries = append(entries[:n:n], entries[n+1:]...)
		}
		for _, e := range entries {
			if e, ok := e.(map[string]any); ok && release == "1.13" {
				e["DeviceIDs"] = map[string]any{"0": e["DeviceIDs"]}
			}
		}
		top["PodDeviceEntries"] = entries
		delete(top, "dropped")
		delete(top, "format")
	}
	return prune(top), nil
}

// ours is the state that we say a kubelet holds.
func ours(a kubelet.Answer) (any, error) {
	b, err := json.Marshal(a.State())
	if err != nil {
		return nil, err
	}
	v, err := tree(b)
	if err != nil {
		return nil, err
	}
	return prune(v), nil
}

// optional are fields that mean the same when they are null, empty or absent.
var optional = map[string]bool{
	"entries": true, "podEntries": true, "baselines": true, "containers": true, "machineState": true, "memoryBlocks": true,
	"PodDeviceEntries": true, "RegisteredDevices": true, "ClaimInfoStateList": true,
	"ShareID": true, "skipNodeOperations": true, "structuredData": true,
	"allocationEntries": true, "resizeStatusEntries": true,
	"PodLevelResources": true, "EmptyDirVolumeLimits": true, "ContainerResources": true, "limits": true, "requests": true, "claims": true,
	"vendorClassParameters": true, "vendorClaimParameters": true, "vendorRequestParameters": true, "namedResources": true, "results": true,
}

// prune leaves out optional members that say nothing. Everything else stays,
// so that null and [] of a pod or a device id list do differ.
func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			e = prune(e)
			v[key] = e
			if optional[key] && empty(e) {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
	}
	return v
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

func releaseIn(release string, list ...string) bool {
	for _, r := range list {
		if r == release {
			return true
		}
	}
	return false
}

// text prints a pruned state; the order of keys is fixed.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// leaves lists what a state says: its scalars, with their paths, and how long
// its lists are.
func leaves(v any) map[string]bool {
	out := map[string]bool{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case nil:
		case map[string]any:
			for key, e := range v {
				walk(path+"\x00"+key, e)
			}
		case []any:
			if len(v) > 0 {
				out[fmt.Sprintf("%s has %d", path, len(v))] = true
			}
			for i, e := range v {
				walk(fmt.Sprintf("%s\x00[%d]", path, i), e)
			}
		default:
			out[fmt.Sprintf("%s=%v", path, v)] = true
		}
	}
	walk("", v)
	return out
}

// label is how the tables name the kubelet of an answer.
func label(a kubelet.Answer) string {
	s := oracle.Setting{Release: a.Release}
	if a.Gates[kubelet.GatePodLevelResourceManagers] {
		s.Letters = "P"
	}
	if a.Gates[kubelet.GateExclusiveCPUResize] {
		s.Letters += "X"
	}
	return s.Label()
}
