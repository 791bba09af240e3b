package kubelet

import (
	"strings"

	"github.com/kubeckpt/ckpt/migrate"
)

// member is part of what a file can say that not every kubelet keeps.
type member struct {
	name   string // as in a path
	span   Span   // the releases that keep it
	gate   string // without which they do not; empty: none
	reason string // why it is lost where the releases and gates are not the reason
}

// why says why what is at path is lost to r, which writes f.
func (k *kindTable) why(path string, r reader, f *format) string {
	for _, m := range k.members {
		if !strings.Contains("."+path+".", "."+m.name+".") && !strings.Contains("."+path+"[", "."+m.name+"[") {
			continue
		}
		switch {
		case m.span.From != "" && minor(r.release.Name) < minor(m.span.From):
			return "only kubelet " + m.span.From + " and later keep it"
		case !m.span.Has(r.release.Name):
			return "only kubelets up to " + m.span.To + " keep it"
		case m.gate != "" && !r.on(m.gate):
			return "kubelet " + r.release.Name + " keeps it only with " + m.gate
		case m.reason != "":
			return m.reason
		}
	}
	return f.id.String() + " has no place for it"
}

// gaps are what a kubelet misses in content that was converted from from to to.
func gaps(content any, from, to *format) []migrate.Loss {
	switch st := content.(type) {
	case *AllocatedState:
		if from == allocatedV1Format && len(st.Pods)+len(st.Containers) > 0 {
			return []migrate.Loss{{Path: "limits", Reason: "allocated/v1 holds the requests of containers but not their limits; " +
				"a kubelet that reads " + to.id.String() + " takes both from the file"}}
		}
	case *DRAState:
		if to == draV3Format && len(st.ClaimInfoStateList) > 0 {
			return []migrate.Loss{{Path: "Devices", Reason: from.id.String() + " names the CDI devices of claims but not the pools, devices and requests behind them"}}
		}
	}
	return nil
}
