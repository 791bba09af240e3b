package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// A path is how the kubelets of some releases restore one kind of file: the
// formats they try, in order, and what they do between attempts. One
// interpreter (restore.go) runs all paths.
type path struct {
	span Span
	// gates that must be set so for the path to apply; nil: any setting.
	gates map[string]bool
	// attempts, in the kubelet's order.
	attempts []attempt
	// reports which attempt's error is printed when all fail: the first's,
	// or else the last's.
	reportsFirst bool
	// keeps: a failed attempt leaves its half-filled document, and what a
	// later attempt reads only overwrites it where it has something.
	keeps bool
}

// attempt is one try to read the file as one format.
type attempt struct {
	format *format
	// types are the names of this release's own Go types, where they are not
	// the format's; errors show them.
	types checksum.Names
	// sums are the type names under which the sum is accepted, in order.
	sums []string
	// zeroPasses: a stored 0, or none, is not checked.
	zeroPasses bool
	// noFallback begins the error when the document certainly is of this
	// format; no further attempt follows then. Empty: always fall back.
	noFallback string
	// lookup begins the error when a container ID is not known.
	lookup string
	// content overrides the format's, for a release that knows fewer fields.
	content func(doc any) (any, error)
	// limit makes of the format's content what content would return, for a file
	// that is spelled just as some kubelet writes it. Set if content is.
	limit func(whole any) any
}

// reader is the kubelet of one release with one setting of its gates.
type reader struct {
	release Release
	gates   map[string]bool // the gates that are on
}

func (r reader) on(gate string) bool { return r.gates[gate] }

// pathOf returns the path of kind that r follows, or nil.
func (k *kindTable) pathOf(r reader) *path {
next:
	for i := range k.paths {
		p := &k.paths[i]
		if !p.span.Has(r.release.Name) {
			continue
		}
		for gate, want := range p.gates {
			if r.on(gate) != want {
				continue next
			}
		}
		return p
	}
	return nil
}
