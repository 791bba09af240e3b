package allocresp

import "testing"

// TestNoCDI: before 1.28 a message had no CDI devices, and whatever stood in
// their field was skipped.
func TestNoCDI(t *testing.T) {
	broken := []byte("\x2a\x05\xe7\x03v/c") // field 5, within it a field that ends too late
	for dialect, refused := range map[Dialect]bool{Google: true, Gogo: true, GogoNoCDI: false} {
		if _, err := Decode(broken, dialect); (err != nil) != refused {
			t.Errorf("%s: %v", dialect, err)
		}
	}
	whole := []byte("\x2a\x03\x0a\x01x\x0a\x06\x0a\x01k\x12\x01v")
	r, err := Decode(whole, GogoNoCDI)
	if err != nil || r.Envs["k"] != "v" || r.CDIDevices != nil || len(r.Unknown) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}
