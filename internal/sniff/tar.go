package sniff

import (
	"bytes"
	"strings"
)

const tarBlock = 512

// A tar archive is a chain of blocks:
//
//	header  name [0:100)  size in octal [124:136)  "ustar" [257:262)
//	data    size rounded up to whole blocks
func isTar(b []byte) bool {
	return len(b) > 262 && b[0] != 0 && string(b[257:262]) == "ustar"
}

// containerFiles are what container engines put into the archive that the
// kubelet's checkpoint API leaves in /var/lib/kubelet/checkpoints; the names
// are those of the metadata package of checkpoint-restore/checkpointctl.
var containerFiles = []string{"config.dump", "spec.dump", "checkpointed.pods", "pod.options", "checkpoint/"}

// holdsContainer walks the headers that b reaches.
func holdsContainer(b []byte) bool {
	for isTar(b) {
		name, _, _ := bytes.Cut(b[:100], []byte{0})
		entry := strings.TrimPrefix(string(name), "./")
		for _, want := range containerFiles {
			if entry == want || strings.HasSuffix(want, "/") && strings.HasPrefix(entry, want) {
				return true
			}
		}
		skip := tarBlock + (octal(b[124:136])+tarBlock-1)/tarBlock*tarBlock
		if skip >= int64(len(b)) {
			return false
		}
		b = b[skip:]
	}
	return false
}

// octal reads a size field. A size past eleven digits is kept in another form,
// which starts with a byte above 0x7f; such an entry is longer than b anyway.
func octal(field []byte) int64 {
	n := int64(0)
	for _, c := range field {
		switch {
		case '0' <= c && c <= '7':
			n = n<<3 | int64(c-'0')
		case c&0x80 != 0:
			return 1 << 40
		case c == ' ' && n == 0:
		default:
			return n
		}
	}
	return n
}
