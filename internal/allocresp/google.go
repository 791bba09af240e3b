package allocresp

import (
	"math"
	"unicode/utf8"
)

// All that Google's decoder says of a message it refuses.
const (
	googleDecode = "proto: cannot parse invalid wire-format data"
	googleUTF8   = "string field contains invalid UTF-8"
)

const (
	googleMaxNumber = 1<<29 - 1 // of a field; inside skipped groups it is math.MaxInt32
	googleMaxDepth  = 10001     // of groups in groups
)

// google reads r as a message or map entry m, with its strings and bool into rec.
func (d *decoder) google(r reader, m *message, rec *record) error {
	for r.more() {
		tag, ok := r.googleVarint()
		number := tag >> 3
		if !ok || number < 1 || number > googleMaxNumber {
			return r.fail(googleDecode)
		}
		f := m.field(int32(number))
		if f == nil || int(tag&7) != wireType(f.kind) {
			d.skipped(m, int32(number), tag)
			if !r.googleSkip(tag) {
				return r.fail(googleDecode)
			}
			continue
		}
		if f.kind == flag {
			v, ok := r.googleVarint()
			if !ok {
				return r.fail(googleDecode)
			}
			rec.flag = v != 0
			continue
		}
		s, ok := r.googleBytes()
		if !ok {
			return r.fail(googleDecode)
		}
		if f.kind == text {
			if !utf8.ValidString(s) {
				return r.fail(googleUTF8)
			}
			rec.texts[number-1] = s
			continue
		}
		var inner record
		at := r.base + r.pos - len(s)
		if err := d.google(reader{data: s, base: at}, f.of, &inner); err != nil {
			return err
		}
		d.add(int32(number), inner)
	}
	return nil
}

// googleSkip skips the value of a field, with any groups in it properly ended.
func (r *reader) googleSkip(tag uint64) bool {
	var open []uint64 // numbers of the groups we are in
	for {
		ok := true
		switch number := tag >> 3; tag & 7 {
		case varint:
			_, ok = r.googleVarint()
		case fixed64:
			ok = r.advance(8)
		case fixed32:
			ok = r.advance(4)
		case lenPrefix:
			_, ok = r.googleBytes()
		case startGroup:
			if len(open) == googleMaxDepth {
				return false
			}
			open = append(open, number)
		case endGroup:
			last := len(open) - 1
			if last < 0 || open[last] != number {
				return false
			}
			open = open[:last]
		default:
			ok = false
		}
		if !ok {
			return false
		}
		if len(open) == 0 {
			return true
		}
		if tag, ok = r.googleVarint(); !ok || tag>>3 < 1 || tag>>3 > math.MaxInt32 {
			return false
		}
	}
}

func (r *reader) googleBytes() (string, bool) {
	n, ok := r.googleVarint()
	if !ok || n > uint64(len(r.data)-r.pos) {
		return "", false
	}
	start := r.pos
	r.pos += int(n)
	return r.data[start:r.pos], true
}

// googleVarint reports false if the data end, or the number has more than 64 bits.
func (r *reader) googleVarint() (uint64, bool) {
	var v uint64
	for shift := 0; shift < 64 && r.more(); shift += 7 {
		b := r.data[r.pos]
		r.pos++
		if shift == 63 && b > 1 {
			return 0, false
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, true
		}
	}
	return 0, false
}

func (r *reader) advance(n int) bool {
	if n > len(r.data)-r.pos {
		return false
	}
	r.pos += n
	return true
}
