package kubelet

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"
)

// FuzzJudge holds whatever comes to the promises of Judge.
func FuzzJudge(f *testing.F) {
	for _, g := range goldens(f) {
		if b := g.read(f); len(b) < 4<<10 {
			f.Add(b, string(g.Kind))
		}
	}
	for _, j := range readJudged(f, filepath.Join(testdata, "reports", "verdicts.jsonl.gz")) {
		f.Add(j.blob(), "")
	}
	f.Fuzz(func(t *testing.T, blob []byte, kind string) {
		o := Options{Kind: Kind(kind)}
		v := Judge(blob, o)
		if !reflect.DeepEqual(v, Judge(blob, o)) {
			t.Fatal("two judgements differ")
		}
		if _, err := json.Marshal(v); err != nil {
			t.Fatal(err)
		}
		if (v.State == StateDamaged) != (v.Damage != nil) {
			t.Fatalf("state %s, damage %+v", v.State, v.Damage)
		}
		if v.Damage == nil && !json.Valid(blob) {
			t.Fatalf("state %s of what is not JSON", v.State)
		}
		bad := v.State == StateDamaged || v.State == StateCorrupt || v.State == StateOther
		if bad && !hasError(v) {
			t.Fatalf("state %s without an error among %+v", v.State, v.Findings)
		}
		if v.State == StateOK && (len(v.Checksums) == 0 || !v.Checksums[0].OK || v.Format == "") {
			t.Fatalf("ok with format %q and checksums %+v", v.Format, v.Checksums)
		}
		for _, a := range v.Kubelets {
			if (a.Verdict == Refused) != (a.Error != "") || (a.Verdict == Lossy) != (len(a.Lost) > 0 && a.Error == "") {
				t.Fatalf("inconsistent answer %+v", a)
			}
		}
		if texts, err := Texts(blob, "", o); err == nil && texts[0].Format != v.Format && v.Damage == nil {
			t.Fatalf("hashed as %s, judged as %s", texts[0].Format, v.Format)
		}
	})
}

func hasError(v Verdict) bool {
	for _, f := range v.Findings {
		if f.Severity == SeverityError {
			return true
		}
	}
	return false
}

// FuzzCPUList: the bound on CPU sets counts as many CPUs as the sets have.
func FuzzCPUList(f *testing.F) {
	for _, s := range []string{"", "0", "0-3,8", "0-", "9-3", "1,,2", "0-99999999999", "-1", "0x2", "+1-+3", "5-5,5", " 1", "9223372036854775807", "9223372036854775806-9223372036854775807", "1-2-3", "5-4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, list string) {
		n := listLength(list)
		if n > maxCPUs {
			return
		}
		for _, release := range []string{"1.13", "1.37"} {
			r := reader{release: Release{Name: release}}
			if set, err := r.parseCPUs(list); err == nil && set.Size() > n {
				t.Fatalf("%s: %q has %d CPUs, counted %d", release, list, set.Size(), n)
			}
		}
	})
}
