package main

import (
	"strconv"
	"strings"
)

// mutateScalar changes a value into another of its own sort. A list or an
// object gets one of its values changed.
func (m *mutator) mutateScalar(root *node, p place) {
	v := p.get()
	for (v.kind == '{' || v.kind == '[') && len(v.members)+len(v.elems) > 0 {
		p = place{v, m.r.IntN(len(v.members) + len(v.elems))}
		v = p.get()
	}
	key := strings.ToLower(p.key())
	switch v.kind {
	case '0':
		p.put(bare(m.otherNumber(v.text)))
	case '"':
		switch {
		case key == "allocresp":
			v.text = mutateAllocResp(m.r, v.text)
		case key == "policyname":
			v.text = pick(m.r, policies)
		case key == "type":
			v.text = pick(m.r, resources)
		case looksLikeCPUs(v.text) && m.r.IntN(4) > 0:
			v.text = pick(m.r, cpuSets)
		case looksLikeQuantity(v.text) && m.r.IntN(4) > 0:
			v.text = m.otherQuantity(v.text)
		case m.r.IntN(3) == 0:
			v.text = m.edit(v.text)
		default:
			v.text = pick(m.r, names)
		}
	default:
		p.put(m.oddValue())
	}
}

func (m *mutator) otherNumber(text string) string {
	n, err := strconv.ParseUint(text, 10, 64)
	if err == nil {
		switch m.r.IntN(6) {
		case 0:
			return strconv.FormatUint(n+1, 10)
		case 1:
			return strconv.FormatUint(n+1<<32, 10)
		case 2:
			return text + pick(m.r, []string{".0", "e0", "E+0", "0"})
		case 3:
			return `"` + text + `"`
		}
	}
	return pick(m.r, numbers)
}

// otherQuantity picks a listed amount, or puts one together.
func (m *mutator) otherQuantity(old string) string {
	switch m.r.IntN(4) {
	case 0:
		return m.edit(old)
	case 1:
		text := pick(m.r, []string{"", "", "-", "+"}) + strconv.FormatUint(m.r.Uint64()>>m.r.IntN(64), 10)
		if m.r.IntN(2) == 0 {
			text += "." + strconv.Itoa(m.r.IntN(100000))
		}
		return text + pick(m.r, []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-3", "e20", "e-20"})
	}
	return pick(m.r, quantities)
}

// edit makes a small change within a text.
func (m *mutator) edit(s string) string {
	at := m.r.IntN(len(s) + 1)
	switch m.r.IntN(4) {
	case 0:
		return s[:at]
	case 1:
		return s[:at] + pick(m.r, names) + s[at:]
	case 2:
		if at < len(s) {
			return s[:at] + s[at+1:]
		}
	}
	return s[:at] + string(rune(m.r.IntN(0x250))) + s[at:]
}

func looksLikeCPUs(s string) bool {
	return strings.Trim(s, "0123456789-,") == "" && len(s) < 64
}

func looksLikeQuantity(s string) bool {
	return s != "" && len(s) < 24 && s[0] >= '0' && s[0] <= '9' && strings.Trim(s, "0123456789.numkKMGTPEi") == ""
}
