package checkpoint_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/migrate"
)

// wantNewer checks that err calls the file one of a newer version, and not corrupt.
func wantNewer(t *testing.T, err error, fields ...string) {
	t.Helper()
	var unknown *migrate.UnknownFieldsError
	if !errors.As(err, &unknown) || !slices.Equal(unknown.Fields, fields) || errors.Is(err, checkpoint.ErrCorruptCheckpoint) ||
		!strings.Contains(err.Error(), "newer version") {
		t.Errorf("%v, want the unknown fields %q", err, fields)
	}
}

// wantNewerVersion checks the same of a version.
func wantNewerVersion(t *testing.T, err error, found string) {
	t.Helper()
	var newer *migrate.NewerVersionError
	if !errors.As(err, &newer) || newer.Found != found || errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
		t.Errorf("%v, want the newer version %q", err, found)
	}
	wantSentence(t, err)
}

// A later release of the old program has added a field within v1. Whether its sum
// fits here or not, the file is neither corrupt nor to be written without it.
func TestFieldAddedWithinTheOldForm(t *testing.T) {
	type laterClaims struct {
		Claims map[string][]string `json:"claims,omitempty"`
		Extra  string              `json:"extra,omitempty"`
	}
	type laterStore struct {
		Checksum checksum.Checksum `json:"checksum"`
		V1       *laterClaims      `json:"v1,omitempty"`
	}
	sums := map[string]func(whole, known []byte) checksum.Checksum{
		"its own sum":     func(whole, _ []byte) checksum.Checksum { return checksum.New(whole) },
		"a sum that fits": func(_, known []byte) checksum.Checksum { return checksum.New(known) },
	}
	read := func(s *jsonStore) (*claimsV1, []migrate.Loss, error) { return s.V1, nil, nil }
	write := func(d *claimsV1) (*jsonStore, []migrate.Loss, error) { return &jsonStore{V1: d}, nil, nil }
	forms := map[string]checkpoint.Legacy[jsonStore, claimsV1]{
		"its own methods": {Version: "v1", Read: read, Write: write},
		"described": {Version: "v1", Read: read, Write: write, Of: checkpoint.SumOfJSON[jsonStore],
			Sum: func(s *jsonStore) *checksum.Checksum { return &s.Checksum }},
	}
	for name, sum := range sums {
		later := laterStore{V1: &laterClaims{map[string][]string{"a": {"gpu-0"}}, "y"}}
		whole, err := json.Marshal(later)
		if err != nil {
			t.Fatal(err)
		}
		known, err := json.Marshal(jsonStore{V1: &claimsV1{later.V1.Claims}})
		if err != nil {
			t.Fatal(err)
		}
		later.Checksum = sum(whole, known)
		blob, err := json.Marshal(later)
		if err != nil {
			t.Fatal(err)
		}
		for described, form := range forms {
			for _, policy := range []checkpoint.Recovery{checkpoint.Fail, checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
				t.Run(name+" "+described, func(t *testing.T) {
					dir := t.TempDir()
					writeFile(t, dir, blob)
					s := openState[claimsV1](t, dir, versions(1), checkpoint.WithLegacy(form), checkpoint.WithRecovery(policy))
					_, _, err := s.Load(background)
					wantNewer(t, err, "v1.extra")
					wantNewer(t, s.Update(background, func(*claimsV1) error { return nil }), "v1.extra")
					if got := readFile(t, dir); string(got) != string(blob) || len(quarantined(t, dir)) > 0 {
						t.Errorf("policy %d: the file has become %s", policy, got)
					}
				})
			}
		}
	}
}

// What a known field says and omitempty leaves out is not unknown, and neither is
// a name in a map.
func TestEmptyFieldOfTheOldForm(t *testing.T) {
	blob, err := json.Marshal(jsonStore{Checksum: checksum.New([]byte(`{"checksum":0,"v1":{}}`)), V1: &claimsV1{}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := openState[claimsV1](t, dir, versions(1), checkpoint.WithLegacy(checkpoint.Legacy[jsonStore, claimsV1]{
		Version: "v1", Read: func(s *jsonStore) (*claimsV1, []migrate.Loss, error) { return s.V1, nil, nil }}))
	for _, v1 := range []string{`{}`, `{"claims":{}}`, `{"claims":null}`} {
		writeFile(t, dir, []byte(strings.Replace(string(blob), `"v1":{}`, `"v1":`+v1, 1)))
		if _, info := load(t, s); !info.Legacy {
			t.Errorf("%s: %+v", v1, info)
		}
	}
	writeFile(t, dir, []byte(strings.Replace(string(blob), `"v1":{}`, `"v1":{"later":{}}`, 1)))
	_, _, err = s.Load(background)
	wantNewer(t, err, "v1.later")
}

// lenientClaims decodes itself and passes over what it does not know.
type lenientClaims struct{ Claims map[string][]string }

func (c *lenientClaims) UnmarshalJSON(blob []byte) error {
	var v claimsV1
	err := json.Unmarshal(blob, &v)
	c.Claims = v.Claims
	return err
}

func (c lenientClaims) MarshalJSON() ([]byte, error) { return json.Marshal(claimsV1(c)) }

// Where a type decodes itself, a sum that does not fit and a field that does not
// come back are the signs of a newer program.
func TestFieldAddedWhereATypeDecodesItself(t *testing.T) {
	type lenientStore struct {
		Checksum checksum.Checksum `json:"checksum"`
		V1       *lenientClaims    `json:"v1,omitempty"`
	}
	dir := t.TempDir()
	s := openState[claimsV1](t, dir, versions(1), checkpoint.WithRecovery(checkpoint.QuarantineAndStartEmpty), checkpoint.WithLegacy(
		checkpoint.Legacy[lenientStore, claimsV1]{
			Version: "v1", Of: checkpoint.SumOfJSON[lenientStore],
			Sum:  func(s *lenientStore) *checksum.Checksum { return &s.Checksum },
			Read: func(s *lenientStore) (*claimsV1, []migrate.Loss, error) { return &claimsV1{s.V1.Claims}, nil, nil },
		}))
	sum := checksum.New([]byte(`{"checksum":0,"v1":{"claims":{"a":["gpu-0"]}}}`))
	good, err := json.Marshal(lenientStore{sum, &lenientClaims{map[string][]string{"a": {"gpu-0"}}}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, good)
	if _, info := load(t, s); !info.Legacy {
		t.Errorf("%+v", info)
	}
	writeFile(t, dir, []byte(strings.Replace(strings.Replace(string(good), `"v1":{`, `"v1":{"later":1,`, 1), `"checksum":`, `"checksum":1`, 1)))
	_, _, err = s.Load(background)
	wantNewer(t, err, "v1.later")
}
