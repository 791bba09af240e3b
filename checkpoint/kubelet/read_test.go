package kubelet

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checksum"
)

// readAny is the typed reader of a kind, with its type forgotten.
func readAny(k Kind, blob []byte) (state any, r Reading, err error) {
	switch k {
	case CPU:
		state, r, err = ReadCPU(blob)
	case Memory:
		state, r, err = ReadMemory(blob)
	case Device:
		state, r, err = ReadDevices(blob)
	case DRA:
		state, r, err = ReadDRA(blob)
	default:
		state, r, err = ReadAllocated(blob)
	}
	if reflect.ValueOf(state).IsNil() {
		state = nil
	}
	return state, r, err
}

// Every file of every kubelet is read, as what Judge says it is; and what the
// kubelet that wrote it held then is in the state.
func TestReadGoldens(t *testing.T) {
	read := map[Kind]map[string]bool{}
	for _, g := range goldens(t) {
		v := Judge(g.read(t), Options{Kind: g.Kind})
		st, r, err := readAny(g.Kind, g.read(t))
		if r.Format != v.Format || r.State != v.State || !reflect.DeepEqual(st, v.Content) {
			t.Errorf("%s: %+v, Judge says %s %s", g.File, r, v.Format, v.State)
		}
		if corrupt := v.State == StateCorrupt; corrupt != (err != nil) || corrupt != errors.Is(err, checksum.ErrCorruptCheckpoint) {
			t.Errorf("%s is %s: %v", g.File, v.State, err)
		}
		if read[g.Kind] == nil {
			read[g.Kind] = map[string]bool{}
		}
		read[g.Kind][r.Format] = true
	}
	for kind, formats := range map[Kind]int{CPU: 4, Memory: 3, Device: 2, DRA: 3, Allocated: 3} {
		if len(read[kind]) != formats {
			t.Errorf("%s: read %v", kind, read[kind])
		}
	}
}

// Each reader refuses the files of the others, with a sentence and no state.
func TestReadTheWrongKind(t *testing.T) {
	kinds := []Kind{CPU, Memory, Device, DRA, Allocated}
	for file, is := range map[string]Kind{
		"cpu/1.36/static-3pods+PLRM.json": CPU, "memory/1.37/static-1numa-1pod.json": Memory,
		"device/1.29/2resources-numa.json": Device, "dra/1.37/skip-node-ops.json": DRA,
	} {
		blob, err := os.ReadFile(filepath.Join(testdata, "kubelets", file))
		if errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is not there", file)
			continue
		}
		for _, k := range kinds {
			st, _, err := readAny(k, blob)
			var re *ReadError
			if k == is && err != nil || k != is && (!errors.As(err, &re) || re.Kind != k) {
				t.Errorf("%s as %s: %v", file, k, err)
			}
			if k != is && st != nil && re.State != StateCorrupt {
				t.Errorf("%s as %s: %+v", file, k, st)
			}
		}
	}
}

