package checkpoint_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/migrate"
)

// oldProgram is the driver before it had a State.
func oldProgram(t *testing.T, dir string) checkpoint.CheckpointManager {
	t.Helper()
	m, err := checkpoint.NewCheckpointManager(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func oldReads(t *testing.T, dir string) map[string][]string {
	t.Helper()
	var s oldStore
	if err := oldProgram(t, dir).GetCheckpoint(key, &s); err != nil {
		t.Fatalf("the old program: %v\n%s", err, readFile(t, dir))
	}
	return s.V1.Claims
}

func oldWrites(t *testing.T, dir string, claims map[string][]string) {
	t.Helper()
	if err := oldProgram(t, dir).CreateCheckpoint(key, &oldStore{V1: &oldClaims{claims}}); err != nil {
		t.Fatal(err)
	}
}

// From the kubelet's package to a State and back, and forward again.
func TestSwitchAndBack(t *testing.T) {
	dir := t.TempDir()
	var h heard
	oldWrites(t, dir, map[string][]string{"a": {"gpu-0"}})
	s := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2), checkpoint.WithLegacy(storeForm), h.option())
	got, info := load(t, s)
	if want := map[string]map[string]deviceV3{"a": {"gpu-0": {Pool: thePool}}}; !reflect.DeepEqual(got.Claims, want) || !info.Legacy || info.Version != "v1" || info.Generation != 0 {
		t.Fatalf("%v, %+v", got, info)
	}
	prepare(t, s, "b", "gpu-1", thePool, "half")
	if kinds := h.take(); !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.Reduced, checkpoint.Migrated}) {
		t.Errorf("events %q", kinds)
	}
	if got, info := load(t, s); len(got.Claims) != 2 || info.Legacy || info.Version != "v3" || info.Generation != 1 {
		t.Errorf("%v, %+v", got, info)
	}

	// Back: the old program reads it, writes, and drops what it does not know.
	if got := oldReads(t, dir); !reflect.DeepEqual(got, map[string][]string{"a": {"gpu-0"}, "b": {"gpu-1"}}) {
		t.Errorf("the old program reads %v", got)
	}
	oldWrites(t, dir, map[string][]string{"b": {"gpu-1"}})
	got, info = load(t, s)
	if want := map[string]map[string]deviceV3{"b": {"gpu-1": {Pool: thePool}}}; !reflect.DeepEqual(got.Claims, want) || !info.Legacy {
		t.Errorf("%v, %+v", got, info)
	}
	prepare(t, s, "c", "gpu-2", thePool, "")
	if got := oldReads(t, dir); len(got) != 2 {
		t.Errorf("the old program reads %v", got)
	}
	if _, info := load(t, s); info.Generation != 2 {
		t.Errorf("%+v", info)
	}

	// A release that gives the old form up takes it away, or the old program
	// would take it for what is true.
	four := openState[claimsV3](t, dir, versions(3))
	prepare(t, four, "d", "gpu-3", thePool, "")
	file, err := objectOf(readFile(t, dir))
	if err != nil || len(file) != 1 {
		t.Errorf("members %v, %v", file, err)
	}
	if err := oldProgram(t, dir).GetCheckpoint(key, &oldStore{}); !errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
		t.Errorf("the old program reads what is out of date: %v", err)
	}
}

// A program that only ever goes forward reads the old form and does not write it.
func TestOldFormThatIsOnlyRead(t *testing.T) {
	dir := t.TempDir()
	form := storeForm
	form.Write = nil
	oldWrites(t, dir, map[string][]string{"a": {"gpu-0"}})
	s := openState[claimsV1](t, dir, versions(1), checkpoint.WithLegacy(form))
	if got, info := load(t, s); len(got.Claims) != 1 || !info.Legacy {
		t.Errorf("%v, %+v", got, info)
	}
	if err := s.Update(background, func(*claimsV1) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if file, err := objectOf(readFile(t, dir)); err != nil || len(file) != 1 || file["ckpt"] == nil {
		t.Errorf("%v, %v", file, err)
	}
	if got, info := load(t, s); len(got.Claims) != 1 || info.Legacy || info.Generation != 1 {
		t.Errorf("%v, %+v", got, info)
	}
}

func objectOf(blob []byte) (o map[string]json.RawMessage, err error) {
	return o, json.Unmarshal(blob, &o)
}

// An old program that keeps the members it does not know leaves our envelope
// beside its own, newer data.
func TestOldProgramThatKeepsUnknownMembers(t *testing.T) {
	dir := t.TempDir()
	var h heard
	s := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2), checkpoint.WithLegacy(storeForm), h.option())
	prepare(t, s, "a", "gpu-0", thePool, "half")
	h.take()
	envelope, err := objectOf(readFile(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		claims map[string][]string
		legacy bool
	}{{map[string][]string{"a": {"gpu-0"}}, false}, {map[string][]string{"z": {"gpu-9"}}, true}} {
		oldWrites(t, dir, c.claims)
		file, err := objectOf(readFile(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		file["ckpt"] = envelope["ckpt"]
		blob, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, blob)
		got, info := load(t, s)
		if info.Legacy != c.legacy || info.OlderWrote != c.legacy || info.Generation != 1 || len(info.Damaged) != 0 {
			t.Errorf("%v: %+v", c.claims, info)
		}
		if _, ok := got.Claims["z"]; ok != c.legacy {
			t.Errorf("%v: %v", c.claims, got)
		}
	}
	if kinds := h.take(); !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.OlderWrote}) {
		t.Errorf("events %q", kinds)
	}
	prepare(t, s, "b", "gpu-1", thePool, "")
	if _, info := load(t, s); info.Generation != 2 || info.Legacy {
		t.Errorf("%+v", info)
	}
}

