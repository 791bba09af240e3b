package kubelet

import (
	"strings"
	"testing"
)

// TestAskedKubelets: a kubelet that reads the legacy half of a newer file reads
// the file, and damage of a half is damage to whoever is asked.
func TestAskedKubelets(t *testing.T) {
	good := string(goldenByFile(t, "cpu/1.37/static-3pods.json").read(t))
	legacy := strings.Replace(good, `"app":"2-3"`, `"app":"2-5"`, 1)
	data := strings.Replace(good, `\"app\":\"2-3\"`, `\"app\":\"2-5\"`, 1)
	if legacy == good || data == good {
		t.Fatal("the golden has changed")
	}
	for _, c := range []struct {
		name, blob, release string
		want                State
	}{
		{"good", good, "", StateOK},
		{"good", good, "1.36", StateOK},
		{"good", good, "1.29", StateOK},
		{"good", good, "1.13", StateOther},
		{"legacy half", legacy, "", StateOK},
		{"legacy half", legacy, "1.36", StateCorrupt},
		{"data half", data, "", StateCorrupt},
		{"data half", data, "1.37", StateCorrupt},
	} {
		o := Options{Kind: CPU}
		if c.release != "" {
			o.Releases = []string{c.release}
		}
		v := Judge([]byte(c.blob), o)
		if v.State != c.want || v.Format != "cpu/v4" {
			t.Errorf("%s for %q: %s %s, want %s", c.name, c.release, v.Format, v.State, c.want)
		}
		if reads := len(v.Kubelets) > 0 && v.Kubelets[0].Verdict == Accepted; c.release != "" && reads != (c.want == StateOK) {
			t.Errorf("%s for %q: %+v", c.name, c.release, v.Kubelets[0])
		}
	}
	// No release that is known was asked: nothing is said of version skew.
	if v := Judge([]byte(good), Options{Kind: CPU, Releases: []string{"9.9"}}); v.State != StateOK || hasError(v) {
		t.Errorf("an unknown release: %s %+v", v.State, v.Findings)
	}
}
