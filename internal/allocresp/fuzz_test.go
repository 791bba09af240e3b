package allocresp

import (
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzDecode checks that any message is decided on in either dialect, and that
// what was read is read again from a fresh encoding of it. The comparison with
// the kubelets' own decoders is in testdata/generate.
func FuzzDecode(f *testing.F) {
	for i, v := range vectors(f) {
		if i%40 == 0 {
			f.Add(v.message)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, dialect := range []Dialect{Gogo, Google} {
			r, err := Decode(b, dialect)
			if err != nil {
				var e *Error
				if r != nil || !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(b) {
					t.Fatalf("%x, %v: %+v, %#v", b, dialect, r, err)
				}
				continue
			}
			if dialect == Google && !allUTF8(r) {
				t.Fatalf("%x: accepts %+v", b, r)
			}
			r.Unknown = nil
			again, err := Decode(encode(r), dialect)
			if err != nil || !reflect.DeepEqual(again, r) {
				t.Fatalf("%x, %v: %+v becomes %+v, %v", b, dialect, r, again, err)
			}
		}
	})
}

func allUTF8(r *Response) bool {
	texts := slices.Clone(r.CDIDevices)
	for k, v := range r.Envs {
		texts = append(texts, k, v)
	}
	for k, v := range r.Annotations {
		texts = append(texts, k, v)
	}
	for _, m := range r.Mounts {
		texts = append(texts, m.ContainerPath, m.HostPath)
	}
	for _, d := range r.Devices {
		texts = append(texts, d.ContainerPath, d.HostPath, d.Permissions)
	}
	return !slices.ContainsFunc(texts, func(s string) bool { return !utf8.ValidString(s) })
}

// encode is the plainest encoding of r.
func encode(r *Response) []byte {
	var b []byte
	add := func(number int, fields ...[]byte) {
		var inner []byte
		for _, f := range fields {
			inner = append(inner, f...)
		}
		b = append(b, textField(number, string(inner))...)
	}
	for k, v := range r.Envs {
		add(envs, textField(1, k), textField(2, v))
	}
	for _, m := range r.Mounts {
		readOnly := []byte{3<<3 | varint, 0}
		if m.ReadOnly {
			readOnly[1] = 1
		}
		add(mounts, textField(1, m.ContainerPath), textField(2, m.HostPath), readOnly)
	}
	for _, d := range r.Devices {
		add(devices, textField(1, d.ContainerPath), textField(2, d.HostPath), textField(3, d.Permissions))
	}
	for k, v := range r.Annotations {
		add(annotations, textField(1, k), textField(2, v))
	}
	for _, name := range r.CDIDevices {
		add(cdiDevices, textField(1, name))
	}
	return b
}

func textField(number int, s string) []byte {
	b := []byte{byte(number<<3 | lenPrefix)}
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
