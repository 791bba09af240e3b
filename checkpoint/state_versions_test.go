package checkpoint_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/migrate"
)

// A roll-back and a roll-forward: the older release reads what the newer wrote,
// and the newer sees that the older wrote last.
func TestRollBackAndForward(t *testing.T) {
	dir := t.TempDir()
	var h heard
	three := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2), h.option())
	two := openState[claimsV2](t, dir, versions(2))
	prepare(t, three, "a", "gpu-0", thePool, "half")
	prepare(t, three, "b", "gpu-1", "rack", "")
	if kinds := h.take(); !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.Reduced, checkpoint.Reduced}) {
		t.Errorf("events %q", kinds) // the share once, then the pool
	}

	old, info := load(t, two)
	if want := map[string]map[string]string{"a": {"gpu-0": thePool}, "b": {"gpu-1": "rack"}}; !reflect.DeepEqual(old.Claims, want) || info.Version != "v2" || info.Generation != 2 {
		t.Fatalf("v2 reads %v, %+v", old, info)
	}
	one, info := load(t, openState[claimsV1](t, dir, versions(1)))
	if want := map[string][]string{"a": {"gpu-0"}, "b": {"gpu-1"}}; !reflect.DeepEqual(one.Claims, want) || info.Version != "v1" {
		t.Fatalf("v1 reads %v, %+v", one, info)
	}

	// The older one unprepares b and prepares c.
	if err := two.Update(background, func(d *claimsV2) error {
		delete(d.Claims, "b")
		d.Claims["c"] = map[string]string{"gpu-2": thePool}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	got, info := load(t, three)
	if want := map[string]map[string]deviceV3{"a": {"gpu-0": {Pool: thePool}}, "c": {"gpu-2": {Pool: thePool}}}; !reflect.DeepEqual(got.Claims, want) {
		t.Errorf("v3 reads %v", got)
	}
	if !info.OlderWrote || info.Version != "v2" || info.Generation != 3 {
		t.Errorf("%+v", info)
	}
	if kinds := h.take(); !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.OlderWrote}) {
		t.Errorf("events %q", kinds)
	}

	// What v3 had said of a is still in the file, for a program that can use it.
	merging := openState[claimsV3](t, dir, versions(3), checkpoint.WithMerge(func(now, before *claimsV3) error {
		for uid, devices := range now.Claims {
			for name, d := range devices {
				d.Share = before.Claims[uid][name].Share
				devices[name] = d
			}
		}
		return nil
	}), h.option())
	if got, _ := load(t, merging); got.Claims["a"]["gpu-0"].Share != "half" || len(got.Claims) != 2 {
		t.Errorf("merged to %v", got)
	}
	h.take()
	prepare(t, merging, "d", "gpu-3", thePool, "")
	got, info = load(t, merging)
	if got.Claims["a"]["gpu-0"].Share != "half" || info.OlderWrote || info.Version != "v3" || info.Generation != 4 {
		t.Errorf("%v, %+v", got, info)
	}
	if kinds := h.take(); !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.Migrated}) {
		t.Errorf("events %q", kinds) // that v2 wrote was told by the reading before
	}
}

// An older release that has nothing to say leaves what the newer one said.
func TestOlderReleaseThatChangesNothing(t *testing.T) {
	dir := t.TempDir()
	three := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(1))
	two := openState[claimsV2](t, dir, versions(2))
	prepare(t, three, "a", "gpu-0", thePool, "half")
	for _, claim := range []string{"a", "b", "b"} { // nothing, something, nothing
		before := readFile(t, dir)
		old, _ := load(t, two)
		_, known := old.Claims[claim]
		if err := two.Update(background, func(d *claimsV2) error {
			d.Claims[claim] = map[string]string{"gpu-0": thePool}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(readFile(t, dir), before) != known {
			t.Errorf("%s: the file became %s", claim, readFile(t, dir))
		}
		if claim == "b" {
			continue
		}
		if got, _ := load(t, three); got.Claims["a"]["gpu-0"].Share != "half" {
			t.Errorf("%v", got)
		}
	}
	if _, info := load(t, three); !info.OlderWrote || info.Generation != 2 {
		t.Errorf("%+v", info)
	}
}

func TestMergeErrors(t *testing.T) {
	dir, boom := t.TempDir(), errors.New("boom")
	prepare(t, openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(1)), "a", "gpu-0", thePool, "")
	if err := openState[claimsV2](t, dir, versions(2)).Update(background, func(d *claimsV2) error { clear(d.Claims); return nil }); err != nil {
		t.Fatal(err)
	}
	s := openState[claimsV3](t, dir, versions(3), checkpoint.WithMerge(func(_, _ *claimsV3) error { return boom }))
	if _, _, err := s.Load(background); !errors.Is(err, boom) {
		t.Error(err)
	}
}

// Without dual writing an older release is told that the file is newer, and does
// not touch it.
func TestNewerVersion(t *testing.T) {
	dir := t.TempDir()
	prepare(t, openState[claimsV3](t, dir, versions(3)), "a", "gpu-0", thePool, "")
	before := readFile(t, dir)
	for _, policy := range []checkpoint.Recovery{checkpoint.Fail, checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
		two := openState[claimsV2](t, dir, versions(2), checkpoint.WithRecovery(policy))
		_, _, err := two.Load(background)
		uerr := two.Update(background, func(*claimsV2) error { return nil })
		for _, err := range []error{err, uerr} {
			var newer *migrate.NewerVersionError
			if !errors.As(err, &newer) || newer.Found != "v3" || errors.Is(err, checkpoint.ErrCorruptCheckpoint) || !strings.Contains(err.Error(), "newer version") {
				t.Errorf("%v", err)
			}
			wantSentence(t, err)
		}
		if string(readFile(t, dir)) != string(before) {
			t.Fatal("the file has changed")
		}
	}
}

