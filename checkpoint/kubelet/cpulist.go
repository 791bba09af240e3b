package kubelet

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// maxCPUs bounds the CPUs that all sets of one file name together. Linux is
// built for 8,192 CPUs, and a file names each only a few times. The bound is
// there because "0-999999999" is eleven bytes, but a set of a billion CPUs.
const maxCPUs = 1 << 20

// tooManyCPUs reports whether the CPU sets in a JSON text name more than
// maxCPUs in all. It looks at every string that could be a set, also in a
// document within a string.
func tooManyCPUs(blob []byte) bool {
	return countCPUs(blob, true) > maxCPUs
}

func countCPUs(blob []byte, inner bool) (total int) {
	w := walker{src: blob}
	for total <= maxCPUs {
		next := bytes.IndexByte(w.src[w.pos:], '"')
		if next < 0 {
			return total
		}
		w.pos += next
		raw := w.quoted()
		text := string(bytes.Trim(raw, `"`))
		if bytes.IndexByte(raw, '\\') >= 0 && json.Unmarshal(raw, &text) != nil {
			continue
		}
		if strings.ContainsAny(text, `"{`) {
			if inner {
				total += countCPUs([]byte(text), false)
			}
			continue
		}
		total += listLength(text)
	}
	return total
}

// listLength counts the CPUs of a list such as "0-3,8"; what is no list has none.
func listLength(list string) (total int) {
	for r := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(r, "-")
		if !isRange {
			total++
			continue
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || b < a {
			return 0 // fails to parse before it is expanded
		}
		if b-a >= maxCPUs || b-a < 0 {
			return maxCPUs + 1
		}
		if total += b - a + 1; total > maxCPUs {
			return total
		}
	}
	return total
}
