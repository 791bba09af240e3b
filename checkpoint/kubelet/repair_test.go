package kubelet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func replacing(old, new string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(new), 1) }
}

// asUTF16 is what an editor of another system stores.
func asUTF16(b []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(string(b))) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// Each sort of damage is undone byte for byte.
func TestRepair(t *testing.T) {
	const uid = "922acc1f-d886-5cc8-b44f-9ca08bae216a"
	tests := []struct {
		name, golden string
		damage       func([]byte) []byte
	}{
		{"cpuset", "cpu/1.29/static-1pod-1ctr.json", replacing(`"app":"2-3"`, `"app":"2-4"`)},
		{"policy", "cpu/1.29/static-3pods.json", replacing("static", "none")},
		{"sum", "dra/1.35/2claims.json", replacing("4136828286", "4136828287")},
		{"name", "cpu/1.29/static-1pod-1ctr.json", replacing("922acc1f", "922ACC1F")},
		{"field", "cpu/1.29/static-1pod-1ctr.json", replacing("defaultCpuSet", "defaultCpuSex")},
		{"entry added", "cpu/1.29/static-1pod-1ctr.json", replacing(`"entries":{`, `"entries":{"11111111-d886-5cc8-b44f-9ca08bae216a":{"x":"4"},`)},
		{"container added", "cpu/1.29/static-1pod-1ctr.json", replacing(`"app":"2-3"`, `"app":"2-3","b":"4"`)},
		{"added, data half", "cpu/1.37/static-3pods.json", replacing(`\"entries\":{`, `\"entries\":{\"11111111-d886-5cc8-b44f-9ca08bae216a\":{\"x\":\"4\"},`)},
		{"both halves", "cpu/1.37/static-3pods.json", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("8,10,12"), []byte("8,10,14")) }},
		{"legacy half", "memory/1.37/static-2numa-hugepages.json", replacing(`"Static"`, `"None"`)},
		{"data half", "memory/1.37/static-2numa-hugepages.json", replacing(`\"Static\"`, `\"None\"`)},
		{"null", "memory/1.29/static-1numa-1pod.json", replacing(`"numaAffinity":[0]`, `"numaAffinity":null`)},
		{"quantity", "allocated/1.29/1pod.json", replacing(`"500m"`, `"600m"`)},
		{"HTML escapes", "allocated/1.35/odd-names.json", func(b []byte) []byte {
			return []byte(strings.NewReplacer(`\\u003c`, "<", `\\u003e`, ">", `\\u0026`, "&").Replace(string(b)))
		}},
		{"tail", "cpu/1.29/static-1pod-1ctr.json", func(b []byte) []byte { return append(b, b[len(b)-30:]...) }},
		{"NUL bytes behind", "memory/1.29/static-1numa-1pod.json", func(b []byte) []byte { return append(b, make([]byte, 4096)...) }},
		{"byte order mark", "device/1.29/2resources-numa.json", func(b []byte) []byte { return append([]byte("\xef\xbb\xbf"), b...) }},
		{"UTF-16", "cpu/1.29/static-1pod-1ctr.json", asUTF16},
		{"comma", "cpu/1.29/static-1pod-1ctr.json", replacing("}}", "},}")},
		{"comment", "cpu/1.29/static-1pod-1ctr.json", replacing(`"entries"`, "/* mine */\"entries\"")},
		{"line break", "cpu/1.29/static-1pod-1ctr.json", replacing(uid, uid[:10]+"\n"+uid[10:])},
		{"quotation mark", "memory/1.29/static-1numa-1pod.json", replacing(`policyName"`, "policyName")},
		{"last bracket", "cpu/1.29/static-3pods.json", func(b []byte) []byte { return b[:len(b)-1] }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			old := goldenByFile(t, tt.golden).read(t)
			blob := tt.damage(bytes.Clone(old))
			if bytes.Equal(blob, old) {
				t.Fatal("nothing was damaged")
			}
			list := Diagnose(context.Background(), blob, DiagnoseOptions{})
			out, err := Repair(blob, Fix{Explanations: list}, Options{})
			if err != nil {
				t.Fatalf("%v: %+v", err, list)
			}
			if !bytes.Equal(out.Bytes, old) {
				t.Errorf("got  %.500s\nwant %.500s", out.Bytes, old)
			}
			if out.After.State != StateOK || out.Undone == nil || !accepted(out.Bytes, Options{}) {
				t.Errorf("%s after %+v", out.After.State, out.Undone)
			}
		})
	}
}

