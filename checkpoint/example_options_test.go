package checkpoint_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/migrate"
)

// A state that can be found out again is put away when it is damaged, and somebody
// hears of it.
func ExampleWithRecovery() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "driver")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.WriteFile(filepath.Join(dir, "claims"), []byte(`{"ckpt":`), 0o600); err != nil {
		log.Fatal(err)
	}

	claims, err := checkpoint.Open[map[string]string](dir, "claims",
		checkpoint.WithRecovery(checkpoint.QuarantineAndStartEmpty),
		checkpoint.WithObserver(func(e checkpoint.Event) { fmt.Println(e.Kind, "because", e.Err) }))
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = claims.Load(ctx)
	fmt.Println(errors.Is(err, checkpoint.ErrCheckpointNotFound))
	// Output:
	// quarantined because the file ends too early, after 8 bytes
	// true
}

// A driver had this on the kubelet's package, with a sum over the whole.
type oldFile struct {
	Checksum checksum.Checksum `json:"checksum"`
	V1       *preparedV1       `json:"v1,omitempty"`
}

// The old file is read, and written beside the new form for as long as a roll-back
// to the old program must work.
func ExampleWithLegacy() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "driver")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	old := `{"checksum":2594936739,"v1":{"Claims":{"claim-a":"gpu-0"}}}`
	if err := os.WriteFile(filepath.Join(dir, "claims"), []byte(old), 0o600); err != nil {
		log.Fatal(err)
	}

	claims, err := checkpoint.Open[preparedV1](dir, "claims",
		checkpoint.WithVersions(migrate.First[preparedV1]("v1")),
		checkpoint.WithLegacy(checkpoint.Legacy[oldFile, preparedV1]{
			Version: "v1",
			Sum:     func(f *oldFile) *checksum.Checksum { return &f.Checksum },
			Of:      checkpoint.SumOfJSON[oldFile],
			Read: func(f *oldFile) (*preparedV1, []migrate.Loss, error) {
				if f.V1 == nil {
					return &preparedV1{}, nil, nil
				}
				return f.V1, nil, nil
			},
			Write: func(d *preparedV1) (*oldFile, []migrate.Loss, error) { return &oldFile{V1: d}, nil, nil },
		}))
	if err != nil {
		log.Fatal(err)
	}
	p, info, err := claims.Load(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Claims, info.Legacy)
	if err := claims.Update(ctx, func(p *preparedV1) error {
		delete(p.Claims, "claim-a")
		return nil
	}); err != nil {
		log.Fatal(err)
	}
	blob, err := os.ReadFile(filepath.Join(dir, "claims"))
	fmt.Printf("%.45s… %v\n", blob, err)
	// Output:
	// map[claim-a:gpu-0] true
	// {"checksum":90197592,"v1":{"Claims":{}},"ckpt… <nil>
}
