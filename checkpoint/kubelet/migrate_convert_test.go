package kubelet

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/migrate"
)

// TestMigrateConversions: what no kubelet does, spelled out.
func TestMigrateConversions(t *testing.T) {
	for _, c := range []struct {
		name         string
		kind         Kind
		content      any
		by, to       string
		want         string // in what the new file says
		losses, gaps []string
	}{
		{
			"claims up", DRA,
			&DRAState{Claims: []ClassicClaim{{"gpu.example.com", "big", "u1", "claim", "default", NameSet{"p": {}},
				[]ClaimHandle{{"gpu.example.com", "mine", nil}}, map[string][]string{"gpu.example.com": {"a", "b"}}}}},
			"1.29", "1.37",
			`"DriverState":{"gpu.example.com":{"Devices":[{"PoolName":"","DeviceName":"","RequestNames":null,"CDIDeviceIDs":["a","b"]}]}}`,
			[]string{"entries[0].ClassName", "entries[0].ResourceHandles"}, []string{"Devices"},
		},
		{
			"claims of two drivers down", DRA,
			&DRAState{ClaimInfoStateList: []Claim{{"u1", "claim", "default", NameSet{"p": {}}, map[string]DriverState{
				"net": {Devices: []ClaimDevice{{CDIDeviceIDs: []string{"n"}}}}, "gpu": {},
			}}}},
			"1.37", "1.30",
			`"DriverName":"gpu","ClassName":"","ClaimUID":"u1","ClaimName":"claim","Namespace":"default","PodUIDs":{"p":{}},` +
				`"ResourceHandles":[{"driverName":"gpu"},{"driverName":"net"}],"CDIDevices":{"net":["n"]}`,
			nil, nil,
		},
		{
			"devices of a claim down", DRA,
			&DRAState{ClaimInfoStateList: []Claim{{"u1", "claim", "default", NameSet{"p": {}}, map[string]DriverState{
				"gpu": {Devices: []ClaimDevice{{"pool", "gpu-0", nil, []string{"r"}, []string{"x"}}}, SkipNodeOperations: []string{"NodePrepareResources"}},
			}}}},
			"1.37", "1.29", `"ResourceHandles":null,"CDIDevices":{"gpu":["x"]}`,
			[]string{
				"ClaimInfoStateList[0].DriverState.gpu.Devices[0].DeviceName", "ClaimInfoStateList[0].DriverState.gpu.Devices[0].PoolName",
				"ClaimInfoStateList[0].DriverState.gpu.Devices[0].RequestNames", "ClaimInfoStateList[0].DriverState.gpu.skipNodeOperations",
			}, nil,
		},
		{
			"structured handles", DRA,
			&DRAState{Claims: []ClassicClaim{{DriverName: "d", ResourceHandles: []ClaimHandle{{"d", "", &draStructured{NodeName: "n"}}}}}},
			"1.30", "1.29", `"ResourceHandles":[{"driverName":"d"}]`,
			[]string{"entries[0].ResourceHandles[0].structuredData"}, nil,
		},
		{
			"devices down", Device,
			&DeviceState{PodDeviceEntries: []DeviceEntry{
				{"p", "c", "r", DevicesPerNUMA{-1: {"z"}, 1: {"a", "b"}}, nil},
				{"p", "c", "s", DevicesPerNUMA{0: {"k"}}, nil},
			}},
			"1.37", "1.13", `"DeviceIDs":{"0":["z","a","b"]}`,
			[]string{"Data.PodDeviceEntries[0].DeviceIDs.-1", "Data.PodDeviceEntries[0].DeviceIDs.1"}, nil,
		},
		{
			"allocated up", Allocated,
			&AllocatedState{Lists: map[string]map[string]ResourceList{"p": {"c": amounts(t, "500m")}}, ResizeStatus: map[string]string{"p": "InProgress"}},
			"1.31", "1.35", `{"entries":{"p":{"ContainerResources":{"c":{"requests":{"cpu":"500m"}}}`,
			[]string{"resizeStatusEntries"}, []string{"limits"},
		},
		{
			"allocated down", Allocated,
			&AllocatedState{Pods: map[string]PodResources{"p": {ContainerResources: map[string]Requirements{
				"c": {Limits: amounts(t, "1"), Requests: amounts(t, "500m")}}}}},
			"1.37", "1.31", `{"allocationEntries":{"p":{"c":{"cpu":"500m"}}}}`,
			[]string{"entries.p.ContainerResources.c.limits"}, nil,
		},
		{
			"allocated under another name", Allocated,
			&AllocatedState{Pods: map[string]PodResources{"p": {ContainerResources: map[string]Requirements{"c": {Limits: amounts(t, "1")}}}}},
			"1.33", "1.32", `{"allocationEntries":{"p":{"c":{"limits":{"cpu":"1"}}}}}`,
			nil, nil,
		},
	} {
		k := tableOf(c.kind)
		blob, err := k.writtenBy(reader{release: Release{Name: c.by}}).encode(c.content, c.by)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Migrate(blob, Target{Release: c.to}, Options{Kind: c.kind})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, _ := json.Marshal(m.Content)
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		same := func(what string, list []migrate.Loss, want []string) {
			var paths []string
			for _, l := range list {
				paths = append(paths, l.Path)
			}
			if strings.Join(paths, " ") != strings.Join(want, " ") {
				t.Errorf("%s: %s %v, want %v", c.name, what, list, want)
			}
		}
		same("losses", m.Losses, c.losses)
		same("gaps", m.Gaps, c.gaps)
	}
}

