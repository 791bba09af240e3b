package kubelet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"k8s.io/utils/cpuset"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// Changes returns where two contents of the same type (see [Verdict.Content])
// differ in meaning, by path. CPU sets and amounts are compared by value, lists
// of nodes, devices and names without regard to their order. Null and empty
// are the same. A value that is only in one of them is "" in the other.
func Changes(old, new any) []Change {
	var list []Change
	changes("", reflect.ValueOf(old), reflect.ValueOf(new), &list)
	return list
}

func changes(path string, a, b reflect.Value, list *[]Change) {
	a, b = pointee(a), pointee(b)
	if nothing(a) && nothing(b) {
		return
	}
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() || nothing(a) || nothing(b) {
		if empty(a) && empty(b) && a.IsValid() == b.IsValid() {
			return
		}
		*list = append(*list, Change{path, jsonText(a), jsonText(b)})
		return
	}
	switch x := a.Interface().(type) {
	case quantity.Quantity:
		if y := b.Interface().(quantity.Quantity); !x.Equal(y) {
			*list = append(*list, Change{path, x.String(), y.String()})
		}
		return
	case cpuset.CPUSet:
		if y := b.Interface().(cpuset.CPUSet); !x.Equals(y) {
			*list = append(*list, Change{path, x.String(), y.String()})
		}
		return
	case []byte:
		if !bytes.Equal(x, b.Bytes()) {
			*list = append(*list, Change{path, fmt.Sprintf("%d bytes", len(x)), fmt.Sprintf("%d bytes", b.Len())})
		}
		return
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.IsExported() {
				changes(join(path, jsonName(f)), a.Field(i), b.Field(i), list)
			}
		}
	case reflect.Map:
		keys := map[string]reflect.Value{}
		for _, k := range slices.Concat(a.MapKeys(), b.MapKeys()) {
			keys[fmt.Sprint(k.Interface())] = k
		}
		for _, name := range slices.Sorted(maps.Keys(keys)) {
			changes(path+"["+strconv.Quote(name)+"]", a.MapIndex(keys[name]), b.MapIndex(keys[name]), list)
		}
	case reflect.Slice:
		changedList(path, a, b, list)
	default:
		x, y := fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface())
		if x != y && !sameCPUs(x, y) {
			*list = append(*list, Change{path, x, y})
		}
	}
}

// changedList compares lists of plain values as sets, lists of structs by what
// identifies their elements, and others one by one.
func changedList(path string, a, b reflect.Value, list *[]Change) {
	elem := a.Type().Elem().Kind()
	if elem != reflect.Struct {
		x, y := texts(a), texts(b)
		if !slices.Equal(x, y) {
			*list = append(*list, Change{path, jsonText(a), jsonText(b)})
		}
		return
	}
	x, y := named(a), named(b)
	all := map[string]bool{}
	for k := range x {
		all[k] = true
	}
	for k := range y {
		all[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		changes(path+"["+k+"]", x[k], y[k], list)
	}
}

func texts(v reflect.Value) (list []string) {
	for i := range v.Len() {
		list = append(list, fmt.Sprint(v.Index(i).Interface()))
	}
	slices.Sort(list)
	return list
}

// named returns the elements of a list of structs by their names, or by their
// places where they have none.
func named(v reflect.Value) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for i := range v.Len() {
		key := ""
		switch e := v.Index(i).Interface().(type) {
		case DeviceEntry:
			key = strconv.Quote(e.PodUID + "/" + e.ContainerName + "/" + e.ResourceName)
		case Claim:
			key = strconv.Quote(e.ClaimUID)
		case ClassicClaim:
			key = strconv.Quote(e.ClaimUID)
		case Block:
			key = strconv.Quote(string(e.Type) + fmt.Sprint(slices.Sorted(slices.Values(e.NUMAAffinity))))
		case ClaimDevice:
			key = strconv.Quote(e.PoolName + "/" + e.DeviceName + "/" + fmt.Sprint(e.RequestNames))
		default:
			key = strconv.Itoa(i)
		}
		if _, twice := out[key]; twice {
			key += "#" + strconv.Itoa(i)
		}
		out[key] = v.Index(i)
	}
	return out
}

func pointee(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	return v
}

// nothing reports whether v is absent, null or an empty list or map.
func nothing(v reflect.Value) bool {
	if !v.IsValid() {
		return true
	}
	return (v.Kind() == reflect.Map || v.Kind() == reflect.Slice) && v.Len() == 0
}

// empty reports whether v says nothing at all, like a pod without containers.
func empty(v reflect.Value) bool { return !v.IsValid() || v.Kind() != reflect.Struct && nothing(v) }

func sameCPUs(x, y string) bool {
	const long = 1 << 16
	if len(x) > long || len(y) > long || listLength(x) > maxCPUs || listLength(y) > maxCPUs {
		return false
	}
	a, errA := cpuset.Parse(x)
	b, errB := cpuset.Parse(y)
	return errA == nil && errB == nil && a.Equals(b)
}

func jsonName(f reflect.StructField) string {
	for i, c := range f.Tag.Get("json") {
		if c == ',' {
			if i == 0 {
				return f.Name
			}
			return f.Tag.Get("json")[:i]
		}
	}
	if tag := f.Tag.Get("json"); tag != "" {
		return tag
	}
	return f.Name
}

// jsonText is v as JSON, strings without their quotes.
func jsonText(v reflect.Value) string {
	if !v.IsValid() {
		return ""
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	b, err := json.Marshal(v.Interface())
	if err != nil {
		return fmt.Sprint(v.Interface())
	}
	return string(b)
}
