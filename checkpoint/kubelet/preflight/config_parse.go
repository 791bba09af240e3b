package preflight

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

// ignoreField is no field of a KubeletConfiguration. It stands for a flag in
// descriptions of a start, and every release takes it.
const ignoreField = "x-ignoreEvictionThreshold"

// ParseConfig reads a KubeletConfiguration in JSON. The returned Config can be
// judged also if there is an error: no kubelet starts with it.
//
// Fields that do not matter here are not looked into. Names are case-sensitive.
func ParseConfig(doc []byte) (Config, error) {
	var c Config
	err := c.parse(doc)
	if err != nil {
		c = Config{broken: err.Error(), own: errors.Is(err, errNoObject)}
	} else if len(c.wrong) > 0 {
		err = errors.New(c.wrong[0].text)
	}
	if err != nil {
		return c, fmt.Errorf("kubelet configuration: %w", err)
	}
	return c, nil
}

func (c *Config) parse(doc []byte) error {
	targets := map[string]any{
		"cpuManagerPolicy":             &c.CPUManagerPolicy,
		"cpuManagerPolicyOptions":      &c.CPUManagerPolicyOptions,
		"memoryManagerPolicy":          &c.MemoryManagerPolicy,
		"topologyManagerPolicy":        &c.TopologyManagerPolicy,
		"topologyManagerScope":         &c.TopologyManagerScope,
		"topologyManagerPolicyOptions": &c.TopologyManagerPolicyOptions,
		"systemReserved":               &c.SystemReserved,
		"kubeReserved":                 &c.KubeReserved,
		"reservedSystemCPUs":           &c.ReservedSystemCPUs,
		"systemReservedCgroup":         &c.SystemReservedCgroup,
		"kubeReservedCgroup":           &c.KubeReservedCgroup,
		"evictionHard":                 &c.EvictionHard,
		"mergeDefaultEvictionSettings": &c.MergeDefaultEvictionSettings,
		"featureGates":                 &c.FeatureGates,
		ignoreField:                    &c.IgnoreEvictionThreshold,
	}
	seen := map[string]bool{}
	return eachField(doc, func(name string, raw json.RawMessage) error {
		if name != ignoreField {
			c.fields = append(c.fields, name)
		}
		if seen[name] {
			c.strange = append(c.strange, fmt.Sprintf("duplicate field %q", name))
		}
		seen[name] = true
		var err error
		if name == "reservedMemory" {
			err = c.parseReservedMemory(raw)
		} else if target := targets[name]; target != nil {
			err = decodeField(raw, target, "KubeletConfiguration."+name)
		}
		if err != nil {
			c.wrong = append(c.wrong, wrongType{name, err.Error()})
		}
		return nil
	})
}

func (c *Config) parseReservedMemory(raw json.RawMessage) error {
	c.ReservedMemory = nil
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return spelled(err, "KubeletConfiguration.reservedMemory", "[]v1beta1.MemoryReservation")
	}
	for i, item := range list {
		var m MemoryReservation
		if string(item) == "null" {
			c.ReservedMemory = append(c.ReservedMemory, m)
			continue
		}
		if err := json.Unmarshal(item, &struct{}{}); err != nil {
			return spelled(err, "KubeletConfiguration.reservedMemory", "v1beta1.MemoryReservation")
		}
		err := eachField(item, func(name string, raw json.RawMessage) error {
			switch name {
			case "numaNode":
				return decodeField(raw, &m.NUMANode, "MemoryReservation.reservedMemory.numaNode")
			case "limits":
				return m.parseLimits(raw)
			}
			c.strange = append(c.strange, unknownField(fmt.Sprintf("reservedMemory[%d].%s", i, name)))
			return nil
		})
		if err != nil {
			return err
		}
		c.ReservedMemory = append(c.ReservedMemory, m)
	}
	return nil
}

// parseLimits decodes the amounts: the file is refused for a bad one at once.
func (m *MemoryReservation) parseLimits(raw json.RawMessage) error {
	var limits map[string]quantity.Quantity
	if err := json.Unmarshal(raw, &limits); err != nil {
		return spelled(err, "MemoryReservation.reservedMemory.limits", "v1.ResourceList")
	}
	m.Limits = make(map[string]string, len(limits))
	var texts map[string]json.RawMessage
	if err := json.Unmarshal(raw, &texts); err != nil {
		return err
	}
	for name, text := range texts {
		if m.Limits[name] = "0"; string(text) != "null" {
			m.Limits[name] = strings.TrimSpace(strings.Trim(string(text), `"`))
		}
	}
	return nil
}

// errNoObject is worded here: of such a document, a kubelet misses the kind.
var errNoObject = errors.New("is no JSON object")

// eachField calls f for each field of a JSON object, in order and with what is
// there twice.
func eachField(doc []byte, f func(name string, raw json.RawMessage) error) error {
	var object map[string]json.RawMessage
	var te *json.UnmarshalTypeError
	if err := json.Unmarshal(doc, &object); errors.As(err, &te) || err == nil && object == nil {
		return fmt.Errorf("%.20q %w", doc, errNoObject)
	} else if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(doc))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := f(key.(string), raw); err != nil {
			return err
		}
	}
	return nil
}

func decodeField(raw json.RawMessage, target any, field string) error {
	if err := json.Unmarshal(raw, target); err != nil {
		return spelled(err, field, reflect.TypeOf(target).Elem().String())
	}
	return nil
}

// spelled spells a decode error as it is spelled where the whole
// configuration is decoded.
func spelled(err error, field, goType string) error {
	var te *json.UnmarshalTypeError
	if !errors.As(err, &te) {
		return err
	}
	switch te.Type.Kind() {
	case reflect.Slice, reflect.Map, reflect.Struct:
	default:
		goType = te.Type.String() // of an element
	}
	return fmt.Errorf("json: cannot unmarshal %s into Go struct field %s of type %s", te.Value, field, goType)
}

func unknownField(name string) string { return fmt.Sprintf("unknown field %q", name) }
