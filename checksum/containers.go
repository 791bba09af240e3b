package checksum

import (
	"reflect"
	"strconv"
)

func unsound(v reflect.Value, why Reason) *UnsoundError {
	return &UnsoundError{Type: v.Type().String(), Reason: why}
}

// enter begins to print what v contains. Whoever calls it lowers the depth again
// when done; on an error nothing is printed any more.
func (d *dumper) enter(v reflect.Value) *UnsoundError {
	d.depth++
	if d.depth > MaxDepth {
		return unsound(v, TooDeep)
	}
	return nil
}

// nest is enter for a map or slice, which the caller also takes off d.open. One
// that is already being printed contains itself, unless a pointer lies between:
// there go-spew ends the circle with "<shown>".
func (d *dumper) nest(v reflect.Value) *UnsoundError {
	if err := d.enter(v); err != nil {
		return err
	}
	this := extent{addr: v.Pointer(), len: v.Len(), typ: v.Type()}
	for _, outer := range d.open[d.cuts:] {
		if outer == this {
			return unsound(v, SelfContaining)
		}
	}
	d.open = append(d.open, this)
	return nil
}

func (d *dumper) slice(v reflect.Value) *UnsoundError {
	if v.IsNil() {
		d.text("<nil>")
		return nil
	}
	if v.Len() == 0 {
		d.text("[]")
		return nil
	}
	switch v.Type().Elem().Kind() {
	case reflect.Uint8:
		d.bytes(v.Bytes())
		return nil
	case reflect.Interface, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
		if err := d.nest(v); err != nil {
			return err
		}
		err := d.elements(v)
		d.open = d.open[:len(d.open)-1]
		d.depth--
		return err
	}
	return d.array(v)
}

func (d *dumper) bytes(b []byte) {
	d.out = append(d.out, '[')
	for i, c := range b {
		if i > 0 {
			d.out = append(d.out, ' ')
		}
		d.out = strconv.AppendUint(d.out, uint64(c), 10)
		if d.summing && len(d.out) >= sumChunk {
			d.flush()
		}
	}
	d.out = append(d.out, ']')
}

// array prints an array, or a slice that cannot contain itself.
func (d *dumper) array(v reflect.Value) *UnsoundError {
	if err := d.enter(v); err != nil {
		return err
	}
	err := d.elements(v)
	d.depth--
	return err
}

func (d *dumper) elements(v reflect.Value) *UnsoundError {
	d.out = append(d.out, '[')
	for i := range v.Len() {
		if i > 0 {
			d.out = append(d.out, ' ')
		}
		d.untyped = true
		if err := d.value(d.unpack(v.Index(i))); err != nil {
			return err.in("[" + strconv.Itoa(i) + "]")
		}
	}
	d.out = append(d.out, ']')
	return nil
}

func (d *dumper) structure(v reflect.Value) *UnsoundError {
	if err := d.enter(v); err != nil {
		return err
	}
	d.out = append(d.out, '{')
	for i, name := range d.typeText(v.Type()).fields {
		if i > 0 {
			d.out = append(d.out, ' ')
		}
		d.out = append(d.out, name...)
		d.out = append(d.out, ':')
		if err := d.value(d.unpack(v.Field(i))); err != nil {
			return err.in("." + name)
		}
	}
	d.out = append(d.out, '}')
	d.depth--
	return nil
}

func (d *dumper) mapping(v reflect.Value) *UnsoundError {
	if v.IsNil() {
		d.text("<nil>")
		return nil
	}
	if v.Len() == 0 {
		d.text("map[]")
		return nil
	}
	if err := d.nest(v); err != nil {
		return err
	}
	first := len(d.entries)
	if err := d.sortEntries(v); err != nil {
		return err
	}
	d.text("map[")
	for i := first; i < len(d.entries); i++ {
		if i > first {
			d.out = append(d.out, ' ')
		}
		e := d.entries[i]
		d.untyped = true
		if err := d.value(d.unpack(e.key)); err != nil {
			return err
		}
		d.out = append(d.out, ':')
		d.untyped = true
		if err := d.value(d.unpack(e.elem)); err != nil {
			return err.in(e.step())
		}
	}
	d.out = append(d.out, ']')
	d.entries = d.entries[:first]
	d.open = d.open[:len(d.open)-1]
	d.depth--
	return nil
}
