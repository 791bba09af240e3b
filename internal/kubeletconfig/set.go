package kubeletconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// setting is a change of the configuration that is only thought of.
type setting struct {
	field
	within bool // change one key of the field, and keep the others
}

// Set changes the configuration after all files and flags: key is a field, a
// key of one (systemReserved.cpu), or one of the flags. Only a value in
// brackets, braces or quotes is taken for JSON; null removes.
func (f *Flags) Set(key, value string) error {
	if key == "" {
		return errors.New("the field has no name")
	}
	if k, ok := known[strings.TrimPrefix(key, "--")]; ok {
		v, err := k.read(nil, value)
		if err != nil {
			return err
		}
		raw, err := json.Marshal(v)
		f.sets = append(f.sets, setting{field: field{k.field, raw}})
		return err
	}
	name, inner, within := strings.Cut(key, ".")
	raw, err := valueOf(name, within, value)
	if err != nil {
		return err
	}
	if within {
		raw = object([]field{{inner, raw}})
	}
	f.sets = append(f.sets, setting{field{name, raw}, within})
	return nil
}

func valueOf(name string, within bool, value string) (json.RawMessage, error) {
	switch {
	case value == "null":
		return json.RawMessage(value), nil
	case value != "" && strings.Contains(`[{"`, value[:1]):
		if !json.Valid([]byte(value)) {
			return nil, fmt.Errorf("%.64q is not JSON", value)
		}
		return json.RawMessage(value), nil
	case name == "featureGates" && within, name == "mergeDefaultEvictionSettings", name == "x-ignoreEvictionThreshold":
		on, err := strconv.ParseBool(value)
		if err != nil {
			return nil, fmt.Errorf("%.64q is neither true nor false", value)
		}
		return json.Marshal(on)
	}
	return json.Marshal(value)
}
