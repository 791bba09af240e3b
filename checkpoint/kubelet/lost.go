package kubelet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// lostPaths returns the paths at which full says something that state does
// not. Nulls and empty lists and objects say nothing. Where a whole branch is
// missing, its root is named.
func lostPaths(full, state any) []string {
	a, errA := tree(full)
	b, errB := tree(state)
	if errA != nil || errB != nil {
		return nil // states are plain data and marshal
	}
	var lost []string
	compare("", a, b, &lost)
	return lost
}

func tree(v any) (any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("state does not marshal: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var out any
	err = d.Decode(&out)
	return out, err
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
