package allocresp

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		name         string
		message      string
		want         Response // of both dialects
		gogo, google string   // errors
	}{
		{name: "nothing"},
		{
			name:    "all",
			message: "\x0a\x06\x0a\x01k\x12\x01v" + "\x12\x08\x0a\x01c\x12\x01h\x18\x01" + "\x1a\x09\x0a\x01c\x12\x01h\x1a\x01r" + "\x22\x03\x0a\x01a" + "\x2a\x03\x0a\x01d",
			want: Response{
				Envs:        map[string]string{"k": "v"},
				Mounts:      []Mount{{"c", "h", true}},
				Devices:     []Device{{"c", "h", "r"}},
				Annotations: map[string]string{"a": ""},
				CDIDevices:  []string{"d"},
			},
		},
		{
			name:    "one key twice",
			message: "\x0a\x06\x0a\x01k\x12\x01v" + "\x0a\x06\x0a\x01k\x12\x01w" + "\x0a\x00" + "\x0a\x03\x12\x01x",
			want:    Response{Envs: map[string]string{"k": "w", "": "x"}},
		},
		{
			name:    "unknown fields",
			message: "\x30\x01" + "\x32\x00" + "\x30\x02" + "\x12\x02\x20\x05" + "\x0a\x03\x1a\x01z" + "\x4b\x4c",
			want: Response{
				Envs:   map[string]string{"": ""},
				Mounts: []Mount{{}},
				Unknown: []Field{
					{"ContainerAllocateResponse", 6, 0}, {"ContainerAllocateResponse", 6, 2}, {"Mount", 4, 0},
					{"EnvsEntry", 3, 2}, {"ContainerAllocateResponse", 9, 3},
				},
			},
		},
		{name: "not UTF-8", message: "\x2a\x03\x0a\x01\xff", want: Response{CDIDevices: []string{"\xff"}}, google: googleUTF8},
		{
			name:    "wrong wire type",
			message: "\x28\x01",
			want:    Response{Unknown: []Field{{"ContainerAllocateResponse", 5, 0}}},
			gogo:    "proto: wrong wireType = 0 for field CDIDevices",
		},
		{
			name:    "key beyond its entry",
			message: "\x0a\x02\x0a\x05\x2a\x03\x0a\x01d",
			want:    Response{Envs: map[string]string{"\x2a\x03\x0a\x01d": ""}, CDIDevices: []string{"d"}},
			google:  googleDecode,
		},
		{name: "end of another group", message: "\x4b\x54", want: Response{Unknown: []Field{{"ContainerAllocateResponse", 9, 3}}}, google: googleDecode},
		{name: "cut off", message: "\x0a\x06\x0a\x01k\x12\x01", gogo: gogoEOF, google: googleDecode},
	} {
		for dialect, refusal := range map[Dialect]string{Gogo: test.gogo, Google: test.google} {
			got, err := Decode([]byte(test.message), dialect)
			var e *Error
			switch {
			case refusal == "" && err != nil:
				t.Errorf("%s, %v: %v", test.name, dialect, err)
			case refusal == "" && !reflect.DeepEqual(*got, test.want):
				t.Errorf("%s, %v: got\n%+v, want\n%+v", test.name, dialect, *got, test.want)
			case refusal != "" && (!errors.As(err, &e) || e.Text != refusal):
				t.Errorf("%s, %v: error %v, want %s", test.name, dialect, err, refusal)
			}
		}
	}
}

func TestOffset(t *testing.T) {
	for _, test := range []struct {
		message      string
		gogo, google int
	}{
		{"\x0a\x06\x0a\x01k\x12\x01\xff" + "\x2a\x03\x0a\x01\xff" + "\x00", 14, 8},
		{"\x2a\x03\x0a\x01x" + "\x2a\x03\x0a\x02x", 9, 9},
		{"\x2a\x00" + "\x2a\x04\x3a\x02ab" + "\x2a\x03\x3a\x02c", 12, 12},
		{"\x36", 1, 1},
	} {
		for dialect, want := range map[Dialect]int{Gogo: test.gogo, Google: test.google} {
			_, err := Decode([]byte(test.message), dialect)
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%x, %v: %v, want an *Error", test.message, dialect, err)
			} else if e.Offset != want {
				t.Errorf("%x, %v: %v at %d, want %d", test.message, dialect, err, e.Offset, want)
			}
		}
	}
}

func TestUnknownDialect(t *testing.T) {
	if r, err := Decode(nil, Dialect(7)); err == nil {
		t.Errorf("dialect 7 decodes to %+v", r)
	}
}

// TestMemory has messages built to make a decoder allocate more than they are long.
func TestMemory(t *testing.T) {
	const size = 1 << 20
	overlap := bytes.Repeat([]byte{0x0a, 5, 0x0a, 0x80, 0x80, 0x80, 0}, size/7) // each key is all the rest
	for i := 0; i < len(overlap); i += 7 {
		rest := len(overlap) - i - 7
		for j := range 4 {
			overlap[i+3+j] |= byte(rest >> (7 * j) & 0x7f)
		}
	}
	for _, test := range []struct {
		name         string
		message      []byte
		gogo, google string
	}{
		{"empty mounts", bytes.Repeat([]byte{0x12, 0}, size/2), "", ""},
		{"empty entries", bytes.Repeat([]byte{0x0a, 0}, size/2), "", ""},
		{"groups", bytes.Repeat([]byte{0x4b}, size), gogoEOF, googleDecode},
		{"overlapping keys", overlap, ErrTooLarge.Error(), googleDecode},
	} {
		for dialect, want := range map[Dialect]string{Gogo: test.gogo, Google: test.google} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Decode(test.message, dialect)
			runtime.ReadMemStats(&after)
			if got := errorText(err); got != want {
				t.Errorf("%s, %v: error %q, want %q", test.name, dialect, got, want)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 200*size {
				t.Errorf("%s, %v: allocates %d bytes for %d", test.name, dialect, got, len(test.message))
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
