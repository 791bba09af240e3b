package checksum

import (
	"reflect"
	"strings"
)

// A pointer is remembered with the depth at which it was printed.
type pointer struct {
	addr  uintptr
	depth int
	empty bool // points to a value without size
}

// pointer prints v and what it points to, through any further pointers and the
// interfaces between them.
//
// A pointer counts as shown if one to the same address was printed higher up
// and no other at that height or above since. That ends every circle, but also
// hits pointers that are merely shared.
func (d *dumper) pointer(v reflect.Value) *UnsoundError {
	if v.IsNil() && d.untyped {
		d.text("<nil>")
		return nil
	}
	for n := len(d.pointers); n > 0 && d.pointers[n-1].depth >= d.depth; n-- {
		d.pointers = d.pointers[:n-1]
	}
	above := d.pointers // none as deep as this one

	target, levels, end := v, 0, ""
	for target.Kind() == reflect.Pointer {
		if target.IsNil() {
			end = "<nil>"
			break
		}
		if levels == MaxDepth {
			return unsound(v, EndlessPointer)
		}
		p := pointer{addr: target.Pointer(), depth: d.depth, empty: target.Type().Elem().Size() == 0}
		shown := false
		for _, up := range above {
			if p.empty && up.empty || up.addr == p.addr && (p.empty || up.empty) {
				return unsound(v, EmptyPointer)
			}
			shown = shown || up.addr == p.addr
		}
		if shown {
			end = "<shown>"
			break
		}
		d.pointers = append(d.pointers, p)
		levels++

		target = target.Elem()
		if target.Kind() == reflect.Interface {
			if target.IsNil() {
				end = "<nil>"
				break
			}
			target = target.Elem()
		}
	}

	name, err := d.typeName(target)
	if err != nil {
		return err
	}
	if d.untyped {
		if end != "" { // go-spew's count, not the number of levels
			levels += strings.Count(name, "*")
		}
		d.out = append(d.out, '<')
		d.stars(levels)
		d.out = append(d.out, '>')
	} else {
		d.out = append(d.out, '(')
		d.stars(levels)
		d.out = append(d.out, name...)
		d.out = append(d.out, ')')
	}
	if end != "" {
		d.text(end)
		return nil
	}
	cuts := d.cuts
	d.cuts = len(d.open)
	d.untyped = true
	err = d.value(target)
	d.cuts = cuts
	return err
}

func (d *dumper) stars(n int) {
	for range n {
		d.out = append(d.out, '*')
	}
}
