package checkpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// object is a JSON object whose members keep their order and their exact bytes:
// a digest covers them, and those that are not ours go back as they came.
type object []member

type member struct {
	name string
	raw  json.RawMessage
}

// parseObject reads one object and nothing behind it. Blob must be valid JSON.
func parseObject(blob []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(blob))
	first, err := d.Token()
	if err != nil {
		return nil, err
	}
	if first != json.Delim('{') {
		return nil, fmt.Errorf("found %s, want an object", glimpse(blob))
	}
	var o object
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // the decoder has nothing else here
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		o = append(o, member{name, raw})
	}
	return o, nil
}

// get returns a member's bytes, or nil if there is none of that name.
func (o object) get(name string) json.RawMessage {
	if i := slices.IndexFunc(o, func(m member) bool { return m.name == name }); i >= 0 {
		return o[i].raw
	}
	return nil
}

// twice returns a name that two of the members bear.
func (o object) twice(names ...string) (string, bool) {
	for _, name := range names {
		n := 0
		for _, m := range o {
			if m.name == name {
				n++
			}
		}
		if n > 1 {
			return name, true
		}
	}
	return "", false
}

// without returns a copy that lacks the members of some names.
func (o object) without(names ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return slices.Contains(names, m.name) })
}

func (o object) names() []string {
	names := make([]string, len(o))
	for i, m := range o {
		names[i] = m.name
	}
	return names
}

// add appends a member; v must marshal.
func (o *object) add(name string, v any) error {
	raw, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return err
		}
	}
	*o = append(*o, member{name, raw})
	return nil
}

// bytes returns the object as JSON. json.Marshal would not do: it changes the
// bytes of a RawMessage.
func (o object) bytes() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name) // strings always marshal
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.raw)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// glimpse is the beginning of a JSON value for an error.
func glimpse(blob []byte) string {
	const most = 20
	if blob = bytes.TrimSpace(blob); len(blob) > most {
		return fmt.Sprintf("%q…", blob[:most])
	}
	return fmt.Sprintf("%q", blob)
}