// Damage to the form that nobody needs now is told, and repaired by the next
// write; it does not stop the driver.
func TestDamagedForms(t *testing.T) {
	dir := t.TempDir()
	var h heard
	s := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2), checkpoint.WithLegacy(storeForm), h.option())
	prepare(t, s, "a", "gpu-0", thePool, "")
	good := string(readFile(t, dir))
	for form, blob := range map[string]string{
		checkpoint.LegacyForm: strings.Replace(good, `"a":["gpu-0"]`, `"a":["gpu-1"]`, 1),
		"v2":                  strings.Replace(good, `{"gpu-0":"node"}`, `{"gpu-0":"nodf"}`, 1),
		"v1":                  good[:strings.LastIndex(good, "gpu-0")] + "gpu-5" + good[strings.LastIndex(good, "gpu-0")+5:],
	} {
		writeFile(t, dir, []byte(blob))
		h.take()
		got, info := load(t, s)
		if len(got.Claims) != 1 || !slices.Equal(info.Damaged, []string{form}) || blob == good {
			t.Errorf("%s: %v, %+v", form, got, info)
		}
		if kinds := h.take(); !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.DamagedForm}) {
			t.Errorf("%s: events %q", form, kinds)
		}
		prepare(t, s, "a", "gpu-0", thePool, "") // the same state
		if _, info := load(t, s); len(info.Damaged) != 0 {
			t.Errorf("%s: %+v after the next write", form, info)
		}
		good = string(readFile(t, dir))
	}
}

func TestBadLegacyFiles(t *testing.T) {
	dir := t.TempDir()
	oldWrites(t, dir, map[string][]string{"a": {"gpu-0"}})
	good := string(readFile(t, dir))
	s := openState[claimsV3](t, dir, versions(3), checkpoint.WithLegacy(storeForm))
	for blob, want := range map[string]checkpoint.Reason{
		strings.Replace(good, "gpu-0", "gpu-1", 1): checkpoint.ReasonSum,
		`{"checksum":0}`:          checkpoint.ReasonSum,
		`{"checksum":"x"}`:        checkpoint.ReasonDocument,
		`{"kind":"List"}`:         checkpoint.ReasonForeign,
		`{"checksum":2785577384}`: checkpoint.ReasonSum,
	} {
		writeFile(t, dir, []byte(blob))
		_, _, err := s.Load(background)
		wantReason(t, err, want)
	}
	var corrupt *checkpoint.CorruptCheckpointError
	writeFile(t, dir, []byte(strings.Replace(good, "gpu-0", "gpu-1", 1)))
	if _, _, err := s.Load(background); !errors.As(err, &corrupt) || corrupt.ActualCS == corrupt.ExpectedCS {
		t.Error(err)
	}
	// A newer old program has added a field or a version: its sum covers what we
	// do not know. This is what the kubelet's package calls corrupted.
	for _, blob := range []string{
		strings.Replace(good, `"v1":{`, `"v2":{},"v1":{`, 1),
		strings.Replace(good, `"v1":{`, `"v1":{"later":1,`, 1),
	} {
		writeFile(t, dir, []byte(blob))
		_, _, err := s.Load(background)
		var unknown *migrate.UnknownFieldsError
		if !errors.As(err, &unknown) || unknown.Version != "v1" || errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
			t.Errorf("%s: %v", blob, err)
		}
	}
	// And without WithLegacy the error says what to do.
	writeFile(t, dir, []byte(good))
	_, _, err := openState[claimsV3](t, dir, versions(3)).Load(background)
	wantReason(t, err, checkpoint.ReasonForeign)
	if !strings.Contains(err.Error(), "WithLegacy") {
		t.Error(err)
	}
}

