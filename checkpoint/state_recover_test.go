package checkpoint_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
)

// damage changes the value in the file, and returns the whole.
func damage(t *testing.T, dir string) []byte {
	t.Helper()
	blob := readFile(t, dir)
	i := bytes.Index(blob, []byte(`"N":`))
	blob[i+1] = 'M'
	writeFile(t, dir, blob)
	return blob
}

func quarantined(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "."+key+".corrupt-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func counted(t *testing.T, s *checkpoint.State[counter], n int) {
	t.Helper()
	for range n {
		if err := s.Update(background, add); err != nil {
			t.Fatal(err)
		}
	}
}

func TestQuarantineAndStartEmpty(t *testing.T) {
	for _, by := range []string{"load", "update"} {
		dir := t.TempDir()
		var h heard
		counted(t, openState[counter](t, dir), 3)
		s := openState[counter](t, dir, checkpoint.WithRecovery(checkpoint.QuarantineAndStartEmpty), h.option())
		bad := damage(t, dir) // and s has seen nothing before
		if by == "load" {
			if _, _, err := s.Load(background); !errors.Is(err, checkpoint.ErrCheckpointNotFound) {
				t.Errorf("load: %v", err)
			}
		}
		counted(t, s, 1)
		if got, info := load(t, s); got.N != 1 || info.Generation != 4 {
			t.Errorf("%s: %+v, %+v", by, got, info)
		}
		files := quarantined(t, dir)
		if len(files) != 1 {
			t.Fatalf("%s: %q in quarantine", by, files)
		}
		if kept, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(kept, bad) {
			t.Errorf("%s: %s, %v", by, kept, err)
		}
		if len(h.events) != 1 || h.events[0].Kind != checkpoint.Quarantined || h.events[0].Path != files[0] || h.events[0].Key != key ||
			!errors.Is(h.events[0].Err, checkpoint.ErrCorruptCheckpoint) {
			t.Errorf("%s: %+v", by, h.events)
		}
	}
}

func TestLastGood(t *testing.T) {
	for _, by := range []string{"load", "update"} {
		dir := t.TempDir()
		var h heard
		opts := []checkpoint.Option{checkpoint.WithRecovery(checkpoint.LastGood), h.option()}
		counted(t, openState[counter](t, dir, opts...), 3)
		bad := damage(t, dir)
		s := openState[counter](t, dir, opts...) // a process that has seen nothing
		want := 2
		if by == "update" {
			counted(t, s, 1)
			want = 3
		}
		got, info := load(t, s)
		if got.N != want || info.Generation != 4 {
			t.Errorf("%s: %+v, %+v", by, got, info)
		}
		if kinds := h.take(); !slices.Equal(kinds, []checkpoint.EventKind{checkpoint.Restored}) {
			t.Errorf("%s: %q", by, kinds)
		}
		if files := quarantined(t, dir); len(files) != 1 {
			t.Errorf("%s: %q", by, files)
		} else if kept, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(kept, bad) {
			t.Errorf("%s: %s, %v", by, kept, err)
		}
		// The same again, on disk.
		if got, info := load(t, openState[counter](t, dir)); got.N != want || info.Generation != 4 {
			t.Errorf("%s: another reader: %+v, %+v", by, got, info)
		}
	}
}

// A file that says nothing of its generation: the kept ones do.
func TestGenerationsRiseAfterLoss(t *testing.T) {
	dir := t.TempDir()
	opts := []checkpoint.Option{checkpoint.WithRecovery(checkpoint.LastGood), checkpoint.WithHistory(3)}
	counted(t, openState[counter](t, dir, opts...), 9)
	writeFile(t, dir, nil)
	// The newest kept one is bad, too.
	kept, err := filepath.Glob(filepath.Join(dir, "."+key+".gen-*"))
	if err != nil || len(kept) != 3 {
		t.Fatalf("%q, %v", kept, err)
	}
	if err := os.WriteFile(slices.Max(kept), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openState[counter](t, dir, opts...)
	if got, info := load(t, s); got.N != 7 || info.Generation <= 9 {
		t.Errorf("%+v, %+v", got, info)
	}
}

func TestNothingToGoBackTo(t *testing.T) {
	dir := t.TempDir()
	s := openState[counter](t, dir, checkpoint.WithRecovery(checkpoint.LastGood))
	counted(t, s, 1)
	bad := damage(t, dir)
	_, _, err := s.Load(background)
	if !errors.Is(err, filestore.ErrNoGoodGeneration) || !errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
		t.Error(err)
	}
	wantSentence(t, err)
	if uerr := s.Update(background, add); !errors.Is(uerr, filestore.ErrNoGoodGeneration) {
		t.Error(uerr)
	}
	if !bytes.Equal(readFile(t, dir), bad) || len(quarantined(t, dir)) != 0 {
		t.Error("the file was touched")
	}
}

