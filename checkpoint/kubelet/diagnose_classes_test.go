package kubelet

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// onData edits the document within a string.
func onData(edit func(string) string) func([]byte) []byte {
	return func(b []byte) []byte {
		at := dataField.FindIndex(b)
		end := behindData.FindIndex(b)[0]
		return replaced(b, at[1]+1, end, quoteInner(edit(unquote(b[at[1]+1:end]))))
	}
}

func pretty(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// sortedMembers is what jq -S makes of a document.
func sortedMembers(text string) string {
	var doc any
	if json.Unmarshal([]byte(text), &doc) != nil {
		return text
	}
	b, _ := json.Marshal(doc)
	return string(b)
}

func wrapped(b []byte) (out []byte) {
	for i, c := range b {
		if i > 0 && i%80 == 0 {
			out = append(out, "\r\n"...)
		}
		out = append(out, c)
	}
	return out
}

// Each class of edits is named, by its kind and path and with the old value, and
// undone byte for byte.
func TestDiagnoseClasses(t *testing.T) {
	const (
		cpu, dual  = "cpu/1.29/static-3pods.json", "cpu/1.37/static-3pods.json"
		pods       = "cpu/1.37/static-pod-level+PLRM.json"
		mem, dualM = "memory/1.29/static-2numa-hugepages.json", "memory/1.37/static-2numa-hugepages.json"
		dra, alloc = "dra/1.35/2claims.json", "allocated/1.35/2pods.json"
		dev        = "device/1.29/2resources-numa.json"
		allocV1    = "allocated/1.29/2pods.json"
		uid1, uid2 = "34d71b70-25aa-5fc4-b806-a44c2e0ddc49", "922acc1f-d886-5cc8-b44f-9ca08bae216a"
	)
	tests := []struct {
		name, golden    string
		damage          func([]byte) []byte
		kind, path, was string
	}{
		{"four letters of a name replaced", cpu, replacing("d886", "zzzz"), KindKey, `entries["922acc1f-zzzz-5cc8-b44f-9ca08bae216a"]`, uid2},
		{"three letters of a name lost", cpu, replacing("34d71b70", "71b70"), KindKey, `entries["71b70-25aa-5fc4-b806-a44c2e0ddc49"]`, uid1},
		{"letters put in", mem, replacing(`"type":"hugepages-1Gi"`, `"type":"hugeXYZpages-1Gi"`), KindValue, `entries["` + uid2 + `"]["app"][0].type`, "hugepages-1Gi"},
		{"suffix in a document", alloc, replacing(`\"sidecar\"`, `\"sidecar-old\"`), KindKey, `data.entries["` + uid2 + `"].ContainerResources["sidecar-old"]`, "sidecar"},
		{"quantity", alloc, replacing("500m", "600m"), KindValue, `data.entries["` + uid2 + `"].ContainerResources["app"].requests["cpu"]`, "500m"},
		{"quantity, another form", alloc, replacing("2Gi", "2048Mi"), KindValue, `data.entries["` + uid2 + `"].ContainerResources["app"].limits["memory"]`, "2Gi"},
		{"quantity, a fraction", allocV1, replacing(`"100m"`, `"0.1"`), KindValue, `allocationEntries["` + uid2 + `"]["sidecar"]["cpu"]`, "100m"},
		{"field left out", dra, replacing(`\"ShareID\":null,`, ""), KindNull, "Data.ClaimInfoStateList[0].DriverState[\"gpu.example.com\"].Devices[0].ShareID", "null"},
		{"field put in", dual, onData(func(s string) string { return s[:len(s)-1] + `,"podEntries":{}}` }), KindNull, "data.podEntries", ""},
		{"field put in, alloc", alloc, replacing(`{\"requests\"`, `{\"limits\":null,\"requests\"`), KindNull,
			`data.entries["` + uid2 + `"].ContainerResources["sidecar"].limits`, ""},
		{"field in other case", dra, replacing("ClaimName", "claimname"), KindKey, "Data.ClaimInfoStateList[0].ClaimName", "ClaimName"},
		{"field renamed", alloc, replacing("PodLevelResources", "x-PodLevel"), KindKey, `data.entries["` + uid1 + `"].x-PodLevel`, "PodLevelResources"},
		{"field of a legacy half", dual, replacing("defaultCpuSet", "decaultCpuSet"), KindKey, "decaultCpuSet", "defaultCpuSet"},
		{"data pretty-printed", dra, onData(pretty), KindEncoding, "Data", ""},
		{"data sorted", pods, onData(sortedMembers), KindEncoding, "data", ""},
		{"data unpacked", alloc, func(b []byte) []byte {
			return bytes.ReplaceAll(onData(func(string) string { return "" })(b), []byte(`""`), dataOnly(b))
		}, KindEncoding, "", ""},
		{"data unescaped", dra, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`\"`), []byte(`"`)) }, KindEncoding, "", ""},
		{"a list around", cpu, func(b []byte) []byte { return []byte("[" + string(b) + "]") }, KindEncoding, "", ""},
		{"apostrophes", mem, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"`), []byte("'")) }, KindEncoding, "", ""},
		{"wrapped", mem, wrapped, KindEncoding, "", ""},
		{"sum as a string", dra, replacing("4136828286", `"4136828286"`), KindValue, "Checksum", "4136828286"},
		{"sum as a fraction", cpu, replacing("1663840581", "1663840581.0"), KindValue, "checksum", "1663840581"},
		{"sum of 32 bits with a sign", dra, replacing("4136828286", "-158139010"), KindValue, "Checksum", "4136828286"},
		{"sums exchanged", dual, func(b []byte) []byte {
			return []byte(strings.NewReplacer("1663840581", "3464539178", "3464539178", "1663840581").Replace(string(b)))
		}, KindSwapped, "checksum", "1663840581"},
		{"sum of a half, any other", dual, replacing("3464539178", "1"), KindValue, "dataChecksum", "3464539178"},
		{"sum of the legacy half", dual, replacing("1663840581", "1"), KindValue, "checksum", "1663840581"},
		{"no sum", dra, replacing("4136828286", "0"), KindValue, "Checksum", "4136828286"},
		{"claims exchanged", dra, onData(func(s string) string {
			first, second := s[strings.Index(s, `{"ClaimUID":"678b`):strings.Index(s, `,{"ClaimUID":"13b7`)], s[strings.Index(s, `{"ClaimUID":"13b7`):len(s)-2]
			return strings.NewReplacer(first, second, second, first).Replace(s)
		}), KindSwapped, "Data.ClaimInfoStateList[0]", ""},
		{"half cut off", dualM, onData(func(s string) string { return s[:500] }), KindHalves, "data", ""},
		{"half emptied", dual, onData(func(string) string { return "" }), KindHalves, "data", ""},
		{"NUL bytes in a half", dual, func(b []byte) []byte {
			b = bytes.Clone(b)
			clear(b[400:450])
			return b
		}, KindTruncated, "data", ""},
		{"character of a response lost", dev, replacing("WSURJQV9", "WSURJQ9"), KindByte, "Data.PodDeviceEntries[0].AllocResp", "V"},
		{"characters put into a response", dev, replacing("WSURJQV9", "WSxyzURJQV9"), KindByte, "Data.PodDeviceEntries[0].AllocResp", ""},
		{"text of another place", dra, replacing(`\"gpu-1\"`, `\"gpu-0\"`), KindValue, `Data.ClaimInfoStateList[0].DriverState["gpu.example.com"].Devices[1].DeviceName`, "gpu-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			old := goldenByFile(t, tt.golden).read(t)
			blob := tt.damage(bytes.Clone(old))
			if bytes.Equal(blob, old) {
				t.Fatal("nothing was damaged")
			}
			o := Options{Kind: goldenByFile(t, tt.golden).Kind}
			got := Diagnose(context.Background(), blob, DiagnoseOptions{Options: o})
			if len(got) == 0 {
				t.Fatal("no explanation")
			}
			e := got[0]
			if e.Kind != tt.kind || e.Path != tt.path || tt.was != "" && e.Old != tt.was || e.Text == "" {
				t.Errorf("%d explanations, the first: %.900s", len(got), e.Kind+" "+e.Path+" "+e.Old+" "+string(e.Confidence)+": "+e.Text)
			}
			out, err := Repair(blob, Fix{Explanations: got, Apply: 1}, o)
			if err != nil || !bytes.Equal(out.Bytes, old) {
				t.Errorf("repaired to %.300s, %v", out.Bytes, err)
			}
		})
	}
}

