package checkpoint_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/filestore"
	"github.com/kubeckpt/ckpt/migrate"
)

type counter struct{ N int }

func add(d *counter) error {
	d.N++
	return nil
}

func TestStateLifecycle(t *testing.T) {
	dir := t.TempDir()
	s := openState[counter](t, dir)
	if _, _, err := s.Load(background); !errors.Is(err, checkpoint.ErrCheckpointNotFound) || err.Error() != `cannot load state "claims": checkpoint is not found` {
		t.Errorf("missing: %v", err)
	}
	if _, _, ok := s.Last(); ok {
		t.Error("a state that was never read has a last value")
	}
	for want := 1; want <= 3; want++ {
		if err := s.Update(background, add); err != nil {
			t.Fatal(err)
		}
		for name, reader := range map[string]*checkpoint.State[counter]{"same": s, "other": openState[counter](t, dir)} {
			got, info := load(t, reader)
			if got.N != want || info.Generation != uint64(want) || info.Version != "v1" || info.OlderWrote || info.Legacy || info.StaleBoot {
				t.Errorf("%s: %+v, %+v, want %d", name, got, info, want)
			}
		}
		if got, info, ok := s.Last(); !ok || got.N != want || info.Generation != uint64(want) {
			t.Errorf("last %+v, %+v, %t", got, info, ok)
		}
	}
	for range 2 {
		if err := s.Delete(background); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := s.Load(background); !errors.Is(err, checkpoint.ErrCheckpointNotFound) {
		t.Errorf("deleted: %v", err)
	}
	if _, _, ok := s.Last(); ok {
		t.Error("a deleted state has a last value")
	}
	if err := s.Update(background, add); err != nil {
		t.Fatal(err)
	}
	if got, info := load(t, s); got.N != 1 || info.Generation != 4 {
		t.Errorf("after deletion: %+v, %+v", got, info)
	}
}

// What change does to its argument is nobody else's business until it is written.
func TestUpdateThatFails(t *testing.T) {
	dir, boom := t.TempDir(), errors.New("boom")
	s := openState[counter](t, dir)
	if err := s.Update(background, add); err != nil {
		t.Fatal(err)
	}
	before := readFile(t, dir)
	err := s.Update(background, func(d *counter) error {
		d.N = 99
		return boom
	})
	var state *checkpoint.StateError
	if !errors.Is(err, boom) || !errors.As(err, &state) || state.Outcome != checkpoint.Unchanged || err.Error() != `cannot update state "claims": boom` {
		t.Errorf("%v", err)
	}
	func() {
		defer func() {
			if r := recover(); r != "oops" {
				t.Errorf("recovered %v", r)
			}
		}()
		_ = s.Update(background, func(*counter) error { panic("oops") })
	}()
	if got, _, _ := s.Last(); got.N != 1 || !bytes.Equal(readFile(t, dir), before) {
		t.Errorf("%+v after failed updates, file %s", got, readFile(t, dir))
	}
	if err := s.Update(background, add); err != nil {
		t.Errorf("update after a panic: %v", err)
	}
}

// A caller who changes what he was given changes nothing else.
func TestNobodySharesMemory(t *testing.T) {
	s := openState[claimsV3](t, t.TempDir(), versions(3))
	var kept *claimsV3
	if err := s.Update(background, func(d *claimsV3) error {
		kept = d
		return adding("u", "gpu-0", thePool, "")(d)
	}); err != nil {
		t.Fatal(err)
	}
	last, _, _ := s.Last()
	loaded, _ := load(t, s)
	for _, d := range []*claimsV3{kept, last, loaded} {
		d.Claims["u"]["gpu-1"] = deviceV3{}
	}
	if got, _, _ := s.Last(); len(got.Claims["u"]) != 1 {
		t.Errorf("last is %v", got)
	}
}

func TestUpdateThatChangesNothingWritesNothing(t *testing.T) {
	dir := t.TempDir()
	s := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(1))
	prepare(t, s, "u", "gpu-0", thePool, "")
	before := readFile(t, dir)
	prepare(t, s, "u", "gpu-0", thePool, "")
	if !bytes.Equal(readFile(t, dir), before) {
		t.Error("the file has changed")
	}
	// Another program would leave another file.
	prepare(t, openState[claimsV3](t, dir, versions(3)), "u", "gpu-0", thePool, "")
	if bytes.Equal(readFile(t, dir), before) {
		t.Error("the previous version is still beside it")
	}
}

func TestEmptyState(t *testing.T) {
	s := openState[counter](t, t.TempDir(), checkpoint.WithEmpty(func() *counter { return &counter{N: 41} }))
	if err := s.Update(background, add); err != nil {
		t.Fatal(err)
	}
	if got, _ := load(t, s); got.N != 42 {
		t.Error(got)
	}
}

