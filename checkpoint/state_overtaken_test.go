package checkpoint_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/migrate"
)

// threeReleases writes with release 3, then 2, then 1, each leaving what it does
// not know: v3 at generation 1, v2 at 2, v1 at 3.
func threeReleases(t *testing.T, dir string) {
	t.Helper()
	prepare(t, openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2)), "a", "gpu-0", thePool, "half")
	two := openState[claimsV2](t, dir, versions(2), checkpoint.WithDualWrite(1))
	if err := two.Update(background, func(d *claimsV2) error {
		change(&d.Claims, "b", map[string]string{"gpu-1": "rack"}, false)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	one := openState[claimsV1](t, dir, versions(1))
	if err := one.Update(background, func(d *claimsV1) error { change(&d.Claims, "c", []string{"gpu-2"}, false); return nil }); err != nil {
		t.Fatal(err)
	}
}

// completing gives devices that are still there what they had been before.
func completing(calls *[]string) checkpoint.Option {
	return checkpoint.WithMerge(func(now, before *claimsV3) error {
		*calls = append(*calls, fmt.Sprint(sorted(now), " before ", sorted(before)))
		for uid, devices := range now.Claims {
			for name := range devices {
				if d, ok := before.Claims[uid][name]; ok {
					devices[name] = d
				}
			}
		}
		return nil
	})
}

func lostOf(lost []migrate.Lost) (list []string) {
	for _, l := range lost {
		list = append(list, fmt.Sprintf("%s %s-%s", l.Path, l.From, l.To))
	}
	return list
}

// Each version that an older program has overtaken is merged, in the order in which
// they were written; what none of it brings back is named.
func TestMergeOfAllVersionsThatWereOvertaken(t *testing.T) {
	dir := t.TempDir()
	threeReleases(t, dir)
	var h heard
	got, info := load(t, openState[claimsV3](t, dir, versions(3), h.option()))
	want := []string{"claims.a.gpu-0.share v3-v2", "claims.b.gpu-1 v2-v1"}
	if lost := lostOf(info.Lost); !slices.Equal(lost, want) || !info.OlderWrote || info.Version != "v1" || len(got.Claims) != 3 {
		t.Errorf("lost %q, %+v", lost, info)
	}
	if e := h.events[0]; len(h.events) != 1 || e.Kind != checkpoint.OlderWrote || e.From != "v1" || e.To != "v3" || !reflect.DeepEqual(e.Lost, info.Lost) {
		t.Errorf("events %+v", h.events)
	}

	var calls []string
	merging := openState[claimsV3](t, dir, versions(3), completing(&calls), h.option())
	got, info = load(t, merging)
	if want := []string{"a/gpu-0/node/half", "b/gpu-1/rack/", "c/gpu-2/node/"}; !slices.Equal(sorted(got), want) || info.Lost != nil {
		t.Errorf("%q, %+v", sorted(got), info)
	}
	if want := []string{
		"[a/gpu-0/node/ b/gpu-1/rack/] before [a/gpu-0/node/half]",
		"[a/gpu-0/node/ b/gpu-1/node/ c/gpu-2/node/] before [a/gpu-0/node/half b/gpu-1/rack/]",
	}; !slices.Equal(calls, want) {
		t.Errorf("merged %q", calls)
	}
	// The next write takes it all in.
	prepare(t, merging, "d", "gpu-3", thePool, "")
	if got, info := load(t, merging); len(got.Claims) != 4 || info.OlderWrote || info.Lost != nil || got.Claims["a"]["gpu-0"].Share != "half" {
		t.Errorf("%q, %+v", sorted(got), info)
	}
}

// Release 2 comes back, and knows that v2 was there before v1; release 3 too, though
// no v3 was ever written.
func TestOlderVersionThanOneThatIsNotTheNewest(t *testing.T) {
	dir := t.TempDir()
	threeReleases(t, dir)
	_, info := load(t, openState[claimsV2](t, dir, versions(2)))
	if want := []string{"claims.b.gpu-1 v2-v1"}; !info.OlderWrote || !slices.Equal(lostOf(info.Lost), want) {
		t.Errorf("release 2: %+v", info)
	}
	blob, err := checkpoint.SealedFile(key, []checkpoint.SealedPayload{
		{Version: "v2", Generation: 1, JSON: `{"claims":{"a":{"gpu-0":"rack"}}}`},
		{Version: "v1", Generation: 2, JSON: `{"claims":{"a":["gpu-0"]}}`},
	})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, blob)
	var h heard
	var calls []string
	got, info := load(t, openState[claimsV3](t, dir, versions(3), completing(&calls), h.option()))
	if got.Claims["a"]["gpu-0"].Pool != "rack" || !info.OlderWrote || info.Lost != nil || h.events[0].To != "v2" {
		t.Errorf("release 3: %q, %+v, %+v", sorted(got), info, h.events)
	}
}

