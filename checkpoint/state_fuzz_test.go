package checkpoint_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
	"github.com/kubeckpt/ckpt/filestore"
)

// FuzzState reads any bytes as the file of a state. What is refused is refused in
// one sentence and left alone; what is read can be updated and read again, and
// members that are not ours stay.
func FuzzState(f *testing.F) {
	dir := f.TempDir()
	options := []checkpoint.Option{versions(3), checkpoint.WithDualWrite(2), checkpoint.WithLegacy(storeForm)}
	s := openState[claimsV3](f, dir, options...)
	if err := s.Update(background, adding("a", "gpu-0", "rack", "half")); err != nil {
		f.Fatal(err)
	}
	good := string(readFile(f, dir))
	f.Add(good)
	f.Add(strings.Replace(good, `{"checksum"`, `{"other":[1],"checksum"`, 1))
	f.Add(good[:strings.Index(good, `,"ckpt"`)] + "}")
	f.Add(strings.Replace(good[:strings.Index(good, `,"ckpt"`)]+"}", `"v1":{`, `"v1":{"later":1,`, 1))
	f.Add(good[:100])
	f.Add("{}")
	f.Fuzz(func(t *testing.T, blob string) {
		d := checkpointtest.NewDisk()
		if err := d.WriteFile("/s/"+key, []byte(blob)); err != nil {
			t.Fatal(err)
		}
		s, err := checkpoint.Open[claimsV3]("/s", key, append(options, d.Option(), checkpoint.WithStore(filestore.WithMaxSize(1<<20)))...)
		if err != nil {
			t.Fatal(err)
		}
		_, before, err := s.Load(background)
		uerr := s.Update(background, adding("new", "gpu-7", thePool, ""))
		after, rerr := d.ReadFile("/s/" + key)
		if rerr != nil {
			t.Fatal(rerr)
		}
		if err != nil {
			if uerr == nil || string(after) != blob {
				t.Fatalf("refused with %v, updated with %v to %s", err, uerr, after)
			}
			var state *checkpoint.StateError
			if !errors.As(err, &state) || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) && utf8.ValidString(blob) {
				t.Fatalf("not a sentence: %q", err)
			}
			return
		}
		if uerr != nil {
			t.Fatalf("read, but not updated: %v", uerr)
		}
		got, info, err := s.Load(background)
		if err != nil || got.Claims["new"]["gpu-7"].Pool != thePool || info.Generation != before.Generation+1 {
			t.Fatalf("%v, %+v after %+v, %v", got, info, before, err)
		}
		if before.Legacy {
			return
		}
		var was, is map[string]json.RawMessage
		if err := errors.Join(json.Unmarshal([]byte(blob), &was), json.Unmarshal(after, &is)); err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(was)) {
			if name != "ckpt" && name != "checksum" && name != "v1" && string(is[name]) != string(was[name]) {
				t.Fatalf("member %q was %s and is %s", name, was[name], is[name])
			}
		}
	})
}
