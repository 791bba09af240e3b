package checkpoint_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
)

// How things are is told once by a State, and again when it has changed.
func TestWhatLastsIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	var h heard
	three := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(2), checkpoint.WithBootScope("two"), h.option())
	two := openState[claimsV2](t, dir, versions(2), checkpoint.WithBootScope("one"))
	say := func(step string, want ...checkpoint.EventKind) {
		t.Helper()
		if got := h.take(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", step, got, want)
		}
	}
	older := func(uid string) {
		t.Helper()
		if err := two.Update(background, func(d *claimsV2) error {
			if d.Claims == nil {
				d.Claims = map[string]map[string]string{}
			}
			d.Claims[uid] = map[string]string{"gpu-9": thePool}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	older("x")
	load(t, three)
	say("first reading", checkpoint.StaleBoot)
	load(t, three)
	say("again")
	no := errors.New("no")
	if err := three.Update(background, func(*claimsV3) error { return no }); !errors.Is(err, no) {
		t.Fatal(err)
	}
	say("an update that fails")
	prepare(t, three, "a", "gpu-0", thePool, "half")
	say("first update", checkpoint.Reduced, checkpoint.Migrated)
	prepare(t, three, "b", "gpu-1", thePool, "")
	say("an update that loses no more")
	prepare(t, three, "c", "gpu-1", thePool, "half")
	say("one that does", checkpoint.Reduced)

	for _, i := range []string{"1", "2"} {
		older("y" + i)
		load(t, three)
		say("the older program wrote", checkpoint.OlderWrote)
		load(t, three)
		say("and did not write again")
		older("z" + i)
		load(t, three)
		say("and did", checkpoint.OlderWrote)
		prepare(t, three, "d", "gpu-2", thePool, "")
		if kinds := h.take(); !slices.Contains(kinds, checkpoint.Migrated) || slices.Contains(kinds, checkpoint.OlderWrote) || slices.Contains(kinds, checkpoint.StaleBoot) {
			t.Errorf("after it: %q", kinds)
		}
	}

	next := openState[claimsV3](t, dir, versions(3), checkpoint.WithBootScope("three"), h.option())
	if err := next.AcceptBoot(background, func(*claimsV3) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if kinds := h.take(); slices.Contains(kinds, checkpoint.StaleBoot) {
		t.Errorf("accepted: %q", kinds)
	}
	load(t, three)
	say("it is of a third boot now", checkpoint.StaleBoot)
}
