package checkpoint_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
)

func TestBootScope(t *testing.T) {
	dir := t.TempDir()
	var h heard
	boot := func(id string) *checkpoint.State[counter] {
		return openState[counter](t, dir, checkpoint.WithBootScope(id), h.option())
	}
	nothing := func(*counter) error { return nil }
	counted(t, boot("one"), 1)
	if _, info := load(t, boot("one")); info.StaleBoot || info.Boot != "one" || h.take() != nil {
		t.Errorf("%+v", info)
	}
	two := boot("two")
	got, info := load(t, two)
	if kinds := h.take(); !info.StaleBoot || info.Boot != "one" || got.N != 1 || !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.StaleBoot}) {
		t.Errorf("%+v, %+v, %v", got, info, kinds)
	}

	// No Update makes the state one of this boot, be it one that changes nothing.
	before := readFile(t, dir)
	if err := two.Update(background, nothing); err != nil || !bytes.Equal(readFile(t, dir), before) {
		t.Errorf("%v, the file became %s", err, readFile(t, dir))
	}
	counted(t, two, 1)
	counted(t, openState[counter](t, dir), 1) // a release that has no boot scope
	if _, info := load(t, two); !info.StaleBoot || info.Boot != "one" || info.Generation != 3 {
		t.Errorf("load: %+v", info)
	}
	if _, info, _ := two.Last(); !info.StaleBoot || info.Boot != "one" || info.Generation != 3 {
		t.Errorf("last: %+v", info)
	}

	// Only the program does, with a change or without one.
	if err := two.AcceptBoot(background, nothing); err != nil {
		t.Fatal(err)
	}
	if got, info := load(t, boot("two")); info.StaleBoot || info.Boot != "two" || got.N != 3 || info.Generation != 4 {
		t.Errorf("%+v, %+v", got, info)
	}
	if _, info, _ := two.Last(); info.StaleBoot || info.Boot != "two" {
		t.Errorf("last: %+v", info)
	}
	before = readFile(t, dir)
	if err := two.AcceptBoot(background, nothing); err != nil || !bytes.Equal(readFile(t, dir), before) {
		t.Errorf("%v, the file became %s", err, readFile(t, dir))
	}
	if err := boot("three").AcceptBoot(background, add); err != nil {
		t.Fatal(err)
	}
	if got, info := load(t, boot("three")); info.StaleBoot || got.N != 4 {
		t.Errorf("%+v, %+v", got, info)
	}
	if err := openState[counter](t, dir).AcceptBoot(background, add); err == nil || !strings.Contains(err.Error(), "WithBootScope") {
		t.Error(err)
	}
	if id, err := checkpoint.BootID(); err == nil && len(id) < 8 || err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("boot id %q, %v", id, err)
	}
}
