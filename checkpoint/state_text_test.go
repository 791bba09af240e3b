package checkpoint_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
)

// What encoding/json would change silently is refused, and nothing is written.
func TestTextThatIsNotUTF8(t *testing.T) {
	for name, m := range map[string]map[string]string{
		"two keys that become one": {"\xff": "1", "\xfe": "2"},
		"a key":                    {"gpu-\xff": "1"},
		"a value":                  {"gpu": "a\xc3"},
		"among good ones":          {"\ufffd": "\ufffd", "gpu": "\\ufffd", "bad": "\xff"},
	} {
		s := openState[map[string]string](t, t.TempDir())
		err := s.Update(background, func(d *map[string]string) error { *d = m; return nil })
		var state *checkpoint.StateError
		if !errors.As(err, &state) || state.Outcome != checkpoint.Unchanged {
			t.Errorf("%s: %v", name, err)
		}
		wantSentence(t, err)
		if _, _, err := s.Load(background); !errors.Is(err, checkpoint.ErrCheckpointNotFound) {
			t.Errorf("%s: load: %v", name, err)
		}
	}
}

// roughKey is a key of which two may be written alike.
type roughKey int

func (k roughKey) MarshalText() ([]byte, error) { return []byte(strconv.Itoa(int(k) / 10 * 10)), nil }

func (k *roughKey) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	*k = roughKey(n)
	return err
}

func TestKeysThatAreWrittenAlike(t *testing.T) {
	type doc struct {
		List []map[roughKey]int
	}
	s := openState[doc](t, t.TempDir())
	set := func(m map[roughKey]int) error {
		return s.Update(background, func(d *doc) error { d.List = []map[roughKey]int{{11: 1}, m}; return nil })
	}
	if err := set(map[roughKey]int{12: 1, 13: 2}); err == nil || !strings.Contains(err.Error(), `written as "10"`) {
		t.Errorf("alike: %v", err)
	}
	if err := set(map[roughKey]int{12: 1, 23: 2}); err != nil {
		t.Errorf("not alike: %v", err)
	}
}

// What comes back, or is known not to, is not refused.
func TestTextThatComesBack(t *testing.T) {
	good := map[string]any{
		"replacement": "\ufffd", "escaped": `\ufffd`, "html": "<&>\u2028", "nul": "\x00",
		"large": uint64(1<<63 + 1), "struct": struct{ B, A int }{1, 2},
	}
	s := openState[map[string]any](t, t.TempDir())
	if err := s.Update(background, func(d *map[string]any) error { *d = maps.Clone(good); return nil }); err != nil {
		t.Fatal(err)
	}
	got, _ := load(t, s)
	if len(*got) != len(good) || (*got)["replacement"] != "\ufffd" || (*got)["escaped"] != `\ufffd` || (*got)["nul"] != "\x00" {
		t.Errorf("%q", *got)
	}
	raw := openState[json.RawMessage](t, t.TempDir())
	if err := raw.Update(background, func(d *json.RawMessage) error { *d = json.RawMessage(`{"a":"\ufffd"}`); return nil }); err != nil {
		t.Error(err)
	}
}
