package render

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// writeProm writes metrics for node_exporter's textfile collector: no
// timestamps, no series twice, and nothing of a pod in a label. A file that is not
// there has no ckpt_file_valid, so that a node without the feature does not alert.
func writeProm(w io.Writer, files []File) error {
	files = distinct(files)
	var m metrics
	m.family("ckpt_file_valid", "Whether the file has no finding of severity error (1) or has, or cannot be read (0).")
	for _, f := range files {
		if f.Verdict.State != kubelet.StateMissing {
			m.sample(!f.bad() && !f.undecided(), "file", f.Name)
		}
	}
	m.family("ckpt_file_info", "What the file is; always 1.")
	for _, f := range files {
		v := f.Verdict
		m.number(1, "file", f.Name, "kind", string(cmp.Or(v.Kind, kubelet.Unknown)), "format", v.Format, "state", string(v.State), "policy", v.Policy)
	}
	m.family("ckpt_file_findings", "Findings in the file by severity.")
	for _, f := range files {
		for _, s := range severities {
			m.number(f.count(s), "file", f.Name, "severity", string(s))
		}
	}
	m.family("ckpt_file_accepted", "Whether the kubelet of a release accepts the file, with feature gates set as named.")
	for _, f := range files {
		seen := map[[2]string]bool{}
		for _, a := range f.Verdict.Kubelets {
			key := [2]string{a.Release, gateLabel(a.Gates)}
			if !seen[key] {
				seen[key] = true
				m.sample(a.Verdict != kubelet.Refused, "file", f.Name, "release", key[0], "gates", key[1])
			}
		}
	}
	_, err := io.WriteString(w, m.out.String())
	return err
}

// distinct drops files whose label was seen before.
func distinct(files []File) (kept []File) {
	seen := map[string]bool{}
	for _, f := range files {
		if name := label(f.Name); !seen[name] {
			seen[name] = true
			kept = append(kept, f)
		}
	}
	return kept
}

// gateLabel is "A=true,B=false", as the kubelet's flag spells it.
func gateLabel(gates map[string]bool) string {
	var parts []string
	for _, name := range sortedKeys(gates) {
		parts = append(parts, name+"="+strconv.FormatBool(gates[name]))
	}
	return strings.Join(parts, ",")
}

// metrics writes the text exposition format.
type metrics struct {
	out  strings.Builder
	name string
}

func (m *metrics) family(name, help string) {
	m.name = name
	m.out.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " gauge\n")
}

func (m *metrics) sample(yes bool, labels ...string) {
	n := 0
	if yes {
		n = 1
	}
	m.number(n, labels...)
}

func (m *metrics) number(n int, labels ...string) {
	m.out.WriteString(m.name)
	for i := 0; i < len(labels); i += 2 {
		open := ","
		if i == 0 {
			open = "{"
		}
		m.out.WriteString(open + labels[i] + `="` + label(labels[i+1]) + `"`)
	}
	m.out.WriteString("} " + strconv.Itoa(n) + "\n")
}

// label cleans first, so that what is left to escape are the two characters that
// the format knows besides the line feed.
func label(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(clean(s).cut(maxLabel)))
}

const maxLabel = 256
