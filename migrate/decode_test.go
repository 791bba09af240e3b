package migrate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/migrate"
)

func TestDecode(t *testing.T) {
	doc, err := sample(t).Decode("v2", []byte(`{"claims":{"u":[{"pool":"p","name":"n"}]}} `))
	if err != nil || !reflect.DeepEqual(doc, &claimsV2{map[string][]deviceV2{"u": {{"p", "n"}}}}) {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestUnknownFields(t *testing.T) {
	for blob, want := range map[string][]string{
		`{"later":1}`: {"later"},
		`{"claims":{"u":[{"pool":"p","name":"n","share":"s"},{"later":{}}]},"later":null,"share":1}`: {
			"claims.u[0].share", "claims.u[1].later", "later", "share"},
		`{"claims":{"share":[{"share":1}]}}`: {"claims.share[0].share"},
	} {
		_, err := sample(t).Decode("v2", []byte(blob))
		var unknown *migrate.UnknownFieldsError
		if !errors.As(err, &unknown) || !slices.Equal(unknown.Fields, want) || unknown.Version != "v2" {
			t.Errorf("%s: %v, want %q", blob, err, want)
		} else if !strings.Contains(err.Error(), "newer version") || strings.Contains(err.Error(), "corrupt") {
			t.Error(err)
		}
	}
}

// Input with very many names must not take very long.
func TestManyUnknownFields(t *testing.T) {
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, `,"f%d":1`, i)
	}
	_, err := sample(t).Decode("v1", []byte("{"+b.String()[1:]+"}"))
	var unknown *migrate.UnknownFieldsError
	if !errors.As(err, &unknown) || len(unknown.Fields) < 5 || len(err.Error()) > 300 {
		t.Errorf("%.400v", err)
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, blob := range []string{"", "{", "{}x", `{"claims":1}`, `[]`, `{"later":1,"claims":{"u":7}}`} {
		_, err := sample(t).Decode("v2", []byte(blob))
		var decode *migrate.DecodeError
		if !errors.As(err, &decode) || decode.Version != "v2" {
			t.Errorf("%q: %v", blob, err)
		}
	}
	var syntax *json.SyntaxError
	if _, err := sample(t).Decode("v2", []byte("{}x")); !errors.As(err, &syntax) || syntax.Offset != 3 {
		t.Errorf("trailing data: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{}`, `{"claims":{"u":[{"pool":"p","name":"n"}]}}`, `{"later":{"a":[{"b":1}]}}`, `{"Claims":null,"x":1}`, `{"claims":{"u":[{"x":1}]}}`} {
		f.Add([]byte(seed))
	}
	chain := sample(f)
	f.Fuzz(func(t *testing.T, blob []byte) {
		doc, err := chain.Decode("v2", blob)
		if err != nil {
			if strings.Contains(err.Error(), "corrupt") && !strings.Contains(string(blob), "corrupt") {
				t.Errorf("%q: %v", blob, err)
			}
			return
		}
		again, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := chain.Decode("v2", again); err != nil {
			t.Errorf("%q was read and written as %q: %v", blob, again, err)
		}
	})
}
