package checksum

import (
	"reflect"
	"strconv"
)

// sumChunk is how much text gathers before it is summed.
const sumChunk = 1024

// A dumper prints one value. It follows go-spew's formatter step by step, since
// what looks accidental there (which types are left out, when a pointer counts
// as shown) is part of every sum on disk.
type dumper struct {
	names Names
	types map[reflect.Type]*typeText

	out     []byte
	summing bool   // text moves from out to sum
	sum     uint32 // of the text no longer in out

	depth int
	// untyped says that the next value is printed without its type. A pointer
	// that ends in nil or "<shown>" does not clear it, so that after one, as the
	// last element of a list, the next struct field has no type.
	untyped bool

	pointers []pointer // what may count as shown
	open     []extent  // the maps and slices being printed
	cuts     int       // those in open before cuts lie outside the innermost pointer
	entries  []entry   // of the maps being printed
}

// typeText caches what a dump says of a type.
type typeText struct {
	name   string
	ok     bool     // name can be trusted
	fields []string // of a struct
}

// An extent identifies the memory of a map or slice.
type extent struct {
	addr uintptr
	len  int
	typ  reflect.Type
}

func (d *dumper) dump(v any) error {
	if v == nil {
		d.text("(interface {})<nil>")
		return nil
	}
	if err := d.value(reflect.ValueOf(v)); err != nil {
		return err.done()
	}
	return nil
}

func (d *dumper) text(s string) {
	if d.summing && len(s) > sumChunk {
		d.flush()
		d.sum = fnvString(d.sum, s)
		return
	}
	d.out = append(d.out, s...)
}

func (d *dumper) flush() {
	d.sum = fnvBytes(d.sum, d.out)
	d.out = d.out[:0]
}

func (d *dumper) typeText(t reflect.Type) *typeText {
	text := d.types[t]
	if text == nil {
		text = new(typeText)
		text.name, text.ok = d.names.print(t)
		if t.Kind() == reflect.Struct {
			text.fields = make([]string, t.NumField())
			for i := range text.fields {
				text.fields[i] = t.Field(i).Name
			}
		}
		if d.types == nil {
			d.types = make(map[reflect.Type]*typeText)
		}
		d.types[t] = text
	}
	return text
}

// typeName returns the name of v's type, on which an unsound one is reported.
func (d *dumper) typeName(v reflect.Value) (string, *UnsoundError) {
	if len(d.names) == 0 {
		return v.Type().String(), nil
	}
	text := d.typeText(v.Type())
	if !text.ok {
		return "", unsound(v, RenamedInside)
	}
	return text.name, nil
}

// unpack returns the value inside an interface. One in an interface always
// carries its type.
func (d *dumper) unpack(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		d.untyped = false
		if !v.IsNil() {
			return v.Elem()
		}
	}
	return v
}

func (d *dumper) value(v reflect.Value) *UnsoundError {
	if d.summing && len(d.out) >= sumChunk {
		d.flush()
	}
	kind := v.Kind()
	if kind == reflect.Pointer {
		return d.pointer(v)
	}
	if !d.untyped {
		name, err := d.typeName(v)
		if err != nil {
			return err
		}
		d.out = append(d.out, '(')
		d.out = append(d.out, name...)
		d.out = append(d.out, ')')
	}
	d.untyped = false

	switch kind {
	case reflect.Bool:
		d.out = strconv.AppendBool(d.out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.out = strconv.AppendInt(d.out, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.out = strconv.AppendUint(d.out, v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		d.out = strconv.AppendFloat(d.out, v.Float(), 'g', -1, v.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		d.complex(v.Complex(), v.Type().Bits()/2)
	case reflect.String:
		d.text(v.String())
	case reflect.Slice:
		return d.slice(v)
	case reflect.Array:
		return d.array(v)
	case reflect.Map:
		return d.mapping(v)
	case reflect.Struct:
		return d.structure(v)
	default: // Interface (a nil one, see unpack), Chan, Func, UnsafePointer, Uintptr
		if !v.IsZero() {
			return unsound(v, Address)
		}
		d.text("<nil>")
	}
	return nil
}

// complex prints "++Inf" and "+-0" too: the sign is decided before the number
// is turned into text.
func (d *dumper) complex(c complex128, bits int) {
	d.out = append(d.out, '(')
	d.out = strconv.AppendFloat(d.out, real(c), 'g', -1, bits)
	if imag(c) >= 0 {
		d.out = append(d.out, '+')
	}
	d.out = strconv.AppendFloat(d.out, imag(c), 'g', -1, bits)
	d.out = append(d.out, 'i', ')')
}