// Many readers and writers that find the damage at once: it is dealt with once,
// and nobody's good value is put away.
func TestRecoverOnce(t *testing.T) {
	for _, policy := range []checkpoint.Recovery{checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
		dir := t.TempDir()
		counted(t, openState[counter](t, dir, checkpoint.WithHistory(1)), 5)
		damage(t, dir)
		var wg sync.WaitGroup
		const each = 4
		for i := range 2 * each {
			s := openState[counter](t, dir, checkpoint.WithRecovery(policy), checkpoint.WithHistory(1),
				checkpoint.WithStore(filestore.WithLockTimeout(time.Minute)))
			wg.Go(func() {
				if i%2 == 0 {
					if _, _, err := s.Load(background); err != nil && !errors.Is(err, checkpoint.ErrCheckpointNotFound) {
						t.Error(err)
					}
				} else if err := s.Update(background, add); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		want := each
		if policy == checkpoint.LastGood {
			want += 4
		}
		if got, _ := load(t, openState[counter](t, dir)); got.N != want {
			t.Errorf("policy %d: %+v, want %d", policy, got, want)
		}
		if files := quarantined(t, dir); len(files) != 1 {
			t.Errorf("policy %d: %q in quarantine", policy, files)
		}
	}
}

// A file of another program is not put away, whatever the policy.
func TestForeignFilesStay(t *testing.T) {
	dir := t.TempDir()
	for _, policy := range []checkpoint.Recovery{checkpoint.QuarantineAndStartEmpty, checkpoint.LastGood} {
		s := openState[claimsV3](t, dir, versions(3), checkpoint.WithRecovery(policy), checkpoint.WithLegacy(storeForm))
		for _, blob := range []string{`{"apiVersion":"v1","kind":"List"}`, `[1]`, `{"checksum":1,"v9":{}}`} {
			writeFile(t, dir, []byte(blob))
			if _, _, err := s.Load(background); err == nil {
				t.Errorf("%s is read", blob)
			}
			if err := s.Update(background, adding("a", "b", "c", "")); err == nil {
				t.Errorf("%s is updated", blob)
			}
			if got := string(readFile(t, dir)); got != blob {
				t.Errorf("%s became %s", blob, got)
			}
		}
	}
}

// Every byte of a file, in every form it can have, changed in several ways: the
// change is reported, or it has not changed what is read.
func TestEveryByte(t *testing.T) {
	dir := fastDir(t)
	opts := []checkpoint.Option{versions(3), checkpoint.WithDualWrite(2), checkpoint.WithLegacy(storeForm), checkpoint.WithBootScope("boot")}
	s := openState[claimsV3](t, dir, opts...)
	prepare(t, s, "a", "gpu-0", "rack", "half")
	good := readFile(t, dir)
	want, wantInfo := load(t, s)
	refused, told, harmless := 0, 0, 0
	for i := range good {
		for _, b := range []byte{good[i] ^ 1, good[i] ^ 0x20, 0, ' ', '"', good[i] + 1} {
			if b == good[i] {
				continue
			}
			blob := bytes.Clone(good)
			blob[i] = b
			writeFile(t, dir, blob)
			got, info, err := s.Load(background)
			switch {
			case err != nil:
				refused++
				wantSentence(t, err)
			case strings.Join(sorted(got), ";") != strings.Join(sorted(want), ";") || info.Generation != wantInfo.Generation || info.Legacy || info.OlderWrote:
				t.Fatalf("byte %d as %q: read %v, %+v\n%s", i, b, got, info, blob)
			case len(info.Damaged) > 0:
				told++
			default:
				harmless++
				// What passes in silence is read by older releases as before.
				if one, _, err := openState[claimsV1](t, dir, versions(1)).Load(background); err != nil || len(one.Claims["a"]) != 1 {
					t.Fatalf("byte %d as %q: v1 reads %v, %v", i, b, one, err)
				}
			}
		}
	}
	if refused == 0 || told == 0 {
		t.Errorf("%d refused, %d told", refused, told)
	}
	t.Logf("%d bytes: %d changes refused, %d told, %d harmless", len(good), refused, told, harmless)
}

func sorted(d *claimsV3) (list []string) {
	for uid, devices := range d.Claims {
		for name, dev := range devices {
			list = append(list, uid+"/"+name+"/"+dev.Pool+"/"+dev.Share)
		}
	}
	slices.Sort(list)
	return list
}