// A field that was added to a version in use is no corruption either.
func TestFieldAddedToAVersion(t *testing.T) {
	type later struct {
		N     int
		Later string
	}
	dir := t.TempDir()
	s := openState[later](t, dir)
	if err := s.Update(background, func(d *later) error { d.Later = "x"; return nil }); err != nil {
		t.Fatal(err)
	}
	_, _, err := openState[counter](t, dir, checkpoint.WithRecovery(checkpoint.QuarantineAndStartEmpty)).Load(background)
	var unknown *migrate.UnknownFieldsError
	if !errors.As(err, &unknown) || !slices.Equal(unknown.Fields, []string{"Later"}) || errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
		t.Error(err)
	}
	type other struct{ N string }
	_, _, err = openState[other](t, dir, checkpoint.WithRecovery(checkpoint.QuarantineAndStartEmpty)).Load(background)
	wantReason(t, err, checkpoint.ReasonDocument)
	if errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
		t.Error("a document of another shape with a good digest is called corrupt")
	}
}

// A step that fails keeps the file as it is.
func TestStepThatFails(t *testing.T) {
	dir, boom := t.TempDir(), errors.New("boom")
	s := openState[claimsV3](t, dir, checkpoint.WithDualWrite(1), checkpoint.WithVersions(
		migrate.First[claimsV2]("v2"),
		migrate.Next("v3", v2ToV3, func(*claimsV3) (*claimsV2, []migrate.Loss, error) { return nil, nil, boom }),
	))
	err := s.Update(background, adding("a", "b", "c", ""))
	var step *migrate.StepError
	if !errors.Is(err, boom) || !errors.As(err, &step) {
		t.Error(err)
	}
	if _, _, err := s.Load(background); !errors.Is(err, checkpoint.ErrCheckpointNotFound) {
		t.Error(err)
	}
}

// Any order of writers of any release: each reads what the last one wrote, as far
// as its version can say it.
func TestWritersOfAllReleases(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		dir := fastDir(t)
		want := map[string]string{} // claim → device
		generation := uint64(0)
		for step := range 12 {
			uid, device := fmt.Sprintf("u%d", r.IntN(4)), fmt.Sprintf("gpu-%d", step)
			remove := r.IntN(3) == 0
			if remove {
				delete(want, uid)
			} else {
				want[uid] = device
			}
			var err error
			switch release := 1 + r.IntN(3); release {
			case 1:
				err = openState[claimsV1](t, dir, versions(1)).Update(background, func(d *claimsV1) error {
					change(&d.Claims, uid, []string{device}, remove)
					return nil
				})
			case 2:
				err = openState[claimsV2](t, dir, versions(2), checkpoint.WithDualWrite(1)).Update(background, func(d *claimsV2) error {
					change(&d.Claims, uid, map[string]string{device: thePool}, remove)
					return nil
				})
			case 3:
				err = openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2)).Update(background, func(d *claimsV3) error {
					change(&d.Claims, uid, map[string]deviceV3{device: {Pool: thePool}}, remove)
					return nil
				})
			}
			if err != nil {
				t.Fatal(err)
			}
			got1, i1 := load(t, openState[claimsV1](t, dir, versions(1)))
			got2, i2 := load(t, openState[claimsV2](t, dir, versions(2)))
			got3, i3 := load(t, openState[claimsV3](t, dir, versions(3)))
			if i1.Generation < generation || i1.Generation > generation+1 || i1.Generation != i2.Generation || i2.Generation != i3.Generation {
				t.Fatalf("generations %d, %d, %d after %d", i1.Generation, i2.Generation, i3.Generation, generation)
			}
			generation = i1.Generation
			for release, got := range []map[string]string{flat(t, got1), flat(t, got2), flat(t, got3)} {
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("release %d reads %v, want %v in %s", release+1, got, want, readFile(t, dir))
				}
			}
		}
	}
}

func change[V any](claims *map[string]V, uid string, devices V, remove bool) {
	if *claims == nil {
		*claims = map[string]V{}
	}
	if delete(*claims, uid); !remove {
		(*claims)[uid] = devices
	}
}

// flat gives the one device of each claim, whatever the version.
func flat(t *testing.T, doc any) map[string]string {
	t.Helper()
	blob, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var any struct {
		Claims map[string]json.RawMessage `json:"claims"`
	}
	if err := json.Unmarshal(blob, &any); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for uid, raw := range any.Claims {
		var list []string
		byName := map[string]json.RawMessage{}
		if json.Unmarshal(raw, &list) != nil {
			if err := json.Unmarshal(raw, &byName); err != nil {
				t.Fatal(err)
			}
			for name := range byName {
				list = append(list, name)
			}
		}
		if len(list) != 1 {
			t.Fatalf("%s has %q", uid, list)
		}
		out[uid] = list[0]
	}
	return out
}