func amounts(t *testing.T, cpu string) ResourceList {
	t.Helper()
	var list ResourceList
	if err := json.Unmarshal([]byte(`{"cpu":"`+cpu+`"}`), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestMigrateReasons: a loss says whose fault it is.
func TestMigrateReasons(t *testing.T) {
	for _, c := range []struct {
		file string
		to   Target
		want string
	}{
		{"cpu/1.37/static-pod-level-baselines+PLRM+EXCL.json", Target{Release: "1.35"},
			"baselines: only kubelet 1.37 and later keep it; podEntries: only kubelet 1.36 and later keep it"},
		{"cpu/1.37/static-pod-level-baselines+PLRM+EXCL.json", Target{Release: "1.37"},
			"baselines: kubelet 1.37 keeps it only with InPlacePodVerticalScalingExclusiveCPUs; podEntries: kubelet 1.37 keeps it only with PodLevelResourceManagers"},
		{"cpu/1.37/static-pod-level-baselines+PLRM+EXCL.json", Target{Format: "cpu/v4"}, ""},
		{"memory/1.37/static-pod-level+PLRM.json", Target{Format: "memory/v2"}, ""},
		{"memory/1.37/static-pod-level+PLRM.json", Target{Format: "memory/v1"}, "podEntries: kubelet 1.36 keeps it only with PodLevelResourceManagers"},
		{"dra/1.37/skip-node-ops.json", Target{Release: "1.36"},
			"ClaimInfoStateList[0].DriverState.gpu.example.com.skipNodeOperations: only kubelet 1.37 and later keep it"},
	} {
		m, err := Migrate(goldenByFile(t, c.file).read(t), c.to, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		var got []string
		for _, l := range m.Losses {
			got = append(got, l.Path+": "+l.Reason)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s for %s:\n got %s\nwant %s", c.file, c.to, strings.Join(got, "; "), c.want)
		}
	}
}

// TestMigrateChanges: another layout alone is no difference in meaning.
func TestMigrateChanges(t *testing.T) {
	for file, to := range map[string]string{
		"allocated/1.33/1pod.json":   "1.32",
		"allocated/1.32/1pod.json":   "1.37",
		"cpu/1.37/static-3pods.json": "1.35",
	} {
		m, err := Migrate(goldenByFile(t, file).read(t), Target{Release: to}, Options{})
		if err != nil || m.From == m.To || len(m.Changes()) > 0 {
			t.Errorf("%s for %s: %v, %v", file, to, m.Changes(), err)
		}
	}
	m, err := Migrate(goldenByFile(t, "allocated/1.33/1pod.json").read(t), Target{Release: "1.29"}, Options{})
	if err != nil || len(m.Changes()) != 1 || !strings.Contains(m.Changes()[0].Path, "limits") && !strings.Contains(m.Changes()[0].Path, "Limits") {
		t.Errorf("limits: %v, %v", m.Changes(), err)
	}
}
