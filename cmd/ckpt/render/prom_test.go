package render

import (
	"regexp"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

var (
	sample = regexp.MustCompile(`^([a-z_]+)\{((?:[a-z]+="(?:[^"\\\n]|\\\\|\\")*",?)+)\} ([0-9]+)$`)
	uid    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}|[0-9a-f]{32}`)
)

// checkMetrics holds text to the exposition format, as the collector reads it.
func checkMetrics(t *testing.T, text string) {
	t.Helper()
	if !strings.HasSuffix(text, "\n") {
		t.Error("no line feed at the end: node_exporter refuses the file")
	}
	typed, series := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if fields := strings.Fields(line); fields[0] == "#" {
			if fields[1] == "TYPE" {
				if typed[fields[2]] {
					t.Errorf("two families %s", fields[2])
				}
				typed[fields[2]] = true
			}
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a sample: %q", line)
			continue
		}
		if !typed[m[1]] {
			t.Errorf("%s comes before its type", m[1])
		}
		if series[m[1]+m[2]] {
			t.Errorf("series twice: %s", line)
		}
		series[m[1]+m[2]] = true
	}
}

func TestProm(t *testing.T) {
	files := node(t)
	checkMetrics(t, verified(t, Prom, append(files, files...), Options{}))
	for _, name := range hostile {
		content := hostileContents(name)[1]
		checkMetrics(t, verified(t, Prom, []File{hostileFile(name, content), hostileFile(name+" ", content)}, Options{}))
	}
	checkMetrics(t, verified(t, Prom, nil, Options{}))
}

func TestPromValid(t *testing.T) {
	tests := []struct {
		file File
		want string
	}{
		{File{Name: "a", Verdict: kubelet.Verdict{State: kubelet.StateOK}}, `ckpt_file_valid{file="a"} 1`},
		{File{Name: "b", Verdict: kubelet.Verdict{State: kubelet.StateUnreadable}}, `ckpt_file_valid{file="b"} 0`},
		{File{Name: "c", Verdict: kubelet.Verdict{State: kubelet.StateOK,
			Findings: []kubelet.Finding{{Severity: kubelet.SeverityError}}}}, `ckpt_file_valid{file="c"} 0`},
	}
	for _, tt := range tests {
		if got := verified(t, Prom, []File{tt.file}, Options{}); !strings.Contains(got, tt.want+"\n") {
			t.Errorf("no %s in\n%s", tt.want, got)
		}
	}
	missing := File{Name: "d", Verdict: kubelet.Verdict{State: kubelet.StateMissing}}
	if got := verified(t, Prom, []File{missing}, Options{}); strings.Contains(got, "\nckpt_file_valid") {
		t.Errorf("a missing file is said to be valid or not:\n%s", got)
	}
}
