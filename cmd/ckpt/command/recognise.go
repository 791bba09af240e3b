package command

import (
	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/sniff"
)

// recognise says in v what the bytes are if they are something else altogether:
// an archive that a person meant to unpack is not a damaged checkpoint.
func recognise(v *kubelet.Verdict, blob []byte) {
	if v.Damage == nil {
		return
	}
	kind := sniff.Guess(blob)
	switch kind {
	case sniff.Empty, sniff.NULs, sniff.LeadingNULs, sniff.JSON, sniff.BOM:
		return // damage that Judge has words for
	}
	for i, f := range v.Findings {
		if f.Code != "not-json" && f.Code != "nul-bytes" {
			continue
		}
		f.Message = "the file " + kind.String()
		if v.Kind == kubelet.Unknown {
			f.Code, f.Hint = "not-a-checkpoint", ""
		}
		v.Findings[i] = f
	}
	if v.Kind == kubelet.Unknown {
		v.State, v.Damage = kubelet.StateOther, nil
	}
}
