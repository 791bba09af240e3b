package checkpoint

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// dropped is a member of a JSON text that another text does not have.
type dropped struct {
	path  string // "v1.claims.uid.share"
	empty bool   // a zero value in all its parts, which omitempty leaves out
}

// droppedMembers returns the members of before, at any depth, that after lacks.
func droppedMembers(before, after []byte) ([]dropped, error) {
	var b, a any
	if err := json.Unmarshal(before, &b); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(after, &a); err != nil {
		return nil, err
	}
	return compareMembers(b, a, ""), nil
}

// compareMembers looks into objects and arrays that are such in both.
func compareMembers(before, after any, path string) (list []dropped) {
	switch b := before.(type) {
	case map[string]any:
		a, ok := after.(map[string]any)
		if !ok {
			return nil
		}
		for _, key := range slices.Sorted(maps.Keys(b)) {
			at := strings.TrimPrefix(path+"."+key, ".")
			if value, ok := a[key]; ok {
				list = append(list, compareMembers(b[key], value, at)...)
			} else {
				list = append(list, dropped{at, isEmpty(b[key])})
			}
		}
	case []any:
		a, _ := after.([]any)
		for i := range min(len(a), len(b)) {
			list = append(list, compareMembers(b[i], a[i], fmt.Sprintf("%s[%d]", path, i))...)
		}
	}
	return list
}

// isEmpty reports whether v is a zero value in all its parts.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for part := range maps.Values(v) {
			if !isEmpty(part) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	}
	return v == nil || v == false || v == "" || v == 0.0
}
