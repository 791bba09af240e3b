package kubelet

import (
	"bytes"
	"reflect"
	"strconv"

	"k8s.io/utils/cpuset"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/internal/fastsum"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// leaves are the types in our documents that decode themselves from a string.
var leaves = map[reflect.Type]fastsum.Leaf{
	reflect.TypeFor[cpuset.CPUSet]():     {Valid: canonicalList, Dump: dumpCPUs},
	reflect.TypeFor[quantity.Quantity](): {Valid: plainQuantity, Dump: dumpQuantity, Few: true},
}

// transparent types have methods for JSON, which do what their tags say.
var transparent = map[reflect.Type]bool{reflect.TypeFor[cpuPod](): true}

// canonicalList reports whether text is a list of CPUs as a set prints itself.
func canonicalList(text []byte) bool {
	return eachRange(text, func(_, _ int) {})
}

// eachRange yields the ranges of a canonical list, in rising order.
func eachRange(text []byte, yield func(from, to int)) bool {
	if len(text) == 0 {
		return true
	}
	next := 0 // the lowest number that can follow
	for i := 0; ; i++ {
		from, end := smallNumber(text, i)
		to := from
		if end > 0 && end < len(text) && text[end] == '-' {
			if to, end = smallNumber(text, end+1); to <= from {
				return false
			}
		}
		if end < 0 || from < next {
			return false
		}
		yield(from, to)
		next = to + 2 // adjacent ranges are one
		if i = end; i == len(text) {
			return true
		}
		if text[i] != ',' {
			return false
		}
	}
}

// smallNumber reads a number of up to seven digits.
func smallNumber(text []byte, i int) (n, end int) {
	start := i
	for i < len(text) && text[i]-'0' < 10 && i-start < 8 {
		n = n*10 + int(text[i]-'0')
		i++
	}
	if i == start || i-start > 7 || text[start] == '0' && i-start > 1 {
		return 0, -1
	}
	return n, i
}

func dumpCPUs(dst, text []byte) ([]byte, bool) {
	dst = append(dst, "{elems:(map[int]struct {})map["...)
	first, room := true, maxCPUs
	ok := eachRange(text, func(from, to int) {
		for n := from; n <= to && room > 0; n++ {
			if !first {
				dst = append(dst, ' ')
			}
			first = false
			dst = strconv.AppendInt(dst, int64(n), 10)
			dst = append(dst, ":{}"...)
			room--
		}
	})
	return append(dst, "]}"...), ok && room > 0
}

// plainQuantity reports whether text is a whole number with a usual suffix,
// which is less than what decodes.
func plainQuantity(text []byte) bool {
	i := 0
	for i < len(text) && text[i]-'0' < 10 {
		i++
	}
	if i == 0 || i > 15 {
		return false
	}
	switch string(text[i:]) {
	case "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei":
		return true
	}
	return false
}

func dumpQuantity(dst, text []byte) ([]byte, bool) {
	if !plainQuantity(text) {
		return dst, false
	}
	q, err := quantity.Parse(string(text))
	if err != nil {
		return dst, false
	}
	start := len(dst)
	dst, err = checksum.AppendDump(dst, q, quantity.PrintedNames())
	// As an element of a map it stands without its type.
	return append(dst[:start], dst[start+len("(resource.Quantity)"):]...), err == nil
}

// weighCPUs returns no less than listLength, and more than maxCPUs where it is
// in doubt. Most of what it sees are UIDs, which it leaves at the first letter.
func weighCPUs(text []byte) (total int) {
	for {
		total++
		low, i := digits(text, 0)
		if i > 0 && i < len(text) && text[i] == '-' {
			high, n := digits(text, i+1)
			switch {
			case n < len(text) && text[n] == '+':
				return maxCPUs + 1
			case n == len(text) || text[n] == ',':
				total += max(high-low, 0)
			}
			i = n
		} else if i < len(text) && text[i] == '+' {
			return maxCPUs + 1
		}
		if i == len(text) || total > maxCPUs {
			return total
		}
		comma := bytes.IndexByte(text[i:], ',')
		if comma < 0 {
			return total
		}
		text = text[i+comma+1:]
	}
}

// digits reads a number from i on. One of many digits comes out as huge.
func digits(text []byte, i int) (n, end int) {
	start := i
	for i < len(text) && text[i]-'0' < 10 {
		n = n*10 + int(text[i]-'0')
		i++
	}
	if i-start > 8 {
		n = maxCPUs + 1
	}
	return n, i
}