// jsonStore sums its own JSON, as most drivers do.
type jsonStore struct {
	Checksum checksum.Checksum `json:"checksum"`
	V1       *claimsV1         `json:"v1,omitempty"`
}

func (s *jsonStore) sum() (checksum.Checksum, error) {
	stored := s.Checksum
	s.Checksum = 0
	out, err := json.Marshal(*s)
	s.Checksum = stored
	return checksum.New(out), err
}

func (s *jsonStore) MarshalCheckpoint() (out []byte, err error) {
	if s.Checksum, err = s.sum(); err != nil {
		return nil, err
	}
	return json.Marshal(*s)
}

func (s *jsonStore) UnmarshalCheckpoint(blob []byte) error { return json.Unmarshal(blob, s) }

func (s *jsonStore) VerifyChecksum() error {
	sum, err := s.sum()
	if err == nil && sum != s.Checksum {
		err = &checkpoint.CorruptCheckpointError{ActualCS: uint64(sum), ExpectedCS: uint64(s.Checksum)}
	}
	return err
}

// The same file, once by the Checkpoint's own methods and once by a description.
func TestWaysToDescribeTheOldForm(t *testing.T) {
	read := func(s *jsonStore) (*claimsV1, []migrate.Loss, error) { return s.V1, nil, nil }
	write := func(d *claimsV1) (*jsonStore, []migrate.Loss, error) { return &jsonStore{V1: d}, nil, nil }
	for name, form := range map[string]checkpoint.Legacy[jsonStore, claimsV1]{
		"its own methods": {Version: "v1", Read: read, Write: write},
		"described": {Version: "v1", Read: read, Write: write, Of: checkpoint.SumOfJSON[jsonStore],
			Sum: func(s *jsonStore) *checksum.Checksum { return &s.Checksum }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			old := oldProgram(t, dir)
			if err := old.CreateCheckpoint(key, &jsonStore{V1: &claimsV1{map[string][]string{"a": {"<gpu>"}}}}); err != nil {
				t.Fatal(err)
			}
			good := string(readFile(t, dir))
			s := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2), checkpoint.WithLegacy(form))
			if got, info := load(t, s); got.Claims["a"]["<gpu>"].Pool != thePool || !info.Legacy {
				t.Errorf("%v, %+v", got, info)
			}
			prepare(t, s, "b", "gpu-1", thePool, "")
			var back jsonStore
			if err := old.GetCheckpoint(key, &back); err != nil || len(back.V1.Claims) != 2 {
				t.Errorf("%v, %v", back.V1, err)
			}
			if _, info := load(t, s); info.Legacy || len(info.Damaged) != 0 {
				t.Errorf("%+v", info)
			}
			writeFile(t, dir, []byte(strings.Replace(good, `"a"`, `"b"`, 1)))
			_, _, err := s.Load(background)
			wantReason(t, err, checkpoint.ReasonSum)
			writeFile(t, dir, []byte(strings.Replace(good, `"v1":{`, `"v2":{},"v1":{`, 1)))
			var unknown *migrate.UnknownFieldsError
			if _, _, err := s.Load(background); !errors.As(err, &unknown) {
				t.Error(err)
			}
			writeFile(t, dir, []byte(`{"checksum":"x"}`))
			_, _, err = s.Load(background)
			wantReason(t, err, checkpoint.ReasonDocument)
		})
	}
}

func TestOldFormThatTakesOurMember(t *testing.T) {
	type clash struct {
		Checksum checksum.Checksum `json:"checksum"`
		Ckpt     int               `json:"ckpt"`
	}
	form := checkpoint.Legacy[clash, counter]{
		Version: "v1", Sum: func(c *clash) *checksum.Checksum { return &c.Checksum },
		Read:  func(c *clash) (*counter, []migrate.Loss, error) { return &counter{c.Ckpt}, nil, nil },
		Write: func(d *counter) (*clash, []migrate.Loss, error) { return &clash{Ckpt: d.N}, nil, nil },
	}
	s := openState[counter](t, t.TempDir(), checkpoint.WithLegacy(form))
	if err := s.Update(background, add); err == nil || !strings.Contains(err.Error(), `member "ckpt"`) {
		t.Error(err)
	}
	form.Read = func(*clash) (*counter, []migrate.Loss, error) { return nil, nil, nil }
	form.Write = func(*counter) (*clash, []migrate.Loss, error) { return nil, nil, nil }
	s = openState[counter](t, t.TempDir(), checkpoint.WithLegacy(form))
	if err := s.Update(background, add); err == nil || !strings.Contains(err.Error(), "no checkpoint to write") {
		t.Error(err)
	}
}
