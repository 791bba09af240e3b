package kubelet

import (
	"fmt"
	"regexp"
	"strings"
)

// salvaged lists what of podEntries and baselines can be read in the half of a
// file that is not kept, as paths with their values. Of an entry that is damaged
// itself, its name is told.
func salvaged(blob []byte, k Kind) (list []string) {
	f := dualOf(k)
	if f == nil {
		return nil
	}
	raw, _ := rawHalf(blob, f.inner.field)
	text, rest := legible(raw)
	nodes, _ := scan([]byte(text), f.inner.typ, "")
	for _, n := range nodes {
		value := strings.TrimSuffix(strings.TrimPrefix(text[n.a:n.b], `{"cpuSet":"`), `"}`)
		switch n.schema {
		case "podEntries.*", "baselines.*":
			switch {
			case n.whole && k == CPU:
				list = append(list, "data."+n.path+": "+value)
			case n.whole:
				list = append(list, "data."+n.path)
			default:
				list = append(list, "data."+n.path+", which is damaged itself")
			}
		}
	}
	// Behind the damage nothing says any more where in the document a piece
	// belongs, but only pods have this field.
	podSet := regexp.MustCompile(`"([^"\\{}]+)":\{"cpuSet":"([0-9,-]*)"\}`)
	listed := map[string]bool{}
	for _, line := range list {
		listed[line] = true
	}
	for _, piece := range rest {
		for _, m := range podSet.FindAllStringSubmatch(piece, -1) {
			if line := fmt.Sprintf("data.podEntries[%q]: %s", m[1], m[2]); k == CPU && !listed[line] {
				listed[line] = true
				list = append(list, line)
			}
		}
	}
	return list
}

// dualOf returns the format of kind in two halves, or nil.
func dualOf(k Kind) *format {
	if t := tableOf(k); t != nil {
		for _, f := range t.formats {
			if f.legacy != nil && f.inner != nil {
				return f
			}
		}
	}
	return nil
}

// rawHalf returns the bytes of the string field, whose end may be lost, and
// whether it begins at all.
func rawHalf(blob []byte, field string) (raw string, found bool) {
	_, raw, found = strings.Cut(string(blob), `"`+field+`":"`)
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return raw[:i], found
		}
	}
	return raw, found
}

// legible decodes the pieces of a string between bytes that no kubelet writes
// there: the first, and the others.
func legible(raw string) (first string, rest []string) {
	for i, piece := range strings.FieldsFunc("."+raw, func(r rune) bool { return r < ' ' }) {
		for cut := len(piece); cut > max(0, len(piece)-8); cut-- { // not half an escape
			if text, ok := decodeRaw([]byte(piece[:cut])); ok {
				if i == 0 {
					first = text[1:]
				} else {
					rest = append(rest, text)
				}
				break
			}
		}
	}
	return first, rest
}
