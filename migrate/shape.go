package migrate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Shape prints the JSON of the version's documents as one line: members with
// their types, in the order of the Go fields. It is for a golden file: a version
// that is in use must keep its shape, or programs of that version take what is
// written now for something newer.
func (v Version) Shape() string { return shape(v.typ, nil) }

var (
	marshaler   = reflect.TypeFor[json.Marshaler]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	jsonNumber  = reflect.TypeFor[json.Number]()
)

// shape describes t; within are the structs that t is part of.
func shape(t reflect.Type, within []reflect.Type) string {
	if t.Implements(marshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		return t.String()
	}
	if t == jsonNumber {
		return t.String() // a string in Go, a number in JSON
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + shape(t.Elem(), within)
	case reflect.Slice:
		return "[]" + shape(t.Elem(), within)
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), shape(t.Elem(), within))
	case reflect.Map:
		return "{" + keyShape(t.Key(), within) + ": " + shape(t.Elem(), within) + "}"
	case reflect.Struct:
		if slices.Contains(within, t) {
			return t.String()
		}
		return "{" + strings.Join(members(t, append(within, t)), ", ") + "}"
	case reflect.Interface:
		return "any"
	}
	return t.Kind().String()
}

// keyShape describes the keys of a map, of which a json.Number is a string in JSON.
func keyShape(t reflect.Type, within []reflect.Type) string {
	if t == jsonNumber {
		return t.Kind().String()
	}
	return shape(t, within)
}

func members(t reflect.Type, within []reflect.Type) (list []string) {
	for _, f := range fieldsOf(t) {
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
			continue
		case f.Anonymous && name == "" && embeds(f.Type):
			// Members of an embedded struct are members of the outer one.
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if !slices.Contains(within, inner) {
				list = append(list, members(inner, append(within, inner))...)
			}
			continue
		case !f.IsExported():
			continue
		}
		text := cmp.Or(name, f.Name) + " " + shape(f.Type, within)
		for _, option := range []string{"omitempty", "omitzero", "string"} {
			if slices.Contains(strings.Split(options, ","), option) {
				text += " " + option
			}
		}
		list = append(list, text)
	}
	return list
}

func fieldsOf(t reflect.Type) (list []reflect.StructField) {
	for i := range t.NumField() {
		list = append(list, t.Field(i))
	}
	return list
}

func embeds(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && !t.Implements(marshaler)
}
