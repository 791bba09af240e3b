package kubelet

import (
	"reflect"
	"testing"
)

// TestEncodeReadBack writes for every release, and the same release reads it.
func TestEncodeReadBack(t *testing.T) {
	for _, content := range []any{
		&CPUState{PolicyName: "static", DefaultCPUSet: "0-1,4", Entries: map[string]map[string]string{"p": {"c": "2-3"}}},
		&MemoryState{PolicyName: "Static", MachineState: NUMANodes{0: {NumberOfAssignments: 1, Cells: []int{0},
			MemoryMap: map[ResourceName]*MemoryTable{"memory": {TotalMemSize: 9, Allocatable: 9, Reserved: 2, Free: 7}}}},
			Entries: ContainerMemory{"p": {"c": {{NUMAAffinity: []int{0}, Type: "memory", Size: 2}}}}},
	} {
		kind := CPU
		if _, ok := content.(*MemoryState); ok {
			kind = Memory
		}
		for _, r := range Releases() {
			blob, err := Encode(content, r.Name, nil)
			if r.Name == "1.13" {
				if err == nil {
					t.Errorf("%s writes %s", r.Name, blob)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", r.Name, err)
				continue
			}
			v := Judge(blob, Options{Kind: kind, Releases: []string{r.Name}, Gates: map[string]bool{}})
			if v.State != StateOK || len(v.Kubelets) != 1 || !reflect.DeepEqual(v.Kubelets[0].State(), content) {
				t.Errorf("%s writes %s, which it reads as %+v", r.Name, blob, v)
			}
		}
	}
	for _, wrong := range []any{nil, CPUState{}, &DeviceState{}, (*CPUState)(nil), (*MemoryState)(nil)} {
		if _, err := Encode(wrong, "1.37", nil); err == nil {
			t.Errorf("encodes %T", wrong)
		}
	}
	if _, err := Encode(&CPUState{}, "1.99x", nil); err == nil {
		t.Error("encodes for a release that there is not")
	}
}
