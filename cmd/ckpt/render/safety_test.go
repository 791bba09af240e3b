package render

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/termtext"
)

var (
	sgrSequence = regexp.MustCompile("\x1b\\[[0-9;]*m")
	trailing    = regexp.MustCompile(` +\n`)
)

// checkText fails unless every line of s fits the width, and s holds nothing that
// a terminal would not simply print.
func checkText(t testing.TB, s string, width int) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8")
	}
	if s != "" && !strings.HasSuffix(s, "\n") {
		t.Errorf("the last line does not end")
	}
	for i, line := range strings.Split(s, "\n") {
		if w := termtext.Width(line); width > 0 && w > width {
			t.Errorf("line %d takes %d columns of %d: %.200q", i+1, w, width, line)
		}
		if strings.HasSuffix(line, " ") {
			t.Errorf("line %d ends in a blank: %.200q", i+1, line)
		}
		for _, r := range line {
			if unicode.Is(unicode.C, r) || unicode.In(r, unicode.Zl, unicode.Zp) {
				t.Errorf("line %d holds %U: %.200q", i+1, r, line)
			}
		}
	}
}

// checkFile renders f in every way.
func checkFile(t testing.TB, f File, widths ...int) {
	t.Helper()
	for _, width := range widths {
		o := Options{Width: width}
		page := explained(t, f, o)
		checkText(t, page, width)
		checkText(t, verified(t, Table, []File{f}, o), width)
		o.Color = true
		if colored := sgrSequence.ReplaceAllString(explained(t, f, o), ""); trimmed(colored) != page {
			t.Errorf("colour changes the text:\n%.2000s\n%.2000s", colored, page)
		}
	}
	checkText(t, verified(t, Wide, []File{f}, Options{}), 0)
	checkText(t, verified(t, Prom, []File{f}, Options{}), 0)
	npd := verified(t, NPD, []File{f}, Options{})
	checkText(t, npd, npdBytes)
	if len(npd) > npdBytes+1 || strings.Count(npd, "\n") != 1 || strings.ContainsFunc(npd, func(r rune) bool { return r >= utf8.RuneSelf }) {
		t.Errorf("not a line of ASCII in %d bytes: %.200q", npdBytes, npd)
	}
	for _, o := range []Options{{}, {Content: true}, {Content: true, ShowSecrets: true}} {
		line := verified(t, JSONL, []File{f}, o)
		if !json.Valid([]byte(line)) || strings.Count(line, "\n") != 1 {
			t.Errorf("not a line of JSON: %.200s", line)
		}
	}
}

// trimmed drops blanks before line ends, which colour may stand behind.
func trimmed(s string) string {
	return trailing.ReplaceAllString(s, "\n")
}

func TestEveryGenuineFile(t *testing.T) {
	for _, path := range corpusFiles(t) {
		t.Run(path, func(t *testing.T) {
			f := judged(t, path)
			checkFile(t, f, 40, 80, 133)
			if metrics := verified(t, Prom, []File{f}, Options{}); uid.MatchString(metrics) {
				t.Errorf("metrics name a pod or container: %s", uid.FindString(metrics))
			}
		})
	}
}

// hostile are names that a terminal, a table or a parser might trip over.
var hostile = []string{
	"", " ", "\x1b[2J\x1b]0;title\x07", "a\nb\rc\td", "\u202egnp.exe", "\u2066\u200b\ufeff", "\xff\xfe", "\x9b31m", "漢字漢字漢字漢字漢字漢字",
	"e\u0301\u0301\u0301", "\u2028\u2029", strings.Repeat("x", 5000), strings.Repeat("ab ", 3000), `a"b\c{d}`, "%s%d%!v", "🚀🚀", "\x00",
}

func TestHostileNames(t *testing.T) {
	for i, name := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, content := range hostileContents(name) {
				checkFile(t, hostileFile(name, content), 40, 80)
			}
		})
	}
}

func hostileFile(name string, content any) File {
	return File{Name: name, Failure: &Failure{name, name}, Verdict: kubelet.Verdict{
		Kind: kubelet.Kind(name), Format: name, State: kubelet.StateOK, Policy: name, Written: []string{name, name},
		Checksums: []kubelet.Checksum{{Field: name, TypeName: name, Algorithm: name}, {Field: name, OK: true}},
		Kubelets: []kubelet.Answer{
			{Release: "1.37", Verdict: kubelet.Refused, Error: name, Gates: map[string]bool{name: true}, Lost: []string{name}},
			{Release: name, Verdict: kubelet.Lossy, Lost: []string{name, name}}, {Release: name, Verdict: kubelet.Outcome(name)},
		},
		Findings: []kubelet.Finding{{Code: name, Severity: kubelet.SeverityError, Path: name, Message: name, Hint: name},
			{Code: name, Severity: kubelet.Severity(name), Message: name}},
		Damage: &kubelet.Damage{Reason: name, Error: name}, Content: content,
	}}
}

