package kubelet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// lostPaths returns the paths at which full says something that state does
// not, both as encoding/json writes them. Nulls and empty lists and objects say
// nothing. Where a whole branch is missing, its root is named.
func lostPaths(full, state any) []string {
	c := comparison{members: map[reflect.Type][]jsonMember{}}
	lost := c.lost(reflect.ValueOf(full), reflect.ValueOf(state))
	for i := range lost {
		lost[i] = strings.TrimPrefix(lost[i], ".")
	}
	return lost
}

// comparison compares values without writing them. What is shared, as most of a
// restored state is with what was read, costs nothing.
type comparison struct {
	members map[reflect.Type][]jsonMember
}

// jsonMember is a field of a struct as a member of an object.
type jsonMember struct {
	name      string
	index     int
	omitEmpty bool
}

// layered is content whose layout varies; layout returns what is marshalled.
type layered interface{ layout() any }

// lost returns paths that begin with the separator of their first part.
func (c *comparison) lost(full, state reflect.Value) []string {
	full, state = resolve(full), resolve(state)
	switch {
	case !c.says(full):
		return nil
	case !state.IsValid():
		return []string{""}
	case full.Type() != state.Type():
		full, state = reflect.ValueOf(readBack(full)), reflect.ValueOf(readBack(state))
		if full.Type() != state.Type() {
			return []string{""}
		}
	}
	same := false
	switch {
	case isMarshaler(full.Type()):
		same = reflect.DeepEqual(full.Interface(), state.Interface()) || bytes.Equal(asJSON(full), asJSON(state))
	case full.Kind() == reflect.Map:
		return c.lostOfMap(full, state)
	case full.Kind() == reflect.Struct:
		return c.lostOfStruct(full, state)
	case full.Kind() != reflect.Slice:
		same = full.Equal(state)
	case isBytes(full):
		same = bytes.Equal(full.Bytes(), state.Bytes())
	default:
		return c.lostOfList(full, state)
	}
	if same {
		return nil
	}
	return []string{""}
}

func (c *comparison) lostOfMap(full, state reflect.Value) []string {
	if full.Pointer() == state.Pointer() {
		return nil
	}
	if state.Len() == 0 {
		return []string{""}
	}
	type part struct {
		key  string
		lost []string
	}
	var parts []part
	for it := full.MapRange(); it.Next(); {
		if lost := c.lost(it.Value(), state.MapIndex(it.Key())); lost != nil {
			parts = append(parts, part{fmt.Sprint(it.Key()), lost})
		}
	}
	sort.Slice(parts, func(i, j int) bool { return parts[i].key < parts[j].key })
	var all []string
	for _, p := range parts {
		all = under("."+p.key, p.lost, all)
	}
	return all
}

func (c *comparison) lostOfStruct(full, state reflect.Value) (all []string) {
	members := c.membersOf(full.Type())
	if !slices.ContainsFunc(members, func(m jsonMember) bool { return !m.omits(state) }) {
		return []string{""}
	}
	for _, m := range members {
		if !m.omits(full) {
			all = under("."+m.name, c.lost(full.Field(m.index), state.Field(m.index)), all)
		}
	}
	return all
}

func (c *comparison) lostOfList(full, state reflect.Value) (all []string) {
	if full.Len() != state.Len() {
		return []string{""}
	}
	for i := range full.Len() {
		all = under("["+strconv.Itoa(i)+"]", c.lost(full.Index(i), state.Index(i)), all)
	}
	return all
}

// under appends the paths of a part to all.
func under(part string, lost, all []string) []string {
	for _, path := range lost {
		all = append(all, part+path)
	}
	return all
}

// says reports whether a resolved value says anything.
func (c *comparison) says(v reflect.Value) bool {
	if !v.IsValid() {
		return false
	}
	switch v.Kind() {
	case reflect.Slice:
		return v.Len() > 0 || isBytes(v)
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if c.says(resolve(it.Value())) {
				return true
			}
		}
		return false
	case reflect.Struct:
		return isMarshaler(v.Type()) || slices.ContainsFunc(c.membersOf(v.Type()), func(m jsonMember) bool {
			return !m.omits(v) && c.says(resolve(v.Field(m.index)))
		})
	}
	return true
}

// resolve follows pointers, interfaces and layouts; the result is invalid where
// null is written.
func resolve(v reflect.Value) reflect.Value {
	for v.IsValid() {
		if v.Kind() == reflect.Struct && v.CanInterface() {
			l, ok := v.Interface().(layered)
			if !ok {
				return v
			}
			v = reflect.ValueOf(l.layout())
			continue
		}
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			v = v.Elem()
		case reflect.Map, reflect.Slice:
			if v.IsNil() {
				return reflect.Value{}
			}
			return v
		default:
			return v
		}
	}
	return v
}

// membersOf returns the members of an object, in the order of their names.
func (c *comparison) membersOf(t reflect.Type) []jsonMember {
	members, known := c.members[t]
	if !known {
		for i := range t.NumField() {
			name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			members = append(members, jsonMember{cmp.Or(name, t.Field(i).Name), i, options == "omitempty"})
		}
		sort.Slice(members, func(i, j int) bool { return members[i].name < members[j].name })
		c.members[t] = members
	}
	return members
}

// omits reports whether encoding/json leaves the member of v out.
func (m jsonMember) omits(v reflect.Value) bool {
	if !m.omitEmpty {
		return false
	}
	switch f := v.Field(m.index); f.Kind() {
	case reflect.Map, reflect.Slice:
		return f.Len() == 0
	case reflect.Struct:
		return false
	default:
		return f.IsZero()
	}
}

func isMarshaler(t reflect.Type) bool { return t.Implements(reflect.TypeFor[json.Marshaler]()) }

// isBytes reports whether v is written as a string.
func isBytes(v reflect.Value) bool { return v.Type().Elem().Kind() == reflect.Uint8 }

// readBack returns v as encoding/json would read it back.
func readBack(v reflect.Value) (out any) {
	d := json.NewDecoder(bytes.NewReader(asJSON(v)))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

// asJSON returns v as JSON. States are plain data and marshal.
func asJSON(v reflect.Value) []byte {
	b, _ := json.Marshal(v.Interface())
	return b
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
