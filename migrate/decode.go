package migrate

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Decode reads a document and returns a pointer to it. A field that the version
// does not have is an *UnknownFieldsError, unless it is within a type that
// decodes itself; JSON of other types is a *DecodeError.
func (c *Chain) Decode(id string, blob []byte) (any, error) {
	v, err := c.Version(id)
	if err != nil {
		return nil, err
	}
	doc := v.New()
	err = decodeStrictly(blob, doc)
	if err == nil {
		return doc, nil
	}
	if unknownField(err) == "" {
		return nil, &DecodeError{Version: id, Err: err}
	}
	fields, err := unknownFields(blob, v.typ)
	if err != nil {
		return nil, &DecodeError{Version: id, Err: err}
	}
	return nil, &UnknownFieldsError{Version: id, Fields: fields}
}

func decodeStrictly(blob []byte, doc any) error {
	d := json.NewDecoder(bytes.NewReader(blob))
	d.DisallowUnknownFields()
	if err := d.Decode(doc); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return json.Unmarshal(blob, new(any)) // says where
		}
		return err
	}
	if len(bytes.TrimSpace(blob[d.InputOffset():])) > 0 {
		return json.Unmarshal(blob, new(any))
	}
	return nil
}

// unknownField returns the name in the error of a decoder that allows no unknown
// fields. It has no type of its own; decode_test.go watches the text.
func unknownField(err error) string {
	quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field ")
	if !ok {
		return ""
	}
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return quoted
	}
	return name
}

// unknownFields finds the paths of all unknown fields. The decoder names the
// first only, and without its path: so all members of that name which do not
// come back from the document are taken out, and it is asked again, for a number
// of names that a person will read.
func unknownFields(blob []byte, typ reflect.Type) ([]string, error) {
	const mostNames = 20
	var fields []string
	for range mostNames {
		doc := reflect.New(typ).Interface()
		err := decodeStrictly(blob, doc)
		if err == nil {
			break
		}
		name := unknownField(err)
		if name == "" {
			return nil, err
		}
		doc = reflect.New(typ).Interface()
		if err := json.Unmarshal(blob, doc); err != nil {
			return nil, err
		}
		full, err := tree(blob)
		if err != nil {
			return nil, err
		}
		again, err := json.Marshal(doc)
		if err != nil {
			return nil, err
		}
		kept, err := tree(again)
		if err != nil {
			return nil, err
		}
		taken := takeOut(full, kept, name, "")
		if len(taken) == 0 {
			// The member comes back from elsewhere; its name must do.
			fields = append(fields, name)
			break
		}
		fields = append(fields, taken...)
		if blob, err = json.Marshal(full); err != nil {
			return nil, err
		}
	}
	slices.Sort(fields)
	return fields, nil
}

// takeOut removes the members called name that kept does not have, and returns
// their paths.
func takeOut(full, kept any, name, path string) (taken []string) {
	switch f := full.(type) {
	case map[string]any:
		k, _ := kept.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(f)) {
			at := strings.TrimPrefix(path+"."+key, ".")
			if _, ok := k[key]; key == name && !ok {
				delete(f, key)
				taken = append(taken, at)
				continue
			}
			taken = append(taken, takeOut(f[key], k[key], name, at)...)
		}
	case []any:
		k, _ := kept.([]any)
		for i := range f {
			var other any
			if i < len(k) {
				other = k[i]
			}
			taken = append(taken, takeOut(f[i], other, name, path+"["+strconv.Itoa(i)+"]")...)
		}
	}
	return taken
}

func tree(blob []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(blob))
	d.UseNumber()
	return v, d.Decode(&v)
}
