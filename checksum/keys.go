package checksum

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/davecgh/go-spew/spew"
)

// An entry is a key of a map with its element.
type entry struct {
	key, elem reflect.Value
	order     string // what string keys, and keys that have no order of their own, are sorted by
}

// step is the entry's place in an UnsoundError.Path.
func (e entry) step() string {
	const long = 64
	switch key := e.key; {
	case key.Kind() == reflect.String && key.Len() > long:
		return "[" + strconv.Quote(key.String()[:long]+"…") + "]"
	case key.Kind() == reflect.String:
		return "[" + strconv.Quote(key.String()) + "]"
	case key.Kind() == reflect.Bool:
		return "[" + strconv.FormatBool(key.Bool()) + "]"
	case key.CanInt():
		return "[" + strconv.FormatInt(key.Int(), 10) + "]"
	case key.CanUint():
		return "[" + strconv.FormatUint(key.Uint(), 10) + "]"
	}
	return "[…]"
}

// sortEntries appends the entries of the map v to d.entries in go-spew's order.
func (d *dumper) sortEntries(v reflect.Value) *UnsoundError {
	first := len(d.entries)
	d.entries = slices.Grow(d.entries, v.Len())
	for iter := v.MapRange(); iter.Next(); {
		d.entries = append(d.entries, entry{key: iter.Key(), elem: iter.Value()})
	}
	entries := d.entries[first:]

	kind := v.Type().Key().Kind()
	if !plain(kind) {
		if why := d.badKeys(entries, kind); why != "" {
			return unsound(v, why)
		}
	}
	switch {
	case kind == reflect.String:
		for i := range entries {
			entries[i].order = entries[i].key.String()
		}
		slices.SortFunc(entries, byText)
	case sortable(kind):
		if kind == reflect.Array && len(entries) > 1 {
			// go-spew compares the elements as interfaces, which an unexported
			// field forbids, and has no order for those that are not sortable.
			if !v.CanInterface() {
				return unsound(v, UnexportedKeys)
			}
			if !sortableElements(v.Type().Key()) {
				return unsound(v, UnorderedKeys)
			}
		}
		slices.SortFunc(entries, func(a, b entry) int { return compareKeys(a.key, b.key) })
	default:
		if !v.CanInterface() {
			return unsound(v, UnexportedKeys)
		}
		for i := range entries {
			entries[i].order = spew.Sprintf("%#v", entries[i].key.Interface())
			if strings.Contains(entries[i].order, "(PANIC=") {
				return unsound(v, UnorderedKeys)
			}
		}
		slices.SortFunc(entries, byText)
		for i := 1; i < len(entries); i++ {
			if entries[i-1].order == entries[i].order {
				return unsound(v, UnorderedKeys)
			}
		}
	}
	return nil
}

func byText(a, b entry) int { return strings.Compare(a.order, b.order) }

// badKeys returns the alphabetically first reason against any key, as the
// entries are in random order.
func (d *dumper) badKeys(entries []entry, kind reflect.Kind) Reason {
	var first Reason
	for _, e := range entries {
		why := badKey(e.key, d.depth)
		if why == "" && !sortable(kind) && len(d.names) > 0 {
			why = d.renamedKey(e.key)
		}
		if why != "" && (first == "" || why < first) {
			first = why
		}
	}
	return first
}

// renamedKey refuses a key whose text depends on names: its order comes from
// go-spew, which does not know them.
func (d *dumper) renamedKey(key reflect.Value) Reason {
	with, without := dumper{names: d.names, untyped: true}, dumper{untyped: true}
	if err := with.value(with.unpack(key)); err != nil {
		return err.Reason
	}
	if err := without.value(without.unpack(key)); err != nil {
		return err.Reason
	}
	if string(with.out) != string(without.out) {
		return RenamedInside
	}
	return ""
}

// plain kinds need no look at the key.
func plain(kind reflect.Kind) bool {
	return kind == reflect.String || kind == reflect.Bool || reflect.Int <= kind && kind <= reflect.Uintptr
}

// sortable kinds are ordered by value, all others by a text.
func sortable(kind reflect.Kind) bool {
	return plain(kind) || kind == reflect.Float32 || kind == reflect.Float64 || kind == reflect.Array
}

func sortableElements(t reflect.Type) bool {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return sortable(t.Kind())
}

// badKey finds in a key what makes its order or its text unsound.
func badKey(key reflect.Value, depth int) Reason {
	if depth > MaxDepth {
		return TooDeep
	}
	switch key.Kind() {
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(key.Float()) {
			return NaNKey
		}
	case reflect.Complex64, reflect.Complex128:
		if c := key.Complex(); math.IsNaN(real(c)) || math.IsNaN(imag(c)) {
			return NaNKey
		}
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return PointerKey
	case reflect.Interface:
		if !key.IsNil() {
			return badKey(key.Elem(), depth)
		}
	case reflect.Array:
		for i := range key.Len() {
			if why := badKey(key.Index(i), depth+1); why != "" {
				return why
			}
		}
	case reflect.Struct:
		for i := range key.NumField() {
			if why := badKey(key.Field(i), depth+1); why != "" {
				return why
			}
		}
	}
	return ""
}

// compareKeys orders two different keys of a sortable kind.
func compareKeys(a, b reflect.Value) int {
	switch kind := a.Kind(); {
	case kind == reflect.String:
		return strings.Compare(a.String(), b.String())
	case kind == reflect.Bool:
		switch {
		case a.Bool() == b.Bool():
			return 0
		case b.Bool():
			return -1
		}
		return 1
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	for i := range a.Len() { // an array
		if order := compareKeys(a.Index(i), b.Index(i)); order != 0 {
			return order
		}
	}
	return 0
}