func hostileContents(s string) []any {
	r := kubelet.ResourceName(s)
	requirements := kubelet.Requirements{Limits: kubelet.ResourceList{r: {}}, Claims: []kubelet.ResourceClaim{{Name: s, Request: s}}}
	return []any{
		nil,
		&kubelet.CPUState{PolicyName: s, DefaultCPUSet: s, Entries: map[string]map[string]string{s: {s: s, "c": "1-3"}},
			PodEntries: map[string]string{s: "0-4294967295"}, Baselines: map[string]map[string]string{s: {s: s}, "p": {s: s}},
			Containers: map[string]string{s: "7"}},
		&kubelet.CPUState{DefaultCPUSet: "0-1073741823", Containers: map[string]string{s: "1073741823"}},
		&kubelet.MemoryState{PolicyName: s, MachineState: kubelet.NUMANodes{-1: {MemoryMap: map[kubelet.ResourceName]*kubelet.MemoryTable{
			r: {TotalMemSize: 1<<64 - 1, SystemReserved: 1<<64 - 1, Free: 1}, "x": nil}, Cells: []int{9, 8}}, 3: nil},
			Entries:    kubelet.ContainerMemory{s: {s: {{Type: r, NUMAAffinity: []int{1, 2}}}, "": nil}},
			PodEntries: kubelet.PodsMemory{s: {}}},
		&kubelet.DeviceState{RegisteredDevices: map[string][]string{s: {s, s, "a1", "a2", "a3"}}, PodDeviceEntries: []kubelet.DeviceEntry{
			{PodUID: s, ContainerName: s, ResourceName: s, DeviceIDs: kubelet.DevicesPerNUMA{-1: {s}, 0: {s, "b"}}, AllocResp: []byte(s)},
			{AllocResp: hostileResponse(s)}}},
		&kubelet.DRAState{ClaimInfoStateList: []kubelet.Claim{{ClaimUID: s, ClaimName: s, Namespace: s, PodUIDs: kubelet.NameSet{s: {}},
			DriverState: map[string]kubelet.DriverState{s: {SkipNodeOperations: []string{s}, Devices: []kubelet.ClaimDevice{
				{PoolName: s, DeviceName: s, ShareID: &s, RequestNames: []string{s}, CDIDeviceIDs: []string{s}}}}}}},
			Claims: []kubelet.ClassicClaim{{DriverName: s, ClassName: s, ClaimName: s, CDIDevices: map[string][]string{s: {s}},
				ResourceHandles: []kubelet.ClaimHandle{{DriverName: s, Data: s, Structured: map[string]any{s: s}}}}}},
		&kubelet.AllocatedState{
			Pods:       map[string]kubelet.PodResources{s: {ContainerResources: map[string]kubelet.Requirements{s: requirements}, PodLevelResources: &requirements}},
			Containers: map[string]map[string]kubelet.Requirements{s: {"c": requirements}}, ResizeStatus: map[string]string{s: s}},
	}
}

// hostileResponse is a ContainerAllocateResponse with s for a key, a value, a
// path and a name.
func hostileResponse(s string) []byte {
	field := func(number byte, value string) []byte {
		n := len(value)
		return append([]byte{number<<3 | 2, byte(n)&0x7f | 0x80, byte(n>>7) & 0x7f}, value...)
	}
	pair := string(field(1, s)) + string(field(2, s))
	b := field(1, pair)
	b = append(b, field(2, pair)...)
	b = append(b, field(3, pair+string(field(3, s)))...)
	b = append(b, field(4, pair)...)
	return append(b, field(5, string(field(1, s)))...)
}

func FuzzRender(f *testing.F) {
	for i, path := range corpusFiles(f) {
		if i%4 > 0 {
			continue // they are much alike
		}
		if file := judged(f, path); file.Verdict.Content != nil {
			if b, err := json.Marshal(file.Verdict.Content); err == nil && len(b) < 1500 {
				f.Add(uint8(0), path, b)
			}
		}
	}
	for i, name := range hostile {
		name = name[:min(len(name), 100)]
		f.Add(uint8(i), name, []byte(`{"entries":{"`+name+`":{"a":"1-2"}}}`))
	}
	f.Fuzz(func(t *testing.T, kind uint8, name string, b []byte) {
		if len(b) > 1<<11 || len(name) > 1<<8 {
			return
		}
		width := 40 + int(kind)
		contents := []any{&kubelet.CPUState{}, &kubelet.MemoryState{}, &kubelet.DeviceState{}, &kubelet.DRAState{}, &kubelet.AllocatedState{}}
		for _, c := range contents {
			if json.Unmarshal(b, c) == nil && !reflect.ValueOf(c).Elem().IsZero() {
				checkFile(t, File{Name: name, Verdict: kubelet.Verdict{State: kubelet.StateOK, Content: c}}, width)
			}
		}
		if kind%2 == 0 {
			checkFile(t, File{Name: name, Verdict: kubelet.Judge(b, kubelet.Options{})}, width)
		} else {
			checkFile(t, hostileFile(string(b), nil), width)
		}
	})
}
