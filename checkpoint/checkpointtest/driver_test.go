package checkpointtest_test

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/migrate"
)

// The driver under test. Release 1.0 was on the kubelet's package, 1.1 has a State
// with v1, and 1.2, which is being written, has v2.

type preparedV1 struct {
	Claims map[string][]string `json:"claims,omitempty"`
}

type preparedV2 struct {
	Claims map[string]preparedClaim `json:"claims,omitempty"`
}

type preparedClaim struct {
	Devices []string `json:"devices"`
	Shared  bool     `json:"shared,omitempty"`
}

func up(d *preparedV1) (*preparedV2, []migrate.Loss, error) {
	out := &preparedV2{Claims: map[string]preparedClaim{}}
	for uid, devices := range d.Claims {
		out.Claims[uid] = preparedClaim{Devices: devices}
	}
	return out, nil, nil
}

func down(d *preparedV2) (*preparedV1, []migrate.Loss, error) {
	out := &preparedV1{Claims: map[string][]string{}}
	var lost []migrate.Loss
	for _, uid := range slices.Sorted(maps.Keys(d.Claims)) {
		out.Claims[uid] = d.Claims[uid].Devices
		if d.Claims[uid].Shared {
			lost = append(lost, migrate.Loss{Path: "claims." + uid + ".shared", Reason: "v1 does not share"})
		}
	}
	return out, lost, nil
}

// oldStore is the checkpoint of release 1.0.
type oldStore struct {
	Checksum checksum.Checksum `json:"checksum"`
	V1       *preparedV1       `json:"v1,omitempty"`
}

func (s *oldStore) MarshalCheckpoint() ([]byte, error) {
	s.Checksum = 0
	out, err := json.Marshal(*s)
	if err != nil {
		return nil, err
	}
	s.Checksum = checksum.New(out)
	return json.Marshal(*s)
}

func (s *oldStore) UnmarshalCheckpoint(blob []byte) error { return json.Unmarshal(blob, s) }

func (s *oldStore) VerifyChecksum() error {
	stored := s.Checksum
	s.Checksum = 0
	out, err := json.Marshal(*s)
	s.Checksum = stored
	if err != nil {
		return err
	}
	return stored.Verify(out)
}

var (
	first = migrate.First[preparedV1]("v1").Named(checksum.Name[oldStore]("main.Checkpoint"))
	form  = checkpoint.WithLegacy(checkpoint.Legacy[oldStore, preparedV1]{
		Version: "v1",
		Read:    func(s *oldStore) (*preparedV1, []migrate.Loss, error) { return s.V1, nil, nil },
		Write:   func(d *preparedV1) (*oldStore, []migrate.Loss, error) { return &oldStore{V1: d}, nil, nil },
	})
	background = context.Background()
)

var update = flag.Bool("update", false, "write the derived files of testdata")

// corpus is all that a driver needs to prove that upgrades and roll-backs work.
func corpus() checkpointtest.Corpus[preparedV2] {
	return checkpointtest.Corpus[preparedV2]{
		Dir:      "testdata/corpus",
		Key:      "prepared-claims",
		Versions: []migrate.Version{first, migrate.Next("v2", up, down)},
		Options:  []checkpoint.Option{checkpoint.WithDualWrite(1), form},
		Older: []checkpointtest.Release{
			checkpointtest.PackageRelease("1.0", func(s *oldStore) { s.V1.Claims = map[string][]string{"z": {"gpu-9"}} }),
			checkpointtest.StateRelease("1.1", func(d *preparedV1) { delete(d.Claims, "a") }, checkpoint.WithVersions(first), form),
		},
		Release: "1.2",
		Cases: map[string]*preparedV2{
			"empty":      {},
			"two-claims": {map[string]preparedClaim{"a": {Devices: []string{"gpu-0"}}, "b": {Devices: []string{"gpu-1"}, Shared: true}}},
		},
		Update: *update,
	}
}

func open(d *checkpointtest.Disk) (*checkpoint.State[preparedV2], error) {
	return checkpoint.Open[preparedV2]("/state", "prepared-claims",
		checkpoint.WithVersions(first, migrate.Next("v2", up, down)), checkpoint.WithDualWrite(1), form, d.Option())
}

// prepare opens the State, as a driver that starts, and prepares a claim.
func prepare(d *checkpointtest.Disk, uid string) error {
	s, err := open(d)
	if err != nil {
		return err
	}
	err = s.Update(background, func(p *preparedV2) error {
		if p.Claims == nil {
			p.Claims = map[string]preparedClaim{}
		}
		p.Claims[uid] = preparedClaim{Devices: []string{"gpu-0"}}
		return nil
	})
	if err == nil {
		d.Acknowledge(uid)
	}
	return err
}
