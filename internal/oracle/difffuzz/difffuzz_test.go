package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/oracle"
)

const testdata = "../../../testdata"

var readSeeds = sync.OnceValues(func() ([]file, error) { return seeds(testdata) })

func pool(t *testing.T) []file {
	t.Helper()
	all, err := readSeeds()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(all)
}

func TestTreeKeepsFiles(t *testing.T) {
	n := 0
	for _, f := range pool(t) {
		root, err := parse(f.Blob)
		if err != nil {
			continue
		}
		again, err := parse(root.bytes())
		if err != nil || !bytes.Equal(root.bytes(), again.bytes()) {
			t.Fatalf("%q became %q: %v", f.Blob, root.bytes(), err)
		}
		if bytes.Equal(root.bytes(), f.Blob) {
			n++
		}
	}
	if n < 300 { // the genuine files at least, which kubelets print as we do
		t.Errorf("only %d files came out byte by byte", n)
	}
}

func TestSeedDecides(t *testing.T) {
	run := func(seed uint64) (blobs [][]byte) {
		m := &mutator{r: rand.New(rand.NewPCG(seed, 0)), pool: pool(t)}
		m.given = len(m.pool)
		for range 300 {
			blobs = append(blobs, m.next().Blob)
		}
		return blobs
	}
	first, second, other := run(5), run(5), run(6)
	differ := 0
	for i := range first {
		if !bytes.Equal(first[i], second[i]) {
			t.Fatalf("file %d is %q and %q", i, first[i], second[i])
		}
		if !bytes.Equal(first[i], other[i]) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("another seed gives the same files")
	}
}

func TestResum(t *testing.T) {
	for _, format := range []string{"cpu/v2", "cpu/v4", "memory/v1", "memory/v3", "device/v2", "dra/v3", "allocated/v1", "allocated/v3"} {
		kind := filepath.Dir(format)
		done := false
		for _, f := range pool(t) {
			v := kubelet.Judge(f.Blob, f.options())
			if f.Kind != kind || v.Format != format || v.State != kubelet.StateOK {
				continue
			}
			root, err := parse(f.Blob)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range v.Checksums {
				root.set(c.Field, bare("12345"))
			}
			f.Blob = root.bytes()
			if s := kubelet.Judge(f.Blob, f.options()).State; s == kubelet.StateOK {
				t.Errorf("%s with a wrong sum is %s", format, s)
			}
			f.Blob = resumAs(steady(), f, root, format)
			if s := kubelet.Judge(f.Blob, f.options()).State; s != kubelet.StateOK {
				t.Errorf("%s summed again is %s: %s", format, s, f.Blob)
			}
			done = true
			break
		}
		if !done {
			t.Errorf("no file of %s", format)
		}
	}
}

// agreeing makes the answers that kubelets would give if ours were right.
func agreeing(t *testing.T, v *kubelet.Verdict) oracle.Answers {
	t.Helper()
	out := oracle.Answers{}
	for _, a := range v.Kubelets {
		state, err := json.Marshal(a.State())
		if err != nil {
			t.Fatal(err)
		}
		out[label(a)] = oracle.Answer{Accepted: a.Verdict != kubelet.Refused, Error: a.Error, Panic: a.Panics, State: state}
	}
	return out
}

func TestCompareFindsWhatIsPlanted(t *testing.T) {
	f := file{Case: oracle.Case{Kind: "memory", Policy: "Static"}}
	for _, p := range pool(t) {
		if p.base == "memory/1.37.2/static-pod-level+PLRM.json" {
			f = p
			break
		}
	}
	v := kubelet.Judge(f.Blob, f.options())
	if found := compare(&f, &v, agreeing(t, &v)); len(found) > 0 {
		t.Fatalf("disagreements with our own answers: %+v", found)
	}
	tests := []struct {
		what  string
		label string
		plant func(*oracle.Answer)
	}{
		{"verdict", "1.37", func(a *oracle.Answer) { a.Accepted = false }},
		{"error", "1.33", func(a *oracle.Answer) { a.Error = "other" }},
		{"panic", "1.29", func(a *oracle.Answer) { a.Panic = true }},
		{"state", "1.36[P]", func(a *oracle.Answer) { a.State = bytes.Replace(a.State, []byte("memory"), []byte("Memory"), 1) }},
	}
	for _, test := range tests {
		answers := agreeing(t, &v)
		a := answers[test.label]
		test.plant(&a)
		answers[test.label] = a
		found := compare(&f, &v, answers)
		if len(found) != 1 || found[0].what != test.what || found[0].label != test.label {
			t.Errorf("%s of %s: found %+v", test.what, test.label, found)
		}
	}
	for i := range v.Kubelets {
		if v.Kubelets[i].Verdict == kubelet.Lossy {
			v.Kubelets[i].Verdict = kubelet.Accepted
			if found := compare(&f, &v, agreeing(t, &v)); len(found) != 1 || found[0].what != "lossy" {
				t.Errorf("%s forgets pods: found %+v", label(v.Kubelets[i]), found)
			}
			return
		}
	}
	t.Error("no kubelet loses anything of the file")
}

func TestTooWide(t *testing.T) {
	for text, want := range map[string]bool{
		`"0-3"`: false, `"0-99999"`: false, `"0-100000"`: true, `{"data":"{\"a\":\"1-9999999\"}"}`: true, `"0\u002d1234567"`: true, `"0-\u00311234567,"`: true,
		`"0-+1000000"`: true, `"922acc1f-d886-5cc8-b44f-9ca08bae216a"`: false,
	} {
		if tooWide([]byte(text)) != want {
			t.Errorf("%s: %v, want %v", text, !want, want)
		}
	}
}
