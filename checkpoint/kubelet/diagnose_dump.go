package kubelet

import (
	"reflect"
	"sort"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// dumpSketcher writes the dump of a document once more and notes where each
// value stands. It knows the types that documents are made of; whoever uses it
// compares the text with that of package checksum.
type dumpSketcher struct {
	sketch
	kind  Kind
	names checksum.Names
	// quantities are dumps by value, "" for what is none: few are different,
	// and many are asked for.
	quantities map[string]string
}

func (d *dumpSketcher) say(s string) { d.text = append(d.text, s...) }

func (d *dumpSketcher) top(v any) {
	path, schema := "", ""
	r := reflect.ValueOf(v)
	if d.kind == Device {
		path, schema = "Data", "Data"
	}
	if r.Kind() == reflect.Pointer {
		d.say("(*" + d.names.TypeString(r.Type().Elem()) + ")")
		d.value(r.Elem(), path, schema, false)
		return
	}
	d.say("(" + d.names.TypeString(r.Type()) + ")")
	d.value(r, path, schema, false)
}

// typed writes a struct field, which carries its type.
func (d *dumpSketcher) typed(v reflect.Value, path, schema string) {
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		text, err := checksum.Dump(v.Interface(), d.names)
		if err != nil {
			return
		}
		if v.IsNil() {
			text = "(" + d.names.TypeString(v.Type()) + ")<nil>"
		}
		a := len(d.text)
		d.say(text)
		d.tokens = append(d.tokens, token{a: a, b: len(d.text), path: path, schema: schema, role: roleOpaque})
		return
	}
	d.say("(" + d.names.TypeString(v.Type()) + ")")
	d.value(v, path, schema, false)
}

func (d *dumpSketcher) leaf(text, value, path, schema string, r role, spell func(string) (string, bool)) {
	a := len(d.text)
	d.say(text)
	d.tokens = append(d.tokens, token{a: a, b: len(d.text), path: path, schema: schema, role: r, value: value, spell: spell})
}

// opaqueText is v as package checksum dumps it, without its type.
func (d *dumpSketcher) opaqueText(v any) (string, bool) {
	text, err := checksum.Dump(v, d.names)
	return strings.TrimPrefix(text, "("+d.names.TypeString(reflect.TypeOf(v))+")"), err == nil
}

// value writes v without its type. inList: an element, whose pointers are "<*>".
func (d *dumpSketcher) value(v reflect.Value, path, schema string, inList bool) {
	nothing := func(text, value string) { d.leaf(text, value, path, schema, roleNothing, nil) }
	switch x := v.Interface().(type) {
	case quantity.Quantity:
		text, _ := d.opaqueText(x)
		d.leaf(text, x.String(), path, schema, roleQuantity, d.dumpedQuantity)
		return
	case cpuset.CPUSet:
		d.leaf(dumpedSet(x), x.String(), path, schema, roleCPUs, func(value string) (string, bool) {
			set, err := cpuset.Parse(value)
			return dumpedSet(set), err == nil
		})
		return
	}
	switch v.Kind() {
	case reflect.String:
		d.leaf(v.String(), v.String(), path, schema, roleOf(d.kind, schema, false), nil)
	case reflect.Int, reflect.Int64:
		n := strconv.FormatInt(v.Int(), 10)
		d.leaf(n, n, path, schema, roleOf(d.kind, schema, false), nil)
	case reflect.Uint64:
		n := strconv.FormatUint(v.Uint(), 10)
		d.leaf(n, n, path, schema, roleOf(d.kind, schema, false), nil)
	case reflect.Pointer:
		if v.IsNil() {
			nothing("<nil>", "null")
			return
		}
		d.say("<*>")
		d.value(v.Elem(), path, schema, true)
	case reflect.Struct:
		d.structure(v, path, schema)
	case reflect.Slice:
		switch {
		case v.IsNil():
			nothing("<nil>", "null")
		case v.Len() == 0:
			nothing("[]", "[]")
		case v.Type().Elem().Kind() == reflect.Uint8:
			text, _ := d.opaqueText(v.Interface())
			d.leaf(text, string(v.Bytes()), path, schema, roleResponse, dumpedBytes)
		default:
			d.list(v, path, schema)
		}
	case reflect.Map:
		switch {
		case v.IsNil():
			nothing("<nil>", "null")
		case v.Len() == 0:
			nothing("map[]", "{}")
		default:
			d.mapping(v, path, schema)
		}
	default:
		text, _ := d.opaqueText(v.Interface())
		d.leaf(text, text, path, schema, roleOpaque, nil)
	}
}

