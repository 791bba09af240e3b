// Package kinds links the kubelet's own packages. Which files belong to a
// release is said by build tags: the build for 1.35 sets since1.29, since1.30
// and so on up to since1.35, and the one for 1.13 sets none.
package kinds

import "github.com/kubeckpt/ckpt/testdata/oracle/serve"

// Main is the main function of every oracle.
func Main() {
	silence()
	serve.Main(serve.Release{Kinds: all, SetGates: setGates, Gates: gates})
}
