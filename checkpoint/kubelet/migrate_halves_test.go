package kubelet

import (
	"strings"
	"testing"
)

// apart are files whose halves say different things, with what of them is lost
// to any target.
func apart(t *testing.T) map[string][]byte {
	t.Helper()
	edit := func(file, old, new string) []byte {
		blob := string(goldenByFile(t, file).read(t))
		if !strings.Contains(blob, old) {
			t.Fatalf("no %s in %s", old, blob)
		}
		return []byte(strings.Replace(blob, old, new, 1))
	}
	return map[string][]byte{
		"entries.922acc1f-d886-5cc8-b44f-9ca08bae216a.app": edit("cpu/1.37/static-3pods.json", `"2-3"`, `"2-5"`),
		"entries.922acc1f-d886-5cc8-b44f-9ca08bae216a":     edit("cpu/1.37/static-3pods.json", `"922acc1f-d886-5cc8-b44f-9ca08bae216a":`, `"a.b\"c":{},"922acc1f-d886-5cc8-b44f-9ca08bae216b":`),
		"machineState.0.memoryMap.memory.free":             edit("memory/1.37/static-1numa-1pod.json", `"free":`, `"free":1`),
	}
}

// TestMigrateHalves: what the legacy half alone says is not dropped in silence,
// whether its sum is that of an edit or good.
func TestMigrateHalves(t *testing.T) {
	for path, blob := range apart(t) {
		resealed, err := Repair(blob, Fix{Reseal: true}, Options{})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for name, blob := range map[string][]byte{"edited": blob, "resealed": resealed.Bytes} {
			for _, to := range []string{"1.35", "1.37"} {
				m, err := Migrate(blob, Target{Release: to}, Options{})
				if err != nil {
					t.Errorf("%s, %s, for %s: %v", path, name, to, err)
					continue
				}
				found := false
				for _, l := range m.Losses {
					found = found || l.Path == path && strings.Contains(l.Reason, "the legacy half, all that kubelets up to 1.36 read, says")
				}
				if !found {
					t.Errorf("%s, %s, for %s: losses %v", path, name, to, m.Losses)
				}
			}
		}
	}
}

// TestMigrateHalvesInWords: what each half says is shown where it is short.
func TestMigrateHalvesInWords(t *testing.T) {
	m, err := Migrate(apart(t)["entries.922acc1f-d886-5cc8-b44f-9ca08bae216a.app"], Target{Release: "1.35"}, Options{})
	const want = "the legacy half, all that kubelets up to 1.36 read, says 2-5 here; the data half, which is written, says 2-3"
	if err != nil || len(m.Losses) != 1 || m.Losses[0].Reason != want {
		t.Errorf("%v, %v", m.Losses, err)
	}
}

// TestMigrateHalvesAlike: another spelling of the same is no loss.
func TestMigrateHalvesAlike(t *testing.T) {
	blob := strings.Replace(string(goldenByFile(t, "cpu/1.37/static-3pods.json").read(t)), `"2-3"`, `"2,3"`, 1)
	if m, err := Migrate([]byte(blob), Target{Release: "1.35"}, Options{}); err != nil || len(m.Losses) != 0 {
		t.Errorf("%v, %v", m.Losses, err)
	}
}
