package render

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// prom writes metrics for node_exporter's textfile collector: no timestamps, no
// series twice, and nothing of a pod in a label. A file that is not there has no
// ckpt_file_valid, so that a node without the feature does not alert.
type prom struct {
	w                               io.Writer
	valid, info, findings, accepted *metrics // all samples of one must be together
	seen                            map[string]bool
}

func newProm(w io.Writer) *prom {
	return &prom{w: w, seen: make(map[string]bool),
		valid:    family("ckpt_file_valid", "Whether the file has no finding of severity error (1) or has, or cannot be read (0)."),
		info:     family("ckpt_file_info", "What the file is; always 1."),
		findings: family("ckpt_file_findings", "Findings in the file by severity."),
		accepted: family("ckpt_file_accepted", "Whether the kubelet of a release accepts the file, with feature gates set as named."),
	}
}

func (m *prom) add(f File) error {
	name := label(f.Name)
	if m.seen[name] {
		return nil
	}
	m.seen[name] = true
	v := f.Verdict
	if v.State != kubelet.StateMissing {
		m.valid.sample(!f.bad() && !f.undecided(), "file", f.Name)
	}
	m.info.number(1, "file", f.Name, "kind", string(cmp.Or(v.Kind, kubelet.Unknown)), "format", v.Format, "state", string(v.State), "policy", v.Policy)
	for _, s := range severities {
		m.findings.number(f.count(s), "file", f.Name, "severity", string(s))
	}
	seen := map[[2]string]bool{}
	for _, a := range v.Kubelets {
		key := [2]string{a.Release, gateLabel(a.Gates)}
		if !seen[key] {
			seen[key] = true
			m.accepted.sample(a.Verdict != kubelet.Refused, "file", f.Name, "release", key[0], "gates", key[1])
		}
	}
	return nil
}

func (m *prom) end() error {
	for _, f := range []*metrics{m.valid, m.info, m.findings, m.accepted} {
		if _, err := io.WriteString(m.w, f.out.String()); err != nil {
			return err
		}
	}
	return nil
}

// gateLabel is "A=true,B=false", as the kubelet's flag spells it.
func gateLabel(gates map[string]bool) string {
	var parts []string
	for _, name := range sortedKeys(gates) {
		parts = append(parts, name+"="+strconv.FormatBool(gates[name]))
	}
	return strings.Join(parts, ",")
}

// metrics is one family in the text exposition format.
type metrics struct {
	out  strings.Builder
	name string
}

func family(name, help string) *metrics {
	m := &metrics{name: name}
	m.out.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " gauge\n")
	return m
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
	if len(labels) == 0 {
		m.out.WriteString(" " + strconv.Itoa(n) + "\n")
		return
	}
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
