package kubeletconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
	yaml2 "sigs.k8s.io/yaml/goyaml.v2"
)

const (
	// MaxSize bounds a document.
	MaxSize = 1 << 20
	// MaxExpanded bounds what a document says once each alias is replaced by
	// what it stands for: a hundred bytes of YAML can stand for gigabytes.
	MaxExpanded = 8 << 20
)

// errTooLarge is a bound of this package, and no kubelet's.
var errTooLarge = errors.New("the document is too large to be judged here")

// toJSON returns the JSON of a document in JSON or YAML. Like a kubelet, it
// takes for JSON what begins with a brace.
func toJSON(doc []byte) ([]byte, error) {
	if len(doc) > MaxSize {
		return nil, fmt.Errorf("%w: it has %d bytes, more than %d", errTooLarge, len(doc), MaxSize)
	}
	if bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) {
		return doc, nil
	}
	// The library bounds the nodes of a document, but not the bytes: an alias of
	// a long string is one node.
	var tree any
	if err := yaml2.Unmarshal(doc, &tree); err != nil {
		return nil, yamlError(err)
	}
	if expanded(tree, 0) > MaxExpanded {
		return nil, fmt.Errorf("%w: its aliases stand for more than %d bytes", errTooLarge, MaxExpanded)
	}
	converted, err := yaml.YAMLToJSON(doc)
	if err != nil {
		return nil, yamlError(err)
	}
	return converted, nil
}

// duplicates says which key a YAML document has twice in one place, if any.
func duplicates(doc []byte) string {
	if bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) {
		return ""
	}
	if _, err := yaml.YAMLToJSONStrict(doc); err != nil {
		return yamlError(err).Error()
	}
	return ""
}

// expanded adds up the bytes of a tree to sum until it is beyond MaxExpanded.
func expanded(tree any, sum int) int {
	switch t := tree.(type) {
	case map[any]any:
		for k, v := range t {
			if sum = expanded(v, expanded(k, sum)); sum > MaxExpanded {
				return sum
			}
		}
	case []any:
		for _, v := range t {
			if sum = expanded(v, sum); sum > MaxExpanded {
				return sum
			}
		}
	case string:
		return sum + len(t) + 4
	}
	return sum + 8
}

// yamlError makes one line of the library's words.
func yamlError(err error) error {
	text := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	text = strings.ReplaceAll(text, "unmarshal errors:\n", "")
	return errors.New(strings.Join(strings.Fields(text), " "))
}

// field is a field of a JSON object.
type field struct {
	name string
	raw  json.RawMessage
}

// fieldsOf takes a JSON object apart, with what is there twice; ok is false
// for anything else.
func fieldsOf(doc []byte) (fields []field, ok bool) {
	d := json.NewDecoder(bytes.NewReader(doc))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		f := field{name: key.(string)}
		if err := d.Decode(&f.raw); err != nil {
			return nil, false
		}
		fields = append(fields, f)
	}
	if _, err := d.Token(); err != nil {
		return nil, false
	}
	_, err := d.Token()
	return fields, err != nil
}

// object puts the fields together again.
func object(fields []field) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			continue // a string can always be encoded
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(f.raw)
	}
	b.WriteByte('}')
	return b.Bytes()
}
