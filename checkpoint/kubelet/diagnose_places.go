package kubelet

import "bytes"

// makePlaces finds the values in the file itself.
func (d *diagnosis) makePlaces() {
	if d.places != nil {
		return
	}
	d.places = map[string]node{}
	f := d.s.identify(d.k).format
	if f == nil {
		return
	}
	blob := bytes.TrimPrefix(d.blob, []byte("\xef\xbb\xbf"))
	shift := len(d.blob) - len(blob)
	nodes, _ := scan(blob, f.docType(), "")
	for _, n := range nodes {
		n.a, n.b = n.a+shift, n.b+shift
		if n.keyB > 0 {
			n.keyA, n.keyB = n.keyA+shift, n.keyB+shift
		}
		d.places[n.path] = n
	}
	if f.inner == nil {
		return
	}
	data, ok := d.places[f.inner.field]
	if !ok || data.kind != '"' {
		return
	}
	raw := d.blob[data.a:data.b]
	units, offsets := unitsOf(raw)
	text := []byte(unquote(raw))
	d.inFile = func(inner int) int {
		lo, hi := 0, len(offsets)
		for lo < hi {
			if mid := (lo + hi) / 2; offsets[mid] < inner {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		return data.a + units[min(lo, len(units)-1)]
	}
	inner, _ := scan(text, f.inner.typ, f.inner.field)
	for _, n := range inner[min(1, len(inner)):] {
		n.a, n.b = d.inFile(n.a), d.inFile(n.b)
		if n.keyB > 0 {
			n.keyA, n.keyB = d.inFile(n.keyA), d.inFile(n.keyB)
		}
		d.places[n.path] = n
	}
}

// locate returns where a value, or the name of an entry, stands in the file.
func (d *diagnosis) locate(path string, key bool) (offset, length int64) {
	d.makePlaces()
	n, ok := d.places[path]
	switch {
	case !ok:
		return -1, 0
	case key && n.keyB > 0:
		return int64(n.keyA), int64(n.keyB - n.keyA)
	}
	return int64(n.a), int64(n.b - n.a)
}