// While another process has the lock, a context ends the wait, and nothing is
// written when the lock comes.
func TestContextEndsTheWait(t *testing.T) {
	dir := t.TempDir()
	other, err := filestore.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := openState[counter](t, dir, checkpoint.WithStore(filestore.WithLockTimeout(time.Minute)))
	err = other.Update("other", func([]byte) ([]byte, error) {
		ctx, cancel := context.WithCancel(background)
		time.AfterFunc(20*time.Millisecond, cancel)
		if err := s.Update(ctx, add); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		if err := s.Update(ctx, add); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled before: %v", err)
		}
		short := openState[counter](t, dir, checkpoint.WithStore(filestore.WithLockTimeout(time.Millisecond)))
		var locked *filestore.LockedError
		if err := short.Update(background, add); !errors.As(err, &locked) {
			t.Errorf("without a deadline: %v", err)
		}
		// A deadline is waited for, however short the store's own patience is.
		start := time.Now()
		ctx, cancel = context.WithTimeout(background, 50*time.Millisecond)
		defer cancel()
		if err := short.Update(ctx, add); !errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &locked) || time.Since(start) < 50*time.Millisecond {
			t.Errorf("with a deadline: %v after %v", err, time.Since(start))
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(background, add); err != nil {
		t.Fatal(err)
	}
	if got, _ := load(t, s); got.N != 1 {
		t.Errorf("%d updates were written", got.N)
	}
}

// Wherever a file was cut off, within an escape or a literal too, it is called
// truncated.
func TestTruncatedAnywhere(t *testing.T) {
	type all struct {
		B []bool
		F float64
		N *int
		S string
	}
	dir := t.TempDir()
	s := openState[all](t, dir)
	err := s.Update(background, func(d *all) error {
		*d = all{B: []bool{true, false}, F: -1.5e-20, S: "\"\\\x01"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	good := readFile(t, dir)
	for n := 1; n < len(good); n++ {
		writeFile(t, dir, good[:n])
		_, _, err := s.Load(background)
		var format *checkpoint.FormatError
		if !errors.As(err, &format) || format.Reason != checkpoint.ReasonTruncated || format.Offset != int64(n) {
			t.Errorf("cut behind %q: %v", good[:n], err)
		}
	}
}

func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	s := openState[counter](t, dir)
	if err := s.Update(background, add); err != nil {
		t.Fatal(err)
	}
	good := string(readFile(t, dir))
	for blob, want := range map[string]checkpoint.Reason{
		"":                             checkpoint.ReasonEmpty,
		" \n":                          checkpoint.ReasonEmpty,
		strings.Repeat("\x00", 50):     checkpoint.ReasonNUL,
		good[:30] + "\x00" + good[30:]: checkpoint.ReasonNUL,
		good[:len(good)-1]:             checkpoint.ReasonTruncated,
		good + "}":                     checkpoint.ReasonTrailing,
		good + good:                    checkpoint.ReasonTrailing,
		"no" + good:                    checkpoint.ReasonSyntax,
		"[]":                           checkpoint.ReasonForeign,
		"null":                         checkpoint.ReasonForeign,
		"{}":                           checkpoint.ReasonForeign,
		`{"policyName":"none"}`:        checkpoint.ReasonForeign,
		`{"ckpt":1}`:                   checkpoint.ReasonEnvelope,
		`{"ckpt":{}}`:                  checkpoint.ReasonEnvelope,
		`{"ckpt":{"name":1}}`:          checkpoint.ReasonEnvelope,
		`{"ckpt":{},"ckpt":{}}`:        checkpoint.ReasonEnvelope,
		strings.Replace(good, `"N":1`, `"N":2`, 1):                    checkpoint.ReasonDigest,
		strings.Replace(good, `"N":1`, `"N": 1`, 1):                   checkpoint.ReasonDigest,
		strings.Replace(good, `"fnv32a":`, `"fnv32a":1`, 1):           checkpoint.ReasonDigest,
		strings.Replace(good, `"generation":1`, `"generation":2`, 1):  checkpoint.ReasonSeal,
		strings.Replace(good, `"version":"v1"`, `"version":"v2"`, 1):  checkpoint.ReasonSeal,
		strings.Replace(good, `"name":"claims"`, `"name":"other"`, 1): checkpoint.ReasonSeal,
		strings.Replace(good, `"seal":"`, `"seal":"0`, 1):             checkpoint.ReasonSeal,
		strings.Replace(good, `"name"`, `"name":"claims","name"`, 1):  checkpoint.ReasonEnvelope,
	} {
		writeFile(t, dir, []byte(blob))
		_, _, err := s.Load(background)
		wantReason(t, err, want)
		uerr := s.Update(background, add)
		wantReason(t, uerr, want)
		corrupt := want != checkpoint.ReasonForeign
		if errors.Is(err, checkpoint.ErrCorruptCheckpoint) != corrupt {
			t.Errorf("%s: corrupt %t: %v", blob, !corrupt, err)
		}
		if got := string(readFile(t, dir)); got != blob {
			t.Errorf("%q became %q", blob, got)
		}
	}
	if got, _, ok := s.Last(); !ok || got.N != 1 {
		t.Errorf("last is %+v", got)
	}
}

func TestAnotherName(t *testing.T) {
	dir := t.TempDir()
	if err := openState[counter](t, dir).Update(background, add); err != nil {
		t.Fatal(err)
	}
	_, _, err := openState[counter](t, dir, checkpoint.WithName("sharing")).Load(background)
	wantReason(t, err, checkpoint.ReasonName)
	if errors.Is(err, checkpoint.ErrCorruptCheckpoint) {
		t.Error("another state's file is called corrupt")
	}
}

// Members that somebody else has added stay, and so does their order.
func TestUnknownMembersAreKept(t *testing.T) {
	dir := t.TempDir()
	s := openState[counter](t, dir)
	if err := s.Update(background, add); err != nil {
		t.Fatal(err)
	}
	blob := string(readFile(t, dir))
	blob = strings.Replace(blob, `{"ckpt":{`, `{"x-note": [1, 2],"ckpt":{"later": "<&>",`, 1)
	writeFile(t, dir, []byte(blob))
	if err := s.Update(background, add); err != nil {
		t.Fatal(err)
	}
	got := string(readFile(t, dir))
	if !strings.HasPrefix(got, `{"x-note":[1, 2],"ckpt":{`) || !strings.Contains(got, `,"later":"<&>"}`) || !json.Valid([]byte(got)) {
		t.Errorf("became %s", got)
	}
	if d, _ := load(t, s); d.N != 2 {
		t.Errorf("%+v", d)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	incomplete := storeForm
	incomplete.Read = nil
	noSum := storeForm
	noSum.Sum = nil
	elsewhere := storeForm
	elsewhere.Version = "v9"
	wrongType := storeForm
	wrongType.Version = "v2"
	for want, opts := range map[string][]checkpoint.Option{
		`want the checkpoint_test.claimsV3`:     {versions(2)},
		"at least one version":                  {checkpoint.WithVersions()},
		"cannot write -1 previous":              {versions(3), checkpoint.WithDualWrite(-1)},
		"merge function is for":                 {versions(3), checkpoint.WithMerge(func(_, _ *claimsV1) error { return nil })},
		"empty state is for":                    {versions(3), checkpoint.WithEmpty(func() *claimsV1 { return nil })},
		"control characters":                    {versions(3), checkpoint.WithName("a\nb")},
		"boot id is empty":                      {versions(3), checkpoint.WithBootScope("")},
		"recovery policy (7)":                   {versions(3), checkpoint.WithRecovery(7)},
		"history (-1)":                          {versions(3), checkpoint.WithHistory(-1)},
		"needs Read":                            {versions(3), checkpoint.WithLegacy(incomplete)},
		"and Sum unless it is":                  {versions(3), checkpoint.WithLegacy(noSum)},
		`"v9"`:                                  {versions(3), checkpoint.WithLegacy(elsewhere)},
		"holds a checkpoint_test.claimsV1, but": {versions(3), checkpoint.WithLegacy(wrongType)},
	} {
		_, err := checkpoint.Open[claimsV3](dir, key, opts...)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), `cannot open state "claims": `) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := checkpoint.Open[counter](dir, "../x"); err == nil {
		t.Error("a key outside of the directory")
	}
	if _, err := checkpoint.Open[counter](file, key); err == nil {
		t.Error("a directory that is a file")
	}
}

func TestStateThatDoesNotMarshal(t *testing.T) {
	dir := t.TempDir()
	s := openState[any](t, dir)
	if err := s.Update(background, func(v *any) error { *v = func() {}; return nil }); err == nil {
		t.Error("a function was written")
	}
	type odd struct {
		N json.RawMessage
	}
	o := openState[odd](t, dir, checkpoint.WithVersions(migrate.First[odd]("v1")))
	if err := o.Update(background, func(v *odd) error { v.N = json.RawMessage("{"); return nil }); err == nil {
		t.Error("a broken raw message was written")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 { // the lock
		t.Errorf("%v, %v", entries, err)
	}
}

func TestEventsAreLogged(t *testing.T) {
	dir := t.TempDir()
	var log bytes.Buffer
	logger := checkpoint.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))
	s := openState[claimsV3](t, dir, versions(3), checkpoint.WithDualWrite(1), logger, checkpoint.WithLogger(nil))
	prepare(t, s, "u", "gpu-0", thePool, "half")
	for _, want := range []string{"event=reduced", "key=claims", "from=v3", "to=v2", "lost=1"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, &log)
		}
	}
}