func (d *dumpSketcher) structure(v reflect.Value, path, schema string) {
	d.say("{")
	for i := range v.NumField() {
		if i > 0 {
			d.say(" ")
		}
		f := v.Type().Field(i)
		if !f.IsExported() {
			return // no document has one; the comparison of the texts will tell
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		d.say(f.Name + ":")
		if f.Name == "Checksum" {
			d.say("(" + d.names.TypeString(f.Type) + ")" + strconv.FormatUint(v.Field(i).Uint(), 10))
			continue
		}
		next := join(path, name)
		if f.Type == setType { // podEntries: the set is one value, of which the struct is the wrapping
			d.say("(" + f.Type.String() + ")")
			d.value(v.Field(i), next, join(schema, name), false)
			continue
		}
		d.typed(v.Field(i), next, join(schema, name))
	}
	d.say("}")
}

var setType = reflect.TypeFor[cpuset.CPUSet]()

func (d *dumpSketcher) list(v reflect.Value, path, schema string) {
	g := group{path: path, schema: schema, sep: 1}
	d.say("[")
	g.a = len(d.text)
	for i := range v.Len() {
		if i > 0 {
			d.say(" ")
		}
		a := len(d.text)
		d.value(v.Index(i), path+"["+strconv.Itoa(i)+"]", join(schema, "#"), true)
		g.entries = append(g.entries, slot{a: a, b: len(d.text), key: -1})
	}
	g.b = len(d.text)
	d.say("]")
	d.groups = append(d.groups, g)
}

func (d *dumpSketcher) mapping(v reflect.Value, path, schema string) {
	g := group{path: path, schema: schema, sep: 1, isMap: true, order: byKey}
	keys := v.MapKeys()
	if keys[0].CanInt() {
		g.order = byNumber
		sort.Slice(keys, func(i, j int) bool { return keys[i].Int() < keys[j].Int() })
	} else {
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
	}
	d.say("map[")
	g.a = len(d.text)
	schema = join(schema, "*")
	for i, k := range keys {
		if i > 0 {
			d.say(" ")
		}
		key := k.String()
		if k.CanInt() {
			key = strconv.FormatInt(k.Int(), 10)
		}
		at := path + "[" + strconv.Quote(key) + "]"
		e := slot{a: len(d.text), key: len(d.tokens)}
		d.say(key)
		d.tokens = append(d.tokens, token{a: e.a, b: len(d.text), path: at, schema: schema,
			role: roleOf(d.kind, schema, true), value: key, key: true})
		d.say(":")
		d.value(v.MapIndex(k), at, schema, true)
		e.b = len(d.text)
		g.entries = append(g.entries, e)
	}
	g.b = len(d.text)
	d.say("]")
	d.groups = append(d.groups, g)
}

// dumpedSet is how a set stands in a dump.
func dumpedSet(set cpuset.CPUSet) string {
	if set.Size() == 0 {
		return "{elems:(map[int]struct {})map[]}"
	}
	b := []byte("{elems:(map[int]struct {})map[")
	for i, cpu := range set.List() {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(strconv.AppendInt(b, int64(cpu), 10), ":{}"...)
	}
	return string(append(b, "]}"...))
}

// dumpedBytes is how bytes stand in a dump.
func dumpedBytes(value string) (string, bool) {
	if value == "" {
		return "[]", true
	}
	b := []byte{'['}
	for i := range len(value) {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendUint(b, uint64(value[i]), 10)
	}
	return string(append(b, ']')), true
}
