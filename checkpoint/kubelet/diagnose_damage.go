package kubelet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// damaged explains a file that does not decode. Where some part of it, or it
// without a known sort of damage, has a matching sum, that is the proof.
func (d *diagnosis) damaged() {
	if d.k == nil {
		d.k = tableOf(d.v.Kind)
	}
	tables := tables
	if d.k != nil {
		tables = []*kindTable{d.k}
	}
	blob := d.blob
	whole := func(part []byte) (*kindTable, bool) {
		d.tried += uint64(len(tables))
		if !json.Valid(part) {
			return nil, false
		}
		for _, k := range tables {
			if decides, all := sumsMatch(part, k); decides {
				return k, all
			}
		}
		return nil, false
	}
	add := func(k *kindTable, kind, path string, offset int64, text string, evidence ...string) {
		d.k = k
		d.add(d.grade(Explanation{Kind: kind, Path: path, Offset: offset, Text: text, Evidence: evidence}))
	}

	d.stage("parts that are whole")
	if n := firstValue(blob); n > 0 && n < len(blob) {
		if k, _ := whole(blob[:n]); k != nil {
			add(k, KindTrailing, "", int64(n), tailWords(blob[n:], n), "the checksum of the first "+strconv.Itoa(n)+" bytes is right")
			d.found[len(d.found)-1].Length = int64(len(blob) - n)
			return
		}
	}
	d.stage("encodings")
	var k *kindTable
	if fixed, name := undone(blob, func(fixed []byte) bool {
		k, _ = whole(fixed)
		return k != nil
	}); fixed != nil {
		offset := int64(0)
		for offset < int64(min(len(fixed), len(blob))) && fixed[offset] == blob[offset] {
			offset++
		}
		add(k, KindEncoding, "", offset, name, "with that undone, the checksum is right")
		d.found[len(d.found)-1].was = &wholeFile{fixed}
		return
	}
	d.stage("spellings of the sum")
	if d.oddSum(func(fixed []byte) bool {
		k, _ = whole(fixed)
		return k != nil
	}); len(d.found) > 0 {
		d.k = k
		return
	}
	d.stage("the other half")
	if d.halfOfDamaged(); len(d.found) > 0 {
		return
	}
	if d.v.Damage.Reason == DamageType && d.k != nil {
		d.stage("values that do not decode")
		if d.unreadable(nil); len(d.found) > 0 {
			return
		}
	}
	d.stage("a byte of the JSON itself")
	if d.oneSyntaxByte(whole) {
		return
	}
	d.cutOff()
}

func tailWords(tail []byte, n int) string {
	trimmed := bytes.Trim(tail, "\x00")
	switch {
	case len(trimmed) == 0:
		return fmt.Sprintf("the file is whole up to byte %d and then filled with %d NUL bytes: blocks of the disk that were never written, or a file that was not shortened", n, len(tail))
	case bytes.IndexByte(trimmed, '"') >= 0:
		return fmt.Sprintf("a whole file of %d bytes was written over an older and longer one, whose last %d bytes are still there", n, len(tail))
	}
	return fmt.Sprintf("the file is whole up to byte %d; %d bytes were put behind it", n, len(tail))
}

// entrySchemas are the places of what people count: pods, claims, devices.
var entrySchemas = map[string]bool{
	"entries.*": true, "podEntries.*": true, "baselines.*": true, "machineState.*": true, "allocationEntries.*": true,
	"PodDeviceEntries.#": true, "RegisteredDevices.*": true, "ClaimInfoStateList.#": true, "entries.#": true,
}

// fileEnd is how kubelets' files end, whatever is wrong before.
var fileEnd = regexp.MustCompile(`"(dataC|c|C)hecksum"\s*:\s*[0-9]+\s*}\s*$`)

// cutOff lists what a file has that ends, or breaks, before its end.
func (d *diagnosis) cutOff() {
	if d.k == nil {
		d.k = likeliest(d.blob)
	}
	if d.k == nil || d.v.Damage.Reason == DamageEmpty || d.v.Damage.Reason == DamageType {
		return
	}
	f, nodes, end := d.bestScan()
	if f == nil || len(nodes) == 0 || d.v.Damage.Reason != DamageNUL && len(nodes) == 1 && (nodes[0].kind != '{' || end < len(d.blob)) {
		return // nothing of it is of a kubelet's file
	}
	e := Explanation{Kind: KindTruncated, Confidence: Certain, Tried: 0, Offset: int64(end), Length: int64(len(d.blob) - end)}
	readable := "the file breaks off at byte %d; %s still complete"
	switch {
	case d.v.Damage.Reason == DamageNUL:
	case d.v.Damage.Reason != DamageTruncated && end < len(d.blob):
		e.Kind, e.Confidence = KindByte, Possible
		readable = "the file cannot be read from byte %d on; %s complete before that"
	case fileEnd.Match(d.blob):
		e.Kind, e.Confidence, e.Offset, e.Length = KindByte, Possible, int64(len(d.blob)), 0
		readable = "brackets or quotation marks are missing or too many: up to the end, at byte %d, not all of them are closed; %s complete"
	}
	e.Whole = wholeEntries(nodes)
	if f.inner != nil {
		for _, n := range nodes {
			if n.path == f.inner.field && n.kind == '"' {
				e.Whole = append(e.Whole, d.wholeInside(f, n)...)
			}
		}
	}
	e.Text = fmt.Sprintf(readable, end, entriesAre(len(e.Whole)))
	if d.v.Damage.Reason == DamageNUL {
		end = bytes.IndexByte(d.blob, 0)
		e.Offset, e.Length = int64(end), int64(len(d.blob)-end)
		e.Text = fmt.Sprintf("from byte %d on the file holds NUL bytes; %s still complete before that", end, entriesAre(len(e.Whole)))
	}
	if half := d.wholeHalf(nodes); half != "" {
		e.Evidence = append(e.Evidence, half)
	}
	d.add(e)
}