// dataOnly is the document within a string.
func dataOnly(b []byte) []byte {
	at := dataField.FindIndex(b)
	return []byte(unquote(b[at[1]+1 : behindData.FindIndex(b)[0]]))
}

// A document within a string that is cut off anywhere is not explained by what it
// was not, and nothing panics.
func TestDiagnoseCutData(t *testing.T) {
	for _, name := range []string{"dra/1.31/2claims.json", "allocated/1.35/1pod.json", "memory/1.37/static-pod-level+PLRM.json"} {
		g := goldenByFile(t, name)
		blob := g.read(t)
		size := len(dataOnly(blob))
		for cut := 1; cut < size; cut += 1 + size/40 {
			got := Diagnose(context.Background(), onData(func(s string) string { return s[:cut] })(blob), DiagnoseOptions{Options: Options{Kind: g.Kind}})
			if len(got) == 0 || got[0].Confidence == Certain && got[0].Kind != KindTruncated && got[0].Path != "data" && got[0].Path != "Data" {
				t.Errorf("%s cut at %d: %+v", name, cut, got)
			}
		}
	}
}

// A file whose end is there is not called cut off.
func TestDiagnoseBrackets(t *testing.T) {
	blob := goldenByFile(t, "memory/1.29/static-nulls.json").read(t)
	blob = bytes.Replace(blob, []byte(`"entries":{`), []byte(`"entries":{"p":{"c":[{"entries":{`), 1)
	got := Diagnose(context.Background(), blob, DiagnoseOptions{Options: Options{Kind: Memory}})
	if len(got) != 1 || got[0].Kind != KindByte || got[0].Confidence != Possible {
		t.Errorf("%+v", got)
	}
	for _, text := range []string{"hello world\n", "{policyName:static}"} {
		if got := Diagnose(context.Background(), []byte(text), DiagnoseOptions{Options: Options{Kind: CPU}}); len(got) != 1 || got[0].Kind != KindUnknown {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