// What cannot be mended is refused, with the reason.
func TestRepairRefuses(t *testing.T) {
	const cpu1, cpu3, mem3 = "cpu/1.29/static-1pod-1ctr.json", "cpu/1.37/static-3pods.json", "memory/1.37/static-2numa-hugepages.json"
	same := func(b []byte) []byte { return b }
	resum := func(b []byte) []byte { // both halves are sound, but differ
		b = replacing(`\"Static\"`, `\"None\"`)(b)
		out, err := Repair(b, Fix{Reseal: true}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return out.Bytes
	}
	tests := []struct {
		name, golden string
		damage       func([]byte) []byte
		fix          Fix
		o            Options
		reason       string
	}{
		{"good", cpu1, same, Fix{}, Options{}, RepairNothing},
		{"good, to reseal", cpu1, same, Fix{Reseal: true}, Options{}, RepairNothing},
		{"half lost", cpu1, func(b []byte) []byte { return b[:80] }, Fix{}, Options{}, RepairLost},
		{"half lost, to reseal", cpu1, func(b []byte) []byte { return b[:80] }, Fix{Reseal: true}, Options{}, RepairUndecodable},
		{"empty", cpu1, func([]byte) []byte { return nil }, Fix{}, Options{}, RepairUnknown},
		{"no such number", cpu1, replacing("2-3", "2-4"), Fix{Apply: 2}, Options{}, RepairNoSuch},
		{"negative number", cpu1, replacing("2-3", "2-4"), Fix{Apply: -1}, Options{}, RepairNoSuch},
		{"unknown", cpu1, func(b []byte) []byte {
			return replacing("app", "xyzzyplugh")(replacing("922acc1f-d886", "11111111-2222")(b))
		}, Fix{Apply: 1}, Options{}, RepairUnknown},
		{"another version", cpu3, same, Fix{}, Options{Releases: []string{"1.13"}, Kind: CPU}, RepairSound},
		{"no reader", mem3, replacing(`\"Static\"`, `\"None\"`), Fix{}, Options{Releases: []string{"1.13"}, Kind: Memory}, RepairRefused},
		{"no reader, to reseal", cpu1, replacing("2-3", "2-4"), Fix{Reseal: true}, Options{Policy: "none"}, RepairRefused},
		{"two truths", mem3, resum, Fix{}, Options{}, RepairWhich},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			blob := tt.damage(bytes.Clone(goldenByFile(t, tt.golden).read(t)))
			tt.fix.Explanations = Diagnose(context.Background(), blob, DiagnoseOptions{Options: tt.o})
			out, err := Repair(blob, tt.fix, tt.o)
			var no *RepairError
			if !errors.As(err, &no) || no.Reason != tt.reason || no.Error() == "" {
				t.Errorf("got %q, %v, want %s; explanations: %.300v", out.Bytes, err, tt.reason, tt.fix.Explanations)
			}
		})
	}
}