// What is no checkpoint gets one sentence.
func TestReadDamage(t *testing.T) {
	for _, blob := range []string{"", "\x00\x00", "{", "{}x", "[]", "null", `"x"`, `{"entries":7}`, strings.Repeat("[", 100000)} {
		for _, k := range []Kind{CPU, Memory, Device, DRA, Allocated} {
			st, r, err := readAny(k, []byte(blob))
			var re *ReadError
			if err == nil {
				if r.State != StateUnsigned && r.State != StateOK {
					t.Errorf("%s: %.20q is read as %+v", k, blob, st)
				}
				continue
			}
			if !errors.As(err, &re) || strings.ContainsAny(err.Error(), "\n\x00") || len(err.Error()) > 400 || re.State == StateDamaged && (st != nil || re.Damage == nil) {
				t.Errorf("%s: %.20q: %v, %+v", k, blob, err, st)
			}
		}
	}
	_, _, err := ReadCPU([]byte(`{"policyName":"static"`))
	if want := "cannot read the cpu file: the file ends after 22 bytes, in the middle of the JSON"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A file whose sum does not fit is returned, with the error.
func TestReadCorrupt(t *testing.T) {
	blob, err := os.ReadFile(filepath.Join(testdata, "reports", "32-talos-7557-2containers.json"))
	if err != nil {
		t.Fatal(err)
	}
	st, r, err := ReadCPU(blob)
	want := "cannot read the cpu/v2 file: the stored checksum is 1986161931, but the content gives 1273885234"
	if err == nil || err.Error() != want || st == nil || st.Entries["dae8d8fd-2321-413f-8775-201307c32252"]["nginx"] != "4" || r.State != StateCorrupt {
		t.Errorf("%v\n%+v, %+v", err, st, r)
	}
}

// The shapes of all versions come out as one.
func TestOneShape(t *testing.T) {
	for file, want := range map[string]string{
		"device/1.13/v1-2resources.json":   "device/v1",
		"device/1.29/2resources-numa.json": "device/v2",
	} {
		st, r, err := ReadDevices(goldenFile(t, file))
		if err != nil || r.Format != want || len(st.PodDeviceEntries) == 0 {
			t.Fatalf("%s: %+v, %v", file, r, err)
		}
		for _, e := range st.PodDeviceEntries {
			if ids := e.IDs(); len(ids) == 0 || slices.Contains(ids, "") {
				t.Errorf("%s: %s has devices %q", file, e.ContainerName, ids)
			}
		}
	}
	for _, g := range goldens(t) {
		switch g.Kind {
		case DRA:
			st, _, err := ReadDRA(g.read(t))
			if err != nil {
				continue
			}
			claims := st.List()
			if len(claims) != len(st.Claims)+len(st.ClaimInfoStateList) {
				t.Errorf("%s: %d claims", g.File, len(claims))
			}
			for i, c := range claims {
				if c.ClaimUID == "" || i < len(st.Claims) && len(c.DriverState) != len(st.Claims[i].CDIDevices) {
					t.Errorf("%s: %+v", g.File, c)
				}
			}
		case Allocated:
			st, _, err := ReadAllocated(g.read(t))
			if err != nil {
				continue
			}
			pods := st.ByPod()
			if len(pods) != len(st.Pods)+len(st.Containers)+len(st.Lists) {
				t.Errorf("%s: %d pods", g.File, len(pods))
			}
			for uid, containers := range st.Lists {
				for name, list := range containers {
					if !reflect.DeepEqual(pods[uid].ContainerResources[name].Requests, list) {
						t.Errorf("%s: %s/%s", g.File, uid, name)
					}
				}
			}
		}
	}
}

// What is empty for a kubelet is empty here, and what none knows is told.
func TestReadEmptyAndUnknown(t *testing.T) {
	for _, blob := range []string{"{}", "null"} {
		if st, r, err := ReadCPU([]byte(blob)); err != nil || st == nil || r.State != StateUnsigned || len(st.Entries) != 0 {
			t.Errorf("%s: %+v, %+v, %v", blob, st, r, err)
		}
	}
	_, r, err := ReadCPU([]byte(`{"policyName":"none","defaultCpuSet":"","checksum":1353318690,"later":1}`))
	if err != nil || r.State != StateOK || len(r.Findings) != 1 || r.Findings[0].Code != "unknown-field" || r.Findings[0].Path != "later" {
		t.Errorf("%+v, %v", r, err)
	}
	const want = "cannot read the memory file: this is a good cpu file"
	st, r, err := ReadMemory([]byte(`{"policyName":"none","defaultCpuSet":"","checksum":1353318690}`))
	if err == nil || err.Error() != want || st != nil || r.Format != "" {
		t.Errorf("%+v, %+v, %v, want %q", st, r, err, want)
	}
}

func goldenFile(t *testing.T, name string) []byte {
	t.Helper()
	blob, err := os.ReadFile(filepath.Join(testdata, "kubelets", name))
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

func TestParseCPUs(t *testing.T) {
	if got, err := ParseCPUs("0-3,8"); err != nil || !slices.Equal(got, []int{0, 1, 2, 3, 8}) {
		t.Error(got, err)
	}
	if got, err := ParseCPUs(""); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	for _, bad := range []string{"x", "3-1", "0-999999999", "0-9223372036854775807"} {
		if got, err := ParseCPUs(bad); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", bad, got)
		}
	}
}
