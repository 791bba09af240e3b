package kubelet

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// lostPaths gives what a comparison of the JSON gives.
func TestLostPaths(t *testing.T) {
	pairs, lossy := 0, 0
	for _, k := range tables {
		for _, r := range k.readers(&Options{}) {
			for seed := range uint64(60) {
				full, state := newRandom(seed).content(k.kind, r.release.Name), newRandom(seed).content(k.kind, r.release.Name)
				forget(newRandom(seed+1), reflect.ValueOf(state).Elem())
				for _, pair := range [][2]any{{full, state}, {state, full}} {
					var want []string
					compareJSON("", jsonTree(pair[0]), jsonTree(pair[1]), &want)
					if got := lostPaths(pair[0], pair[1]); !slices.Equal(got, want) {
						t.Fatalf("%s of %v, seed %d: %q, want %q", k.kind, r, seed, got, want)
					}
					if pairs++; len(want) > 0 {
						lossy++
					}
				}
			}
		}
	}
	if t.Logf("%d pairs, %d of them with losses", pairs, lossy); lossy == 0 || lossy == pairs {
		t.Error("the pairs are all alike")
	}
}

func TestLostPathsOfOddValues(t *testing.T) {
	type inner struct {
		B []byte
		M map[string]any `json:"m,omitempty"`
	}
	type outer struct {
		Name string `json:"name"`
		P    *inner
		L    []inner
		N    map[int]string
	}
	for _, pair := range [][2]any{
		{nil, nil}, {nil, outer{}}, {outer{}, nil}, {outer{}, outer{}}, {outer{Name: "a"}, outer{}},
		{outer{P: &inner{}}, outer{}}, {outer{P: &inner{B: []byte{}}}, outer{P: &inner{}}}, {outer{P: &inner{B: []byte{1}}}, outer{P: &inner{B: []byte{}}}},
		{outer{L: []inner{{}}}, outer{L: []inner{{}}}}, {outer{L: []inner{{B: []byte{1}}}}, outer{L: []inner{{}}}}, {outer{L: []inner{{}, {}}}, outer{L: []inner{{}}}},
		{outer{N: map[int]string{2: "a", 10: "b"}}, outer{N: map[int]string{3: ""}}}, {outer{N: map[int]string{2: ""}}, outer{N: map[int]string{}}},
		{outer{P: &inner{M: map[string]any{"a": 1.5, "b": []any{"x"}, "c": map[string]any{}}}}, outer{P: &inner{M: map[string]any{"a": "x", "b": []any{"y"}}}}},
		{outer{Name: "a", L: []inner{{}}}, inner{}}, {inner{M: map[string]any{"a": 1}}, inner{}}, {inner{M: map[string]any{"a": map[string]any{"b": nil}}}, inner{}},
		{map[string]any{"a": []string{"x"}}, map[string]any{"a": []any{"x"}}}, {map[string]any{"a": []string{"x"}}, map[string]any{"a": map[string]int{"x": 1}}},
	} {
		var want []string
		compareJSON("", jsonTree(pair[0]), jsonTree(pair[1]), &want)
		if got := lostPaths(pair[0], pair[1]); !slices.Equal(got, want) {
			t.Errorf("%+v, %+v: %q, want %q", pair[0], pair[1], got, want)
		}
	}
}

// forget takes something out of a value here and there.
func forget(rnd *random, v reflect.Value) {
	if rnd.IntN(12) == 0 && v.CanSet() {
		v.SetZero()
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			forget(rnd, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				forget(rnd, v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			forget(rnd, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			elem := reflect.New(v.Type().Elem()).Elem()
			elem.Set(v.MapIndex(key))
			if forget(rnd, elem); rnd.IntN(12) == 0 {
				elem = reflect.Value{}
			}
			v.SetMapIndex(key, elem)
		}
	}
}

func jsonTree(v any) any {
	if v == nil {
		return nil
	}
	return readBack(reflect.ValueOf(v))
}

// compareJSON is lostPaths for values that were read back from their JSON.
func compareJSON(path string, full, state any, lost *[]string) {
	if saysNothing(full) {
		return
	}
	switch f := full.(type) {
	case map[string]any:
		s, ok := state.(map[string]any)
		if !ok || len(s) == 0 {
			*lost = append(*lost, path)
			return
		}
		for _, key := range slices.Sorted(maps.Keys(f)) {
			compareJSON(join(path, key), f[key], s[key], lost)
		}
	case []any:
		s, ok := state.([]any)
		if !ok || len(s) != len(f) {
			*lost = append(*lost, path)
			return
		}
		for i := range f {
			compareJSON(path+"["+strconv.Itoa(i)+"]", f[i], s[i], lost)
		}
	default:
		if full != state {
			*lost = append(*lost, path)
		}
	}
}

func saysNothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, e := range v {
			if !saysNothing(e) {
				return false
			}
		}
		return true
	}
	return false
}