// One explanation that is not certain, or several, need to be chosen.
func TestRepairChoice(t *testing.T) {
	for _, tt := range []struct {
		list   []Explanation
		reason string
	}{
		{[]Explanation{{Kind: KindValue, Confidence: Likely}}, RepairUncertain},
		{[]Explanation{{Kind: KindValue, Confidence: Certain}, {Kind: KindValue, Confidence: Possible}}, RepairSeveral},
		{[]Explanation{{Kind: KindUnknown}}, RepairUnknown},
	} {
		_, err := (&Fix{Explanations: tt.list}).choose()
		var no *RepairError
		if !errors.As(err, &no) || no.Reason != tt.reason {
			t.Errorf("%+v: %v", tt.list, err)
		}
	}
	list := []Explanation{{Kind: KindValue, Confidence: Likely}, {Kind: KindKey, Confidence: Possible}}
	if e, err := (&Fix{Explanations: list, Apply: 2}).choose(); err != nil || e.Kind != KindKey {
		t.Errorf("%v, %v", e, err)
	}
}

// A reseal changes the sums alone, of every format.
func TestRepairReseal(t *testing.T) {
	n := 0
	for _, g := range goldens(t) {
		blob := g.read(t)
		v := Judge(blob, g.options())
		if v.State != StateOK || !accepted(blob, g.options()) {
			continue
		}
		f := newSession(blob).identify(tableOf(g.Kind)).format
		sh := sheetsOf(blob, f)
		p, ok := sh.value(f.sums[0].field, "12345", false)
		if !ok {
			continue
		}
		broken := patched(blob, []patch{p})
		out, err := Repair(broken, Fix{Reseal: true}, g.options())
		if err != nil {
			t.Errorf("%s: %v", g.File, err)
			continue
		}
		n++
		if !accepted(out.Bytes, g.options()) {
			t.Errorf("%s: nobody accepts the result", g.File)
		}
		if strings.Contains(g.File, "derived-") {
			continue // its other sum is wrong too
		}
		if !bytes.Equal(out.Bytes, blob) || !out.Exact || len(out.Certified) != 1 || out.Undone != nil {
			// A release may print the type under another name, and so have another sum.
			if len(f.sums[0].spellings) < 2 && len(v.Written) > 0 && f == newSession(out.Bytes).identify(tableOf(g.Kind)).format {
				t.Errorf("%s: resealed to %.300s, certified %+v", g.File, out.Bytes, out.Certified)
			}
		}
	}
	t.Logf("%d files", n)
	if n < 150 {
		t.Errorf("only %d files were resealed", n)
	}
}

// A file without a place for its sum is encoded anew.
func TestRepairResealWithoutSum(t *testing.T) {
	blob := []byte(`{"policyName":"static","defaultCpuSet":"0-1","entries":{"p":{"c":"2-3"}}}`)
	out, err := Repair(blob, Fix{Reseal: true}, Options{Releases: []string{"1.35"}})
	if err != nil || out.Exact || out.After.State != StateOK || len(out.Changes) > 0 {
		t.Errorf("%s, %v: %+v", out.Bytes, err, out.Changes)
	}
}

// The data half decides where both are sound but differ, once that is chosen.
func TestRepairHalves(t *testing.T) {
	blob := bytes.Replace(goldenByFile(t, "cpu/1.37/static-3pods.json").read(t), []byte(`\"8,10,12\"`), []byte(`\"8,10\"`), 1)
	out, err := Repair(blob, Fix{Reseal: true}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := Diagnose(context.Background(), out.Bytes, DiagnoseOptions{})
	mended, err := Repair(out.Bytes, Fix{Explanations: list, Apply: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(mended.After.Findings, func(f Finding) bool { return f.Code == codeHalves || f.Code == codeLegacyMismatch }) {
		t.Errorf("the halves still differ: %s", mended.Bytes)
	}
	if len(Changes(out.After.Content, mended.After.Content)) > 0 {
		t.Error("the data half was changed")
	}
	var doc struct{ Entries map[string]map[string]string }
	if err := json.Unmarshal(mended.Bytes, &doc); err != nil || doc.Entries["39e8f42e-c31c-5523-b94a-280a7aa13c19"]["worker"] != "8,10" {
		t.Errorf("%v: %s", err, mended.Bytes)
	}
}
