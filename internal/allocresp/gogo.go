package allocresp

import "fmt"

// The texts of io.ErrUnexpectedEOF and of the errors in the generated code.
const (
	gogoEOF      = "unexpected EOF"
	gogoOverflow = "proto: integer overflow"
	gogoLength   = "proto: negative length found during unmarshaling"
	gogoEndGroup = "proto: unexpected end of group"
)

// gogo reads r as a message m, with its strings and bool into rec.
func (d *decoder) gogo(r reader, m *message, rec *record) error {
	for r.more() {
		start := r.pos
		tag, err := r.gogoVarint()
		if err != nil {
			return err
		}
		number, wire := int32(tag>>3), int(tag&7) // the upper half of tag is lost
		switch {
		case wire == endGroup:
			return r.fail(fmt.Sprintf("proto: %s: wiretype end group for non-group", m.name))
		case number <= 0:
			return r.fail(fmt.Sprintf("proto: %s: illegal tag %d (wire type %d)", m.name, number, tag))
		}
		f := m.field(number)
		if f == nil {
			d.skipped(m, number, tag)
			r.pos = start
			if err := r.gogoSkip(len(r.data)); err != nil {
				return err
			}
			continue
		}
		if want := wireType(f.kind); wire != want {
			return r.fail(fmt.Sprintf("proto: wrong wireType = %d for field %s", wire, f.name))
		}
		if f.kind == flag {
			v, err := r.gogoVarint()
			if err != nil {
				return err
			}
			rec.flag = v != 0
			continue
		}
		end, err := r.gogoEnd()
		if err != nil {
			return err
		}
		if f.kind == text {
			rec.texts[number-1] = r.data[r.pos:end]
		} else if err := d.gogoNested(r, end, number, f.of); err != nil {
			return err
		}
		r.pos = end
	}
	return nil
}

func wireType(k kind) int {
	if k == flag {
		return varint
	}
	return lenPrefix
}

// gogoNested reads what is between r and end as field number of the response.
func (d *decoder) gogoNested(r reader, end int, number int32, m *message) error {
	var rec record
	var err error
	if m.entry {
		err = d.gogoEntry(r, end, m, &rec)
	} else {
		err = d.gogo(r.sub(end), m, &rec)
	}
	if err != nil {
		return err
	}
	d.add(number, rec)
	return nil
}

// gogoEntry reads a map entry. Its code checks no wire type, and the end of what
// is around the entry where that of the entry is meant: a key or value may reach
// beyond.
func (d *decoder) gogoEntry(r reader, end int, m *message, rec *record) error {
	for r.pos < end {
		start := r.pos
		tag, err := r.gogoVarint()
		if err != nil {
			return err
		}
		number := int32(tag >> 3)
		if m.field(number) == nil {
			d.skipped(m, number, tag)
			r.pos = start
			if err := r.gogoSkip(end); err != nil {
				return err
			}
			continue
		}
		textEnd, err := r.gogoEnd()
		if err != nil {
			return err
		}
		if d.spare -= textEnd - r.pos; d.spare < 0 {
			return ErrTooLarge
		}
		rec.texts[number-1] = r.data[r.pos:textEnd]
		r.pos = textEnd
	}
	return nil
}

// gogoVarint drops what does not fit 64 bits, but takes ten bytes at most.
func (r *reader) gogoVarint() (uint64, error) {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		if !r.more() {
			return 0, r.fail(gogoEOF)
		}
		b := r.data[r.pos]
		r.pos++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, nil
		}
	}
	return 0, r.fail(gogoOverflow)
}

// gogoEnd reads a length and returns where the bytes after it end.
func (r *reader) gogoEnd() (int, error) {
	v, err := r.gogoVarint()
	if err != nil {
		return 0, err
	}
	end := int64(r.pos) + int64(v)
	switch {
	case int64(v) < 0, end < 0:
		return 0, r.fail(gogoLength)
	case end > int64(len(r.data)):
		return 0, r.fail(gogoEOF)
	}
	return int(end), nil
}

// gogoSkip skips a field with its tag, and fails if it goes beyond end. Groups may
// be nested to any depth, and their ends need not have the numbers of their starts.
func (r *reader) gogoSkip(end int) error {
	in := r.sub(len(r.data))
	n := int64(0) // how far in; may be beyond the data
	for depth := 0; n < int64(len(in.data)); {
		in.pos = int(n)
		tag, err := in.gogoVarint()
		if err != nil {
			return err
		}
		n = int64(in.pos)
		switch wire := tag & 7; wire {
		case varint:
			if _, err := in.gogoVarint(); err != nil {
				return err
			}
			n = int64(in.pos)
		case fixed64:
			n += 8
		case lenPrefix:
			length, err := in.gogoVarint()
			if err != nil {
				return err
			}
			n = int64(in.pos) + int64(length)
			if int64(length) < 0 || n < 0 {
				return in.fail(gogoLength)
			}
		case startGroup:
			depth++
		case endGroup:
			if depth == 0 {
				return in.fail(gogoEndGroup)
			}
			depth--
		case fixed32:
			n += 4
		default:
			return in.fail(fmt.Sprintf("proto: illegal wireType %d", wire))
		}
		if depth == 0 {
			switch n += int64(r.pos); {
			case n < 0:
				return in.fail(gogoLength)
			case n > int64(end):
				return in.fail(gogoEOF)
			}
			r.pos = int(n)
			return nil
		}
	}
	return in.fail(gogoEOF)
}
