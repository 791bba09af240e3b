package kubelet

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"
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

// listLength counts the CPUs of a list such as "0-3,8", whatever else is in it.
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
			continue
		}
		if b-a >= maxCPUs || b-a < 0 || b == math.MaxInt {
			return maxCPUs + 1 // the parser's loop does not end at MaxInt
		}
		if total += b - a + 1; total > maxCPUs {
			return total
		}
	}
	return total
}

// parseCPUs reads a list as r does. Early kubelets had a parser of their own,
// which passes over ranges that run backwards and parts with more than one dash.
func (r reader) parseCPUs(list string) (cpuset.CPUSet, error) {
	if list == "" || !(Span{To: "1.17"}).Has(r.release.Name) {
		return cpuset.Parse(list)
	}
	var cpus []int
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		if strings.Contains(to, "-") {
			continue
		}
		first, err := strconv.Atoi(from)
		if err != nil {
			return cpuset.CPUSet{}, err
		}
		last, err := strconv.Atoi(to)
		if err != nil {
			return cpuset.CPUSet{}, err
		}
		for cpu := first; cpu <= last && isRange; cpu++ {
			cpus = append(cpus, cpu)
		}
		if !isRange {
			cpus = append(cpus, first)
		}
	}
	return cpuset.New(cpus...), nil
}
