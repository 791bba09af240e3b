package checkpoint_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/migrate"
)

// The claims that a driver has prepared, in three versions. v1 has one pool and
// v2 gives each device its pool; v3 lets claims share a device.

type claimsV1 struct {
	Claims map[string][]string `json:"claims,omitempty"`
}

type claimsV2 struct {
	Claims map[string]map[string]string `json:"claims,omitempty"` // claim → device → pool
}

type claimsV3 struct {
	Claims map[string]map[string]deviceV3 `json:"claims,omitempty"`
}

type deviceV3 struct {
	Pool  string `json:"pool"`
	Share string `json:"share,omitempty"`
}

const thePool = "node"

func v1ToV2(d *claimsV1) (*claimsV2, []migrate.Loss, error) {
	out := &claimsV2{Claims: map[string]map[string]string{}}
	for uid, devices := range d.Claims {
		out.Claims[uid] = map[string]string{}
		for _, name := range devices {
			out.Claims[uid][name] = thePool
		}
	}
	return out, nil, nil
}

func v2ToV1(d *claimsV2) (*claimsV1, []migrate.Loss, error) {
	out := &claimsV1{Claims: map[string][]string{}}
	var lost []migrate.Loss
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		for _, name := range slices.Sorted(maps.Keys(d.Claims[uid])) {
			out.Claims[uid] = append(out.Claims[uid], name)
			if pool := d.Claims[uid][name]; pool != thePool {
				lost = append(lost, migrate.Loss{Path: "claims." + uid + "." + name, Reason: "v1 has one pool"})
			}
		}
	}
	return out, lost, nil
}

func v2ToV3(d *claimsV2) (*claimsV3, []migrate.Loss, error) {
	out := &claimsV3{Claims: map[string]map[string]deviceV3{}}
	for uid, devices := range d.Claims {
		out.Claims[uid] = map[string]deviceV3{}
		for name, pool := range devices {
			out.Claims[uid][name] = deviceV3{Pool: pool}
		}
	}
	return out, nil, nil
}

func v3ToV2(d *claimsV3) (*claimsV2, []migrate.Loss, error) {
	out := &claimsV2{Claims: map[string]map[string]string{}}
	var lost []migrate.Loss
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		out.Claims[uid] = map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(d.Claims[uid])) {
			out.Claims[uid][name] = d.Claims[uid][name].Pool
			if d.Claims[uid][name].Share != "" {
				lost = append(lost, migrate.Loss{Path: "claims." + uid + "." + name + ".share", Reason: "v2 has no shares"})
			}
		}
	}
	return out, lost, nil
}

// versions are those that a release of the driver knows.
func versions(release int) checkpoint.Option {
	return checkpoint.WithVersions([]migrate.Version{
		migrate.First[claimsV1]("v1"),
		migrate.Next("v2", v1ToV2, v2ToV1),
		migrate.Next("v3", v2ToV3, v3ToV2),
	}[:release]...)
}

// oldStore is what the driver had before, on the kubelet's package: the sum is of
// the dump of the whole, under the names of its own types.
type oldStore struct {
	Checksum checksum.Checksum `json:"checksum"`
	V1       *oldClaims        `json:"v1,omitempty"`
}

type oldClaims struct {
	Claims map[string][]string `json:"claims,omitempty"`
}

func (s *oldStore) MarshalCheckpoint() ([]byte, error) {
	s.Checksum = 0
	s.Checksum = checksum.New(s)
	return json.Marshal(*s)
}

func (s *oldStore) UnmarshalCheckpoint(blob []byte) error { return json.Unmarshal(blob, s) }

func (s *oldStore) VerifyChecksum() error {
	stored := s.Checksum
	s.Checksum = 0
	err := stored.Verify(s)
	s.Checksum = stored
	return err
}

// store is oldStore as the driver has it now, its types renamed.
type store struct {
	Checksum checksum.Checksum `json:"checksum"`
	V1       *claimsV1         `json:"v1,omitempty"`
}

var storeForm = checkpoint.Legacy[store, claimsV1]{
	Version: "v1",
	Names:   checksum.Merge(checksum.Name[store]("checkpoint_test.oldStore"), checksum.Name[claimsV1]("checkpoint_test.oldClaims")),
	Sum:     func(s *store) *checksum.Checksum { return &s.Checksum },
	Read:    func(s *store) (*claimsV1, []migrate.Loss, error) { return s.V1, nil, nil },
	Write:   func(d *claimsV1) (*store, []migrate.Loss, error) { return &store{V1: d}, nil, nil },
}

const key = "claims"

var background = context.Background()

func openState[T any](t testing.TB, dir string, opts ...checkpoint.Option) *checkpoint.State[T] {
	t.Helper()
	s, err := checkpoint.Open[T](dir, key, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// prepare adds a device to a claim in the newest version.
func prepare(t testing.TB, s *checkpoint.State[claimsV3], uid, device, pool, share string) {
	t.Helper()
	if err := s.Update(background, adding(uid, device, pool, share)); err != nil {
		t.Fatal(err)
	}
}

func adding(uid, device, pool, share string) func(*claimsV3) error {
	return func(d *claimsV3) error {
		if d.Claims == nil {
			d.Claims = map[string]map[string]deviceV3{}
		}
		if d.Claims[uid] == nil {
			d.Claims[uid] = map[string]deviceV3{}
		}
		d.Claims[uid][device] = deviceV3{pool, share}
		return nil
	}
}

func load[T any](t testing.TB, s *checkpoint.State[T]) (*T, checkpoint.Info) {
	t.Helper()
	doc, info, err := s.Load(background)
	if err != nil {
		t.Fatal(err)
	}
	return doc, info
}

func readFile(t testing.TB, dir string) []byte {
	t.Helper()
	blob, err := os.ReadFile(filepath.Join(dir, key))
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

func writeFile(t testing.TB, dir string, blob []byte) {
	t.Helper()
	// Not over the old file: ext4 would flush each time.
	if err := os.Remove(filepath.Join(dir, key)); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, key), blob, 0o600); err != nil {
		t.Fatal(err)
	}
}

// wantReason checks that an error is one sentence with a reason.
func wantReason(t testing.TB, err error, want checkpoint.Reason) {
	t.Helper()
	var format *checkpoint.FormatError
	if !errors.As(err, &format) || format.Reason != want {
		t.Errorf("%v, want reason %q", err, want)
	}
	wantSentence(t, err)
}

func wantSentence(t testing.TB, err error) {
	t.Helper()
	text := fmt.Sprint(err)
	if slices.ContainsFunc([]rune(text), func(r rune) bool { return r < ' ' }) || len(text) > 500 {
		t.Errorf("not one sentence: %q", text)
	}
}

// heard collects events.
type heard struct{ events []checkpoint.Event }

func (h *heard) option() checkpoint.Option {
	return checkpoint.WithObserver(func(e checkpoint.Event) { h.events = append(h.events, e) })
}

// take returns the kinds of the events so far, and forgets them.
func (h *heard) take() (kinds []checkpoint.EventKind) {
	for _, e := range h.events {
		kinds = append(kinds, e.Kind)
	}
	h.events = nil
	return kinds
}