func entriesAre(n int) string {
	switch n {
	case 0:
		return "no entry is"
	case 1:
		return "1 entry is"
	}
	return strconv.Itoa(n) + " entries are"
}

// bestScan reads the file as the format that knows the most of it.
func (d *diagnosis) bestScan() (best *format, nodes []node, end int) {
	if d.k == nil {
		return nil, nil, 0
	}
	fewest := 1 << 30
	for _, f := range d.k.formats {
		list, at := scan(d.blob, f.docType(), "")
		unknown := 0
		for i := range list {
			if list[i].unknown {
				unknown++
			}
			if n := &list[i]; n.whole && wrongShape(n, f.docType()) {
				unknown++
			}
		}
		if unknown < fewest {
			best, nodes, end, fewest = f, list, at, unknown
		}
	}
	return best, nodes, end
}

// likeliest returns the kind that knows the most members of a document that does
// not decode; nil if several know as many, or none knows any.
func likeliest(blob []byte) *kindTable {
	best, most, several := (*kindTable)(nil), 0, false
	for _, k := range tables {
		score := 0
		for _, f := range k.formats {
			nodes, _ := scan(blob, f.docType(), "")
			n := 0
			for i := range nodes {
				switch {
				case nodes[i].unknown, nodes[i].whole && wrongShape(&nodes[i], f.docType()):
					n -= 10
				case nodes[i].keyB > 0 && !nodes[i].inMap:
					n++
				}
			}
			score = max(score, n)
		}
		if score > most {
			best, most, several = k, score, false
		} else if score == most {
			several = true
		}
	}
	if several {
		return nil
	}
	return best
}

// wrongShape reports whether a value can tell the versions of a kind apart:
// entries of cpu/v1 are strings, and DeviceIDs of device/v1 are lists.
func wrongShape(n *node, t reflect.Type) bool {
	switch n.schema {
	case "entries.*":
		return (n.kind == '"') != (t == reflect.TypeFor[cpuV1]())
	case "Data.PodDeviceEntries.#.DeviceIDs":
		return (n.kind == '[') != (t == reflect.TypeFor[deviceV1]())
	}
	return false
}

func wholeEntries(nodes []node) (paths []string) {
	for _, n := range nodes {
		schema := n.schema
		for _, prefix := range []string{"data.", "Data."} {
			schema = strings.TrimPrefix(schema, prefix)
		}
		if n.whole && entrySchemas[schema] && (schema != "entries.#" || n.kind == '{') {
			paths = append(paths, n.path)
		}
	}
	return paths
}

// wholeInside lists the entries of a document within a string that is cut off.
func (d *diagnosis) wholeInside(f *format, n node) []string {
	raw := d.blob[n.a:n.b]
	if i := bytes.IndexByte(raw, 0); i >= 0 {
		raw = raw[:i]
	}
	if !n.whole { // do not read half an escape
		units, _ := unitsOf(raw)
		if n := len(units); n > 1 {
			last := raw[units[n-2]:]
			if last[0] == '\\' && (len(last) == 1 || last[1] == 'u' && len(last) < 6) {
				raw = raw[:units[n-2]]
			}
		}
	}
	text, ok := decodeRaw(raw)
	if !ok {
		return nil
	}
	inner, _ := scan([]byte(text), f.inner.typ, f.inner.field)
	return wholeEntries(inner)
}

// wholeHalf looks whether the members before the break make a file by themselves:
// the legacy half of a file that breaks off in its data half.
func (d *diagnosis) wholeHalf(nodes []node) string {
	for i := len(nodes) - 1; i > 0; i-- {
		n := nodes[i]
		if d.stopped() {
			return ""
		}
		if n.parent != 0 || !n.whole && n.b < len(d.blob) {
			continue
		}
		if _, end := n.extent(); end <= len(d.blob) && d.good(append(bytes.Clone(d.blob[:end]), '}')) {
			return fmt.Sprintf("the first %d bytes and a closing bracket make a whole file with a matching checksum", end)
		}
	}
	return ""
}
