package fastsum

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// jsonField is one member that encoding/json reads and writes.
type jsonField struct {
	name     string // in JSON
	goName   string
	index    []int
	typ      reflect.Type
	owner    reflect.Type // the struct that declares it
	optional bool         // omitempty
	last     bool         // of its owner
}

// flatten returns the members of a struct in the order in which they are
// written. It reports false if names collide or a tag asks for more than a name
// and omitempty.
func flatten(t reflect.Type) (fields []jsonField, ok bool) {
	names := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if options != "" && options != "omitempty" {
			return nil, false
		}
		var found []jsonField
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			if found, ok = flatten(f.Type); !ok {
				return nil, false
			}
			for j := range found {
				found[j].index = append([]int{i}, found[j].index...)
			}
		case f.Anonymous:
			return nil, false
		case !f.IsExported() || name == "-":
			continue
		default:
			if name == "" {
				name = f.Name
			}
			found = []jsonField{{name: name, goName: f.Name, index: []int{i}, typ: f.Type, owner: t, optional: options == "omitempty"}}
		}
		for _, f := range found {
			if names[f.name] || !plainText(f.name) {
				return nil, false
			}
			names[f.name] = true
		}
		fields = append(fields, found...)
	}
	for i := range fields {
		fields[i].last = i+1 == len(fields) || fields[i+1].owner != fields[i].owner
	}
	return fields, true
}

// dumpFields returns the fields of a struct as a dump shows them. It reports
// false if they are not just the members of its JSON.
func dumpFields(t reflect.Type) ([]jsonField, bool) {
	fields, ok := flatten(t)
	if !ok || len(fields) != t.NumField() {
		return nil, false
	}
	for _, f := range fields {
		if len(f.index) != 1 {
			return nil, false // an embedded struct is nested in a dump
		}
	}
	return fields, true
}

func plainText(s string) bool {
	for i := range len(s) {
		if !isPlain(s[i]) {
			return false
		}
	}
	return true
}

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	marshaler       = reflect.TypeFor[json.Marshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
)

// codesItself reports whether encoding/json leaves t to methods of its own.
func codesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(unmarshaler) || p.Implements(textUnmarshaler) || p.Implements(marshaler) || p.Implements(textMarshaler)
}
