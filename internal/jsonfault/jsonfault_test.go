package jsonfault_test

import (
	"encoding/json"
	"testing"

	"github.com/kubeckpt/ckpt/internal/jsonfault"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		text   string
		reason jsonfault.Reason
		offset int64
	}{
		{"", jsonfault.Empty, 0},
		{" \n\t", jsonfault.Empty, 0},
		{"\x00\x00\x00", jsonfault.NUL, 0},
		{"{\"a\":1\x00\x00", jsonfault.NUL, 6},
		{"{\"a\":tr\x00\x00", jsonfault.NUL, 7},
		{"{}\x00", jsonfault.NUL, 2},
		{`{"a":1`, jsonfault.Truncated, 6},
		{`{"a":tr`, jsonfault.Truncated, 7},
		{`{"a":-`, jsonfault.Truncated, 6},
		{`{"a":1.`, jsonfault.Truncated, 7},
		{`{"a":1e+`, jsonfault.Truncated, 8},
		{`{"a":"b`, jsonfault.Truncated, 7},
		{`{"a":"b\`, jsonfault.Truncated, 8},
		{`{"a":"b\u00`, jsonfault.Truncated, 11},
		{`{"a":tr `, jsonfault.Syntax, 7},
		{`{"a":"b\ `, jsonfault.Syntax, 8},
		{`{"a":tr}`, jsonfault.Syntax, 7},
		{`x`, jsonfault.Syntax, 0},
		{`{"a":1}x`, jsonfault.Trailing, 7},
		{`{"a":1} {"b":tr`, jsonfault.Trailing, 7},
		{`[1]x`, jsonfault.Syntax, 3}, // no checkpoint is an array
	} {
		f := jsonfault.Find([]byte(c.text))
		if f == nil || f.Reason != c.reason || f.Offset != c.offset || f.Err == nil {
			t.Errorf("%q: %+v, want %s at %d", c.text, f, c.reason, c.offset)
		}
	}
	for _, text := range []string{`{}`, ` {"a":[1,"b",null,true]} `, `1`, `null`} {
		if f := jsonfault.Find([]byte(text)); f != nil {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

// What was cut off is called that, wherever the cut is.
func TestTruncatedAnywhere(t *testing.T) {
	const text = `{"a":[true,false,null,-1.5e+7,"\"\\\u00e4ä"],"b":{"c":"d e"}}`
	if !json.Valid([]byte(text)) {
		t.Fatal("no JSON")
	}
	for n := 1; n < len(text); n++ {
		if f := jsonfault.Find([]byte(text[:n])); f == nil || f.Reason != jsonfault.Truncated || f.Offset != int64(n) {
			t.Errorf("%q: %+v", text[:n], f)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"a":tr`, "{}\x00", `{"a":1}x`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, blob []byte) {
		fault := jsonfault.Find(blob)
		if (fault == nil) != json.Valid(blob) {
			t.Fatalf("%q: %+v", blob, fault)
		}
		if fault == nil {
			return
		}
		if fault.Offset < 0 || fault.Offset > int64(len(blob)) {
			t.Errorf("%q: offset %d", blob, fault.Offset)
		}
		if fault.Reason == jsonfault.Trailing && !json.Valid(blob[:fault.Offset]) {
			t.Errorf("%q: the first %d bytes are no value", blob, fault.Offset)
		}
	})
}