// What a newer version says in a way that is not known here is at least told.
func TestOvertakenVersionThatIsNotRead(t *testing.T) {
	dir := t.TempDir()
	blob, err := checkpoint.SealedFile(key, []checkpoint.SealedPayload{
		{Version: "v2", Generation: 1, JSON: `{"later":1}`},
		{Version: "v1", Generation: 2, JSON: `{"claims":{"a":["gpu-0"]}}`},
	})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, blob)
	_, info := load(t, openState[claimsV2](t, dir, versions(2)))
	if len(info.Lost) != 1 || !strings.Contains(info.Lost[0].Reason, "newer version") || info.Lost[0].From != "v2" {
		t.Errorf("%+v", info)
	}
}

// What the old form of the file has no place for is said like the losses of a step.
func TestLossesOfTheOldForm(t *testing.T) {
	dir := t.TempDir()
	form := storeForm
	form.Write = func(d *claimsV1) (*store, []migrate.Loss, error) {
		if _, secret := d.Claims["secret"]; !secret {
			return &store{V1: d}, nil, nil
		}
		rest := map[string][]string{}
		for uid, devices := range d.Claims {
			if uid != "secret" {
				rest[uid] = devices
			}
		}
		return &store{V1: &claimsV1{rest}}, []migrate.Loss{{Path: "claims.secret", Reason: "it never was"}}, nil
	}
	form.Read = func(s *store) (*claimsV1, []migrate.Loss, error) {
		return s.V1, []migrate.Loss{{Path: "checksum", Reason: "an example"}}, nil
	}
	var h heard
	s := openState[claimsV2](t, dir, versions(2), checkpoint.WithDualWrite(1), checkpoint.WithLegacy(form), h.option())
	if err := s.Update(background, func(d *claimsV2) error {
		d.Claims = map[string]map[string]string{"secret": {"gpu-0": thePool}, "a": {"gpu-1": thePool}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if e := h.events[0]; len(h.events) != 1 || e.Kind != checkpoint.Reduced || e.To != checkpoint.LegacyForm || !slices.Equal(lostOf(e.Lost), []string{"claims.secret v1-legacy"}) {
		t.Errorf("%+v", h.events)
	}
	// An old program that leaves the envelope has written after it.
	file := string(readFile(t, dir))
	oldWrites(t, dir, map[string][]string{"z": {"gpu-9"}})
	old := string(readFile(t, dir))
	writeFile(t, dir, []byte(strings.TrimSuffix(old, "}")+file[strings.Index(file, `,"ckpt"`):]))
	_, info := load(t, s)
	if want := []string{"checksum legacy-v1", "claims.secret v1-legacy"}; !info.Legacy || !info.OlderWrote || !slices.Equal(lostOf(info.Lost), want) {
		t.Errorf("%+v", info)
	}
}

// An older program has its own version damaged, and a newer one's beside it intact.
func TestIntactVersionOfANewerProgram(t *testing.T) {
	dir := t.TempDir()
	for generation, newer := range map[uint64]bool{1: true, 2: false} {
		blob, err := checkpoint.SealedFile(key, []checkpoint.SealedPayload{
			{Version: "v2", Generation: 1, JSON: `{"claims":{"a":{"gpu-0":"rack"}}}`},
			{Version: "v1", Generation: generation, JSON: `{"claims":{"a":["gpu-0"]}}`, Damaged: true},
		})
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, dir, blob)
		_, _, err = openState[claimsV1](t, dir, versions(1)).Load(background)
		if !newer {
			wantReason(t, err, checkpoint.ReasonDigest)
			continue
		}
		for _, policy := range []checkpoint.Recovery{checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
			s := openState[claimsV1](t, dir, versions(1), checkpoint.WithRecovery(policy))
			wantNewerVersion(t, s.Update(background, func(*claimsV1) error { return nil }), "v2")
			if len(quarantined(t, dir)) > 0 || string(readFile(t, dir)) != string(blob) {
				t.Errorf("policy %d has touched the file", policy)
			}
		}
	}
}
