package kubelet

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// lostPaths returns the paths at which full says something that state does
// not. Nulls and empty lists and objects say nothing. Where a whole branch is
// missing, its root is named.
func lostPaths(full, state any) []string {
	var lost []string
	compare("", tree(full), tree(state), &lost)
	return lost
}

// tree returns v as encoding/json would read it back. States are plain data
// and marshal; what does not says nothing.
func tree(v any) (out any) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

func compare(path string, full, state any, lost *[]string) {
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
			compare(join(path, key), f[key], s[key], lost)
		}
	case []any:
		s, ok := state.([]any)
		if !ok || len(s) != len(f) {
			*lost = append(*lost, path)
			return
		}
		for i := range f {
			compare(path+"["+strconv.Itoa(i)+"]", f[i], s[i], lost)
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

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
