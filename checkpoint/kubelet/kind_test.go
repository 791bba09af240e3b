package kubelet

import "testing"

// A file with the members of several kinds is always taken for the same.
func TestKindOfMixedContent(t *testing.T) {
	for _, c := range []struct {
		blob string
		want Kind
	}{
		{`{"machineState":{},"defaultCpuSet":""}`, CPU},
		{`{"registereddevices":{},"MACHINESTATE":{}}`, Memory},
		{`{"data":"{\"baselines\":{},\"machineState\":{}}","allocationEntries":{}}`, Allocated},
		{`{"data":"{\"machineState\":{}}","checksum":1}`, Memory},
	} {
		for range 50 {
			if got := Judge([]byte(c.blob), Options{}).Kind; got != c.want {
				t.Fatalf("%s is called %q, want %q", c.blob, got, c.want)
			}
		}
	}
}
