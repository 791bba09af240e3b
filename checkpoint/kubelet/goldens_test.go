package kubelet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wantFormat is the format that a release writes, from the kubelet's sources.
func wantFormat(kind Kind, release string, podLevel bool) string {
	n := minor(release)
	pick := func(since []int) string {
		v := 0
		for _, s := range since {
			if n >= s {
				v++
			}
		}
		return string(kind) + "/v" + string(rune('0'+v))
	}
	switch kind {
	case CPU:
		switch {
		case n >= 37:
			return "cpu/v4"
		case podLevel:
			return "cpu/v3"
		}
		return pick([]int{0, 18})
	case Memory:
		switch {
		case n >= 37:
			return "memory/v3"
		case podLevel:
			return "memory/v2"
		}
		return "memory/v1"
	case Device:
		return pick([]int{0, 20})
	case DRA:
		return pick([]int{0, 30, 31})
	}
	return pick([]int{0, 32, 33})
}

// alike lists files that several formats hash and spell in the same way; they
// are called by the newer one.
func alike(g golden, want string) string {
	switch {
	case strings.Contains(g.File, "v1-fresh"): // no entry shows the layout
		return "device/v2"
	case want == "dra/v1" && (strings.Contains(g.File, "created") || strings.Contains(g.File, "fresh")): // no handle
		return "dra/v2"
	case want == "allocated/v2" && strings.HasSuffix(g.File, "/empty.json"): // no pod
		return "allocated/v3"
	}
	return want
}

func TestGoldens(t *testing.T) {
	n := 0
	for _, g := range goldens(t) {
		v := Judge(g.read(t), g.options())
		for _, w := range g.Writers {
			n++
			release := w.Writer[:strings.LastIndexByte(w.Writer, '.')]
			podLevel := strings.Contains(w.Gates, GatePodLevelResourceManagers+"=true")
			want := alike(g, wantFormat(g.Kind, release, podLevel))
			state := StateOK
			switch {
			case strings.HasPrefix(w.Case, "derived-"):
				state = StateUnsigned
				if g.Kind == Memory || g.Kind == CPU {
					break
				}
				state = StateCorrupt
			case strings.Contains(w.Case, "noncanonical") && want == "allocated/v1",
				strings.Contains(w.Case, "odd-quantities") && want == "allocated/v1",
				w.Case == "fresh" && g.Kind == DRA && minor(release) < 31,
				w.Case == "static-pod-level-odd+PLRM" && want == "memory/v2":
				state = StateCorrupt // no kubelet reads it back
			}
			if strings.HasPrefix(w.Case, "derived-") && release == "1.37" {
				state = StateOK // only the legacy half was touched
			}
			if v.Format != want || v.State != state || v.Kind != g.Kind {
				t.Errorf("%s by %s %s: %s %s, want %s %s", g.File, w.Writer, w.Case, v.Format, v.State, want, state)
			}
		}
		o := g.options()
		o.Kind = ""
		if k := Judge(g.read(t), o).Kind; k != g.Kind {
			t.Errorf("%s: kind %s from the content alone", g.File, k)
		}
		o = g.options()
		o.Policy = ""
		if got := Judge(g.read(t), o).Policy; got != g.Policy && g.Kind != Device {
			t.Errorf("%s: policy %q, want %q", g.File, got, g.Policy)
		}
	}
	if n != 601 {
		t.Errorf("%d files", n)
	}
}

// TestMatrix holds the answers for the goldens against those of the kubelets.
func TestMatrix(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(testdata, "kubelets", "matrix.json"))
	if err != nil {
		t.Fatal(err)
	}
	var matrix struct {
		Errors map[string]string
		Rows   []struct {
			Kind    Kind
			Writer  string
			Cases   []string
			Answers map[string]string
		}
	}
	if err := json.Unmarshal(b, &matrix); err != nil {
		t.Fatal(err)
	}
	index := goldensByWriter(t)
	n := 0
	for _, row := range matrix.Rows {
		for _, c := range row.Cases {
			name := string(row.Kind) + "/" + row.Writer + "/" + c + ".json"
			g := index[name]
			v := Judge(g.read(t), g.options())
			for _, a := range v.Kubelets {
				n++
				want := row.Answers[a.label()]
				got := string(a.Verdict)
				switch want {
				case "ok", "ok+":
					want = string(Accepted)
					if dropsEntries(a) {
						// The matrix looks at the checkpoint alone. The device
						// manager then drops what it cannot decode.
						want = string(Lossy)
					}
				case "LOSSY":
					want = string(Lossy)
				default:
					want, got = matrix.Errors[want], a.Error
				}
				if got != want && !(a.Verdict == Refused && a.Random && sameButNames(got, want)) {
					t.Errorf("%s read by %s: %s %v, want %s", name, a.label(), got, a.Lost, want)
				}
			}
		}
	}
	if n != 6600 {
		t.Errorf("%d answers compared, the kubelets gave 6600", n)
	}
}

func dropsEntries(a Answer) bool {
	for _, p := range a.Lost {
		if !strings.HasPrefix(p, "Data.PodDeviceEntries[") {
			return false
		}
	}
	return len(a.Lost) > 0
}
