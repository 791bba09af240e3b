package render

import "github.com/kubeckpt/ckpt/checkpoint/kubelet"

const (
	maxPerCode  = 5  // findings of one code that a page shows
	maxFindings = 40 // findings that a page shows
)

// severities in the order in which they matter.
var severities = []kubelet.Severity{kubelet.SeverityError, kubelet.SeverityWarning, kubelet.SeverityInfo}

var severityStyle = map[kubelet.Severity]style{
	kubelet.SeverityError: bad, kubelet.SeverityWarning: caution, kubelet.SeverityInfo: faint,
}

// findings lists what is worth saying of the file, the worst first. A hint that
// holds for several findings in a row is said once, after them.
func (p *page) findings(all []kubelet.Finding) {
	if len(all) == 0 {
		return
	}
	p.heading("Findings", "")
	sorted := bySeverity(all)
	shown, perCode, pending := 0, map[string]int{}, ""
	hint := func() {
		if pending != "" {
			p.hanging(11, sayAs(faint, "to do: "), plain, clean(pending))
			pending = ""
		}
	}
	for _, f := range sorted {
		if perCode[f.Code]++; perCode[f.Code] > maxPerCode || shown == maxFindings {
			continue
		}
		shown++
		if f.Hint != pending {
			hint()
		}
		label := clean(string(f.Severity)).pad(7)
		p.hanging(2, sayAs(severityStyle[f.Severity], label+"  "), plain, sentence(f))
		pending = f.Hint
	}
	hint()
	p.more(2, len(all)-shown, "finding", "findings")
}

// sentence is a finding in one line: what, where, and the code to look up.
func sentence(f kubelet.Finding) text {
	t := clean(f.Message)
	if f.Path != "" {
		t = clean(f.Path) + ": " + t
	}
	return t + textf(" [%s]", f.Code)
}

func bySeverity(all []kubelet.Finding) []kubelet.Finding {
	sorted := make([]kubelet.Finding, 0, len(all))
	for _, s := range severities {
		for _, f := range all {
			if f.Severity == s {
				sorted = append(sorted, f)
			}
		}
	}
	for _, f := range all {
		if _, known := severityStyle[f.Severity]; !known {
			sorted = append(sorted, f)
		}
	}
	return sorted
}
