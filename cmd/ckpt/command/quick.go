package command

import (
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/input"
)

// good reports whether blob is as a kubelet wrote it and its checksums match.
// It says in v no more than that.
func (w *worker) good(v *kubelet.Verdict, name string, blob []byte, opts kubelet.Options) bool {
	kind := opts.Kind
	if kind == "" && name != input.Stdin {
		kind = kubelet.KindOfName(name)
	}
	q, ok := w.verifier.Verify(kind, blob)
	if !ok {
		return false
	}
	*v = kubelet.Verdict{
		Kind: q.Format.Kind, Format: q.Format.String(), State: kubelet.StateOK, Policy: string(q.Policy),
		Checksums: slices.Clone(q.Checksums), // the next file's take their place
	}
	return true
}
