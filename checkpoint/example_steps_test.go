package checkpoint_test

import (
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/migrate"
)

type preparedV1 struct{ Claims map[string]string }

type preparedV2 struct{ Claims map[string][]string }

type preparedV3 struct{ Claims map[string]claimV3 }

type claimV3 struct {
	Devices []string
	Shared  bool `json:",omitempty"`
}

func preparedV1toV2(d *preparedV1) (*preparedV2, []migrate.Loss, error) {
	out := &preparedV2{Claims: map[string][]string{}}
	for uid, device := range d.Claims {
		out.Claims[uid] = []string{device}
	}
	return out, nil, nil
}

func preparedV2toV1(d *preparedV2) (out *preparedV1, lost []migrate.Loss, err error) {
	out = &preparedV1{Claims: map[string]string{}}
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		devices := d.Claims[uid]
		if len(devices) != 1 {
			lost = append(lost, migrate.Loss{Path: "Claims." + uid, Reason: "v1 has one device a claim"})
			continue
		}
		out.Claims[uid] = devices[0]
	}
	return out, lost, nil
}

func preparedV2toV3(d *preparedV2) (*preparedV3, []migrate.Loss, error) {
	out := &preparedV3{Claims: map[string]claimV3{}}
	for uid, devices := range d.Claims {
		out.Claims[uid] = claimV3{Devices: devices}
	}
	return out, nil, nil
}

func preparedV3toV2(d *preparedV3) (out *preparedV2, lost []migrate.Loss, err error) {
	out = &preparedV2{Claims: map[string][]string{}}
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		out.Claims[uid] = d.Claims[uid].Devices
		if d.Claims[uid].Shared {
			lost = append(lost, migrate.Loss{Path: "Claims." + uid + ".Shared", Reason: "v2 does not share"})
		}
	}
	return out, lost, nil
}
