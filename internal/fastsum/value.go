package fastsum

import "bytes"

// value sums the value at i and returns where it ends, or a negative number if
// it is not what n foresees.
func (s *Scanner) value(n *node, i int, h sums) (int, sums) {
	switch n.kind {
	case str:
		return s.str(n, i, h)
	case integer:
		return s.integer(i, n.signed, n.pre.add(h))
	case object:
		return s.object(n, i, h)
	case list:
		return s.list(n, i, h)
	case mapping:
		return s.mapping(n, i, h)
	case pointer:
		if s.at(i) == 'n' {
			return s.nothing(n, i, h)
		}
		return s.value(n.elem, i, h)
	case octets:
		return s.octets(n, i, h)
	case leaf:
		return s.leaf(n, i, h)
	}
	return -1, h
}

func (s *Scanner) nothing(n *node, i int, h sums) (int, sums) {
	if !n.nullable || !s.has(i, "null") {
		return -1, h
	}
	return i + len("null"), n.null.add(h)
}

// blank reports whether the value at i is one that omitempty leaves out.
func (s *Scanner) blank(i int) bool {
	switch s.at(i) {
	case '{':
		return s.at(i+1) == '}'
	case '[':
		return s.at(i+1) == ']'
	case '"':
		return s.at(i+1) == '"'
	case '\\':
		return s.at(i+2) == '\\'
	case 'n', 'f', '0':
		return true
	}
	return false
}

func (s *Scanner) object(n *node, i int, h sums) (int, sums) {
	if s.at(i) != '{' {
		return -1, h
	}
	i++
	if n.late {
		h = n.pre.add(h)
	}
	first := true
	for k := range n.fields {
		f := &n.fields[k]
		j := i
		if !first {
			if s.at(j) != ',' {
				j = len(s.src)
			} else {
				j++
			}
		}
		if !s.has(j, f.name) {
			if !f.optional {
				return -1, h
			}
			h = f.absent.add(h)
			continue
		}
		if n.late && !first {
			h = h.byte(',')
		}
		i, first = j+len(f.name), false
		if f.optional && s.blank(i) {
			return -1, h
		}
		if i, h = s.value(f.node, i, h); i < 0 {
			return -1, h
		}
	}
	if s.at(i) != '}' {
		return -1, h
	}
	return i + 1, h.byte(n.closing)
}

func (s *Scanner) list(n *node, i int, h sums) (int, sums) {
	switch s.at(i) {
	case '[':
	case 'n':
		return s.nothing(n, i, h)
	default:
		return -1, h
	}
	i++
	if s.at(i) == ']' {
		return i + 1, n.empty.add(h)
	}
	for e := n.elem; ; e = n.rest {
		if i, h = s.value(e, i, h); i < 0 {
			return -1, h
		}
		switch s.at(i) {
		case ',':
			i++
		case ']':
			return i + 1, h.byte(n.closing)
		default:
			return -1, h
		}
	}
}

func (s *Scanner) mapping(n *node, i int, h sums) (int, sums) {
	switch s.at(i) {
	case '{':
	case 'n':
		return s.nothing(n, i, h)
	default:
		return -1, h
	}
	i++
	if s.at(i) == '}' {
		return i + 1, n.empty.add(h)
	}
	h = n.pre.add(h)
	var last []byte
	var lastNumber int64
	for first := true; ; first = false {
		if i = s.quote(i); i < 0 {
			return -1, h
		}
		start := i
		var number int64
		if n.numeric {
			if number, i = s.number(i); i < 0 {
				return -1, h
			}
			h = h.bytes(s.src[start:i])
		} else {
			i, h = s.plain(i, h)
		}
		// Sorted and without a second of the same key, as encoding/json writes
		// them and as a dump shows them. Only integers sort differently there.
		key := s.src[start:i]
		switch {
		case first:
		case n.byValue && number <= lastNumber, !n.byValue && bytes.Compare(last, key) >= 0:
			return -1, h
		}
		last, lastNumber = key, number
		if n.post != 0 {
			h = h.byte(n.post)
		}
		if i = s.quote(i); i < 0 || s.at(i) != ':' {
			return -1, h
		}
		if i, h = s.value(n.elem, i+1, h); i < 0 {
			return -1, h
		}
		switch s.at(i) {
		case ',':
			i++
			h = n.sep.add(h)
		case '}':
			return i + 1, h.byte(n.closing)
		default:
			return -1, h
		}
	}
}
