package render

import (
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// The sentence that is read when nothing else is.
func TestHeadline(t *testing.T) {
	all := func(o kubelet.Outcome, releases ...string) (answers []kubelet.Answer) {
		for _, r := range releases {
			answers = append(answers, kubelet.Answer{Release: r, Verdict: o, Lost: map[kubelet.Outcome][]string{
				kubelet.Lossy: {"podEntries"}}[o]})
		}
		return answers
	}
	join := func(lists ...[]kubelet.Answer) (answers []kubelet.Answer) {
		for _, l := range lists {
			answers = append(answers, l...)
		}
		return answers
	}
	gated := func(release string, o kubelet.Outcome) []kubelet.Answer {
		return []kubelet.Answer{{Release: release, Verdict: o, Gates: map[string]bool{"G": true}, Lost: []string{"entries"}}}
	}
	sum := []kubelet.Checksum{{Field: "checksum", Stored: 1, Computed: 2, Authoritative: true}}
	halves := []kubelet.Checksum{{Field: "dataChecksum", Stored: 1, Authoritative: true}, {Field: "checksum", OK: true}}
	absent := []kubelet.Checksum{{Field: "Checksum", Computed: 2, Authoritative: true}}
	errors := []kubelet.Finding{{Severity: kubelet.SeverityError}, {Severity: kubelet.SeverityError}}
	warning := []kubelet.Finding{{Severity: kubelet.SeverityWarning}, {Severity: kubelet.SeverityInfo}}

	tests := []struct {
		verdict kubelet.Verdict
		want    string
	}{
		{kubelet.Verdict{State: "ok"}, "x is good."},
		{kubelet.Verdict{State: "ok", Written: []string{"1.37+"}, Kubelets: all("accepted", "1.36", "1.37")},
			"x is good: written by kubelet 1.37+, read by 1.36–1.37."},
		{kubelet.Verdict{State: "ok", Kubelets: join(all("refused", "1.13"), all("accepted", "1.36", "1.37"))}, "x is good: read by 1.36–1.37."},
		{kubelet.Verdict{State: "ok", Kubelets: join(all("accepted", "1.13"), all("refused", "1.36", "1.37"))},
			"x is good: read by 1.13; 1.36–1.37 refuse it."},
		{kubelet.Verdict{State: "ok", Kubelets: join(all("accepted", "1.35"), all("lossy", "1.36"), all("refused", "1.37"))},
			"x is good: read by 1.35; 1.36 forgets podEntries; 1.37 refuses it."},
		{kubelet.Verdict{State: "ok", Kubelets: all("lossy", "1.36", "1.37")}, "x is good: read by 1.36–1.37, which forget podEntries."},
		{kubelet.Verdict{State: "ok", Kubelets: join(all("accepted", "1.36", "1.37"), gated("1.36", "refused"), gated("1.37", "lossy"))},
			"x is good: read by 1.36–1.37; 1.36 with G refuses it; 1.37 with G forgets all entries."},
		{kubelet.Verdict{State: "ok", Kubelets: join(all("refused", "1.36", "1.37"), gated("1.36", "accepted"), gated("1.37", "accepted"))},
			"x has a matching checksum, but kubelets 1.36–1.37 refuse it; 1.36–1.37 with G read all of it."},
		{kubelet.Verdict{State: "ok", Findings: warning}, "x is good. 1 warning (see Findings)."},
		{kubelet.Verdict{State: "ok", Findings: errors, Kubelets: all("accepted", "1.37")},
			"x has a matching checksum, but 2 things in it are wrong (see Findings); read by 1.37."},
		{kubelet.Verdict{State: "unsigned", Kubelets: all("accepted", "1.37"), Findings: errors[:1]},
			"x has no checksum that protects it: accepted unchecked by 1.37. 1 thing in it is wrong (see Findings)."},
		{kubelet.Verdict{State: "corrupt", Checksums: sum, Kubelets: all("refused", "1.36", "1.37")},
			"x is corrupt: the checksum does not match its content; every kubelet (1.36–1.37) refuses it."},
		{kubelet.Verdict{State: "corrupt", Checksums: sum, Kubelets: all("refused", "1.37")},
			"x is corrupt: the checksum does not match its content; kubelet 1.37 refuses it."},
		{kubelet.Verdict{State: "corrupt", Checksums: halves, Kubelets: join(all("accepted", "1.35", "1.36"), all("refused", "1.37"))},
			"x is corrupt: dataChecksum does not match its content; 1.37 refuses it, 1.35–1.36 still read it."},
		{kubelet.Verdict{State: "corrupt", Kind: kubelet.Device, Checksums: absent, Kubelets: all("refused", "1.36", "1.37")},
			"x is corrupt: it has no checksum; every kubelet (1.36–1.37) ignores it."},
		{kubelet.Verdict{State: "other"}, "x is no kubelet checkpoint that is known."},
		{kubelet.Verdict{State: "other", Format: "cpu/v1", Written: []string{"1.10–1.17"}, Kubelets: all("refused", "1.37")},
			"x is not corrupt, but of layout cpu/v1 (written by kubelet 1.10–1.17), which 1.37 does not read."},
		{kubelet.Verdict{State: "damaged"}, "x is damaged: it cannot be decoded."},
		{kubelet.Verdict{State: "damaged", Damage: &kubelet.Damage{Reason: kubelet.DamageEmpty}}, "x is damaged: it is empty."},
		{kubelet.Verdict{State: "damaged", Damage: &kubelet.Damage{Reason: kubelet.DamageNUL, Offset: 4096}},
			"x is damaged: NUL bytes from byte 4,096 on, as after a power cut."},
		{kubelet.Verdict{State: "damaged", Damage: &kubelet.Damage{Reason: kubelet.DamageTruncated, Offset: 7}, Kubelets: all("refused", "1.37")},
			"x is damaged: cut off after byte 7, in the middle of its JSON; kubelet 1.37 refuses it."},
		{kubelet.Verdict{State: "damaged", Damage: &kubelet.Damage{Reason: kubelet.DamageTrailing, Offset: 7}},
			"x is damaged: other data follows its JSON, from byte 7 on."},
		{kubelet.Verdict{State: "damaged", Damage: &kubelet.Damage{Reason: kubelet.DamageSyntax, Offset: 7}}, "x is damaged: not valid JSON at byte 7."},
		{kubelet.Verdict{State: "damaged", Damage: &kubelet.Damage{Reason: kubelet.DamageType}}, "x is damaged: a JSON value of the wrong type."},
		{kubelet.Verdict{State: "missing"}, "x is not there."},
		{kubelet.Verdict{State: "unreadable"}, "x could not be read."},
		{kubelet.Verdict{}, `x was not judged (state "").`},
	}
	for _, tt := range tests {
		page := explained(t, File{Name: "x", Verdict: tt.verdict}, Options{Width: 400})
		if got, _, _ := strings.Cut(page, "\n"); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
