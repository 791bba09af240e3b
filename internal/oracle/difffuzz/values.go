package main

import "strings"

// What is put into files. Each list holds plain values beside the ones on an
// edge of some parser.
var (
	cpuSets = []string{
		"", "0", "1-3", "0-3,8", "2,4,6", "5-4", "3-3", "02", "+2", "2,2-3", "8,0-3", " 2", "2 ", "2,,3", ",", "-", "1-", "-1", "1-2-3",
		"0x2", "1_2", "2.0", "1e1", "99999", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551616",
		"٣", "2\n", "2;3", "all", "0-3\x00", "1–3", "0-1,0-1", "-1-2", "-2--1", "007-8", "1,2,", "\xff",
	}
	numbers = []string{
		"0", "1", "-1", "-0", "2", "7", "63", "64", "127", "255", "256", "65536", "2147483647", "2147483648", "4294967295", "4294967296",
		"9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
		"0.0", "1.0", "1e0", "1E3", "0e0", "1.5", "1e400", "-1e-400", "123456789012345678901234567890",
	}
	quantities = []string{
		"0", "1", "500m", "0.5", "1.5Gi", "1Gi", "1024Mi", "1073741824", "1000m", "1k", "1K", "1000", "100M", "1e3", "1E3", "1E", "1Ei", "-1",
		"-0", "+1", "0.1m", "1n", "0.1n", "1u", "", " 1", "1 ", ".5", "5.", ".", "0x10", "1e", "1e-3", "1e+3", "10e-4", "1.1234567891234Gi", "9223372036854775807",
		"9223372036854775808", "9223372036854775807Ki", "99999999999999999999999999", "0.000000000001", "1e100", "8Ei", "16Ei", "-9223372036854775808",
		"1Mi0", "1.0", "1.50", "01", "00.500", "1000k", "1024Ki", "1e18", "1e19", "NaN", "Inf", "1,5", "3m5",
	}
	mapKeys = []string{
		"0", "1", "-1", "00", "+0", "-0", " 0", "0 ", "x", "", "1.0", "0x1", "1_0", "٣", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "1e1", "2147483648",
	}
	names = []string{
		"", "app", "main", "a b", "a:2 b", "a]", "map[", "é", "é", "\u2028", "<&>", "\x00", "\t", "\n", "\"", "\\", "\\u0041", "\x7f", "\xff", "a\xc3", "\xed\xa0\x80",
		"state.CPUManagerCheckpoint", "CPUManagerCheckpointV1", "state.CPUManagerCheckpointV2", "CPUManagerCheckpointV3", "CPUManagerCheckpointV4",
		"MemoryManagerCheckpoint", "state.MemoryManagerCheckpointV1", "MemoryManagerCheckpointV2", "PodDevicesEntryV1", "PodDevicesEntry",
		"checkpointDataV1", "checkpoint.checkpointDataV1", "DRAManagerCheckpointWithoutResourceHandles", "ClaimInfoStateListWithoutResourceHandles",
		"ClaimInfoStateWithoutResourceHandles", "ResourceHandles", "v1alpha2.ResourceHandle", "(string)", "Checksum:(checksum.Checksum)0", "<nil>", "%!s(MISSING)",
		"922acc1f-d886-5cc8-b44f-9ca08bae216a", "34d71b70-25aa-5fc4-b806-a44c2e0ddc49", strings.Repeat("n", 300), "😀", "\U0010ffff", "\ufeff", "\ufffd",
	}
	policies  = []string{"none", "static", "None", "Static", "STATIC", "static ", "", "BestEffort", "é", "a\"b", "a\\b", "<&>", "\u2028", "\x01"}
	resources = []string{"cpu", "memory", "hugepages-2Mi", "hugepages-1Gi", "nvidia.com/gpu", "", "Memory", "ephemeral-storage"}
	// fields of all formats, right and respelt
	fields = []string{
		"policyName", "defaultCpuSet", "defaultCPUSet", "entries", "podEntries", "baselines", "baseline", "cpuSet", "checksum", "data", "dataChecksum",
		"machineState", "numberOfAssignments", "memoryMap", "cells", "total", "systemReserved", "allocatable", "reserved", "free", "numaAffinity", "type", "size", "memoryBlocks",
		"Data", "Checksum", "PodDeviceEntries", "RegisteredDevices", "PodUID", "ContainerName", "ResourceName", "DeviceIDs", "AllocResp",
		"version", "Version", "DriverName", "ClassName", "ClaimUID", "ClaimName", "Namespace", "PodUIDs", "ResourceHandles", "CDIDevices", "driverName", "structuredData",
		"vendorClassParameters", "vendorClaimParameters", "nodeName", "results", "vendorRequestParameters", "namedResources", "name", "Raw", "Object",
		"kind", "apiVersion", "ClaimInfoStateList", "DriverState", "Devices", "PoolName", "DeviceName", "ShareID", "RequestNames", "CDIDeviceIDs", "skipNodeOperations", "TypeMeta",
		"allocationEntries", "resizeStatusEntries", "ContainerResources", "PodLevelResources", "EmptyDirVolumeLimits", "limits", "requests", "claims", "request",
		"CPUManagerCheckpointV2", "CheckpointData", "MemoryManagerCheckpointV1", "AllocationResultModel",
	}
	odd = []string{
		"null", "true", "false", "{}", "[]", `""`, "0", "-1", "1.5", `"x"`, `[null]`, `{"":null}`, `{"0":{}}`, `[[]]`, `[{}]`, `"0"`, `{"a":"0-1"}`, `{"a":{"b":"0-1"}}`,
		`{"a":null}`, `{"a":{}}`, `{"a":[]}`, `["a"]`, `[0]`, `[-1]`, `{"a":{"b":[]}}`, `{"a":{"b":[{"numaAffinity":[0],"type":"memory","size":1}]}}`, `{"a":{"cpuSet":"1"}}`, `{"a":{"cpuSet":""}}`,
		`{"a":{"b":{"baseline":"1"}}}`, `{"0":["x"]}`, `{"-1":null}`, `{"limits":{"cpu":"1"}}`, `{"cpu":"1"}`, `{"claims":[{"name":"c","request":"r"}]}`,
		`{"a":{"ContainerResources":{"c":{"limits":{"cpu":"1"}}},"PodLevelResources":{"requests":{"memory":"1Gi"}},"EmptyDirVolumeLimits":{"v":"1Gi","w":null}}}`,
		`[{"driverName":"d","data":"x","structuredData":{"vendorClassParameters":{"x":1},"results":[{"vendorRequestParameters":[1],"namedResources":{"name":"n"}}]}}]`,
		`{"d":{"Devices":[{"PoolName":"p","DeviceName":"n","ShareID":"s","RequestNames":["r"],"CDIDeviceIDs":["c"]}],"skipNodeOperations":["X"]}}`,
		`{"vendorClassParameters":null,"nodeName":"n","results":null}`, `{"kind":"x"}`,
	}
	inners = []string{"", "null", "{}", "[]", "0", `""`, " ", "{", "{}x", "{} ", "nul", "\ufeff{}", `{"entries":null}`, `{"policyName":"static"}`, `{"policyName":"static","defaultCpuSet":"0"}`,
		`{"policyName":"Static"}`, `{"kind":"DRACheckpoint"}`, `{"ClaimInfoStateList":[{}]}`, `{"entries":{"a":{}}}`, `{"allocationEntries":{"a":{"b":{}}}}`}
	// known are fields with a value that some release takes there.
	known = [][2]string{
		{"podEntries", `{"a":{"cpuSet":"1"},"b":{"cpuSet":""}}`}, {"podEntries", `{"a":{}}`}, {"podEntries", `{"a":null}`},
		{"podEntries", `{"a":{"memoryBlocks":[{"numaAffinity":[0,1],"type":"memory","size":4096}]},"b":{"memoryBlocks":[]}}`}, {"podEntries", `{}`},
		{"baselines", `{"a":{"b":{"baseline":"1-2"}}}`}, {"baselines", `{"a":{}}`}, {"baselines", `{"a":{"b":{}}}`}, {"baselines", `{}`},
		{"entries", `{"a":{"b":"1-2"},"c":{}}`}, {"entries", `{"a":"1-2"}`}, {"entries", `{"a":{"b":[{"numaAffinity":[0],"type":"memory","size":1}],"c":[]},"d":{}}`},
		{"entries", `[{"ClaimUID":"u","PodUIDs":{"p":{}},"ResourceHandles":[{"driverName":"d"}],"CDIDevices":{"d":["c"]}}]`},
		{"machineState", `{"0":{"numberOfAssignments":0,"memoryMap":{"memory":{"total":1,"free":1}},"cells":[0]},"1":null}`}, {"machineState", `{"0":{"memoryMap":{"memory":null}}}`},
		{"memoryMap", `{"hugepages-2Mi":{}}`}, {"cells", `[1,0]`}, {"cells", `[]`}, {"numaAffinity", `[1,1]`},
		{"DeviceIDs", `["a","b"]`}, {"DeviceIDs", `{"-1":["a"],"0":[]}`}, {"AllocResp", `""`}, {"AllocResp", `"KhUKE3ZlbmRvci5jb20vZ3B1PWdwdTE="`}, {"RegisteredDevices", `{"r":["a"],"s":null}`},
		{"PodDeviceEntries", `[{"PodUID":"p","ContainerName":"c","ResourceName":"r","DeviceIDs":{"0":["a"]},"AllocResp":"EgIYAQ=="},{}]`},
		{"ResourceHandles", `[{"driverName":"d","data":"x","structuredData":{"vendorClassParameters":{"b":1, "a":[2]},"vendorClaimParameters":"s","nodeName":"n","results":[{"vendorRequestParameters":1.50,"namedResources":{"name":"r"}},{}]}}]`},
		{"ResourceHandles", `[{"structuredData":{"vendorClassParameters":null,"results":[]}},{"structuredData":{}}]`}, {"structuredData", `{"results":[{"namedResources":null}],"nodeName":"n"}`},
		{"structuredData", `{"vendorClaimParameters":{"é":"<"},"results":null}`}, {"CDIDevices", `{"d":["c"],"e":[]}`}, {"PodUIDs", `{"p":{}}`}, {"PodUIDs", `{"p":null}`},
		{"ClaimInfoStateList", `[{"ClaimUID":"u","PodUIDs":{"p":{}},"DriverState":{"d":{"Devices":[{"PoolName":"p","ShareID":"s"}],"skipNodeOperations":["A"]}}}]`},
		{"DriverState", `{"d":{"Devices":[{"PoolName":"p","DeviceName":"n","ShareID":"s","RequestNames":["r"],"CDIDeviceIDs":[]}],"skipNodeOperations":[]}}`}, {"ShareID", `""`}, {"ShareID", `"s"`},
		{"skipNodeOperations", `["A","A"]`}, {"Devices", `[{}]`}, {"RequestNames", `[]`},
		{"allocationEntries", `{"a":{"b":{"cpu":"500m","memory":"1Gi"}}}`}, {"allocationEntries", `{"a":{"b":{"limits":{"cpu":"1"},"requests":{"cpu":"0.5"}}}}`}, {"resizeStatusEntries", `{"a":"InProgress"}`},
		{"ContainerResources", `{"c":{"limits":{"cpu":"1"},"claims":[{"name":"n","request":"r"}]}}`}, {"PodLevelResources", `{"requests":{"memory":"1.5Gi"}}`}, {"PodLevelResources", `{}`},
		{"EmptyDirVolumeLimits", `{"v":"1Gi","w":null,"x":"0"}`}, {"limits", `{"cpu":"1e3","x":"0.1m"}`}, {"requests", `{}`}, {"claims", `[]`},
	}
)
