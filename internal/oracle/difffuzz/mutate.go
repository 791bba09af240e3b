package main

import (
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

// file is an input: a case, and the genuine file that it began as.
type file struct {
	oracle.Case
	base string
}

// mutator makes new files of old ones. The same random source and pool give
// the same files.
type mutator struct {
	r     *rand.Rand
	pool  []file
	given int // so many of the pool were there from the start
}

// maxSize bounds what mutations may grow a file to.
const maxSize = 64 << 10

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// next returns a changed copy of a file of the pool. Every other one was
// there from the start, or else ever more of them would be hopelessly broken.
func (m *mutator) next() file {
	f := pick(m.r, m.pool)
	if m.r.IntN(2) == 0 {
		f = pick(m.r, m.pool[:m.given])
	}
	root, err := parse(f.Blob)
	if err != nil || m.r.IntN(10) == 0 {
		f.Blob = m.mutateBytes(f.Blob)
	} else {
		for range pick(m.r, []int{1, 1, 1, 2, 3}) {
			m.mutateDocument(root)
		}
		if m.r.IntN(2) == 0 {
			tidyAll(root)
		}
		f.Blob = root.bytes()
	}
	if m.r.IntN(20) == 0 {
		f.Policy = m.otherPolicy(f.Policy)
	}
	if f.Kind == "allocated" && m.r.IntN(4) == 0 {
		f.FileName = "actuated_pods_state"
	}
	if f.Kind == "cpu" && m.r.IntN(8) == 0 {
		f.Containers = m.otherContainers(f)
	}
	if m.r.IntN(4) > 0 {
		f.Blob = resum(m.r, f)
	}
	switch m.r.IntN(25) {
	case 0:
		f.Blob = m.mutateBytes(f.Blob)
	case 1, 2:
		f.Blob = m.respell(f.Blob)
	}
	if len(f.Blob) > maxSize {
		f.Blob = f.Blob[:maxSize]
	}
	return f
}

// otherPolicy is never empty: an empty option means the file's own policy to
// us, and an empty name to a kubelet.
func (m *mutator) otherPolicy(old string) string {
	if p := pick(m.r, policies); p != "" {
		return p
	}
	return old
}

// otherContainers names containers of the file, strangers, or none. No two IDs
// are of the same container: which of them wins is random in the kubelet.
func (m *mutator) otherContainers(f file) map[string][2]string {
	out := maps.Clone(f.Containers)
	if out == nil {
		out = map[string][2]string{}
	}
	root, err := parse(f.Blob)
	if err != nil || root.field("entries") == nil {
		return out
	}
	for i, e := range root.field("entries").members {
		_, known := out[e.key]
		switch m.r.IntN(4) {
		case 0:
			delete(out, e.key)
		case 1:
			if !known {
				out[e.key] = [2]string{strings.ToValidUTF8(pick(m.r, names), "?"), "container-" + strconv.Itoa(i)}
			}
		}
	}
	return out
}

// mutateDocument changes a whole file: its own tree, the document within its
// data string, or both halves alike.
func (m *mutator) mutateDocument(root *node) {
	data := root.field("data")
	if data == nil || data.kind != '"' || m.r.IntN(3) == 0 {
		m.mutateTree(root)
		return
	}
	inner, err := parse([]byte(data.text))
	switch {
	case err != nil || m.r.IntN(12) == 0:
		data.text = pick(m.r, inners)
	case m.r.IntN(12) == 0:
		data.text = string(m.respell([]byte(data.text)))
	case m.r.IntN(20) == 0:
		data.text = string(m.mutateBytes([]byte(data.text)))
	default:
		m.mutateTree(inner)
		data.text = string(inner.bytes())
		if root.field("policyName") != nil && m.r.IntN(4) == 0 {
			for _, e := range inner.members { // the older half says the same
				if root.field(e.key) != nil {
					root.set(e.key, e.val.clone())
				}
			}
		}
	}
}

// tidyAll makes a file look as if a kubelet had printed it, as far as that goes.
func tidyAll(root *node) {
	root.tidy()
	if data := root.field("data"); data != nil && data.kind == '"' {
		if inner, err := parse([]byte(data.text)); err == nil {
			inner.tidy()
			data.text = string(inner.bytes())
		}
	}
}
