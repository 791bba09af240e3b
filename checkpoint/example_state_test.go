package checkpoint_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/migrate"
)

// A DRA driver's prepared claims: v1 knows one device a claim, v2 several, and v3
// who shares them. The steps are in example_steps_test.go.
var prepared = []migrate.Version{
	migrate.First[preparedV1]("v1"),
	migrate.Next("v2", preparedV1toV2, preparedV2toV1),
	migrate.Next("v3", preparedV2toV3, preparedV3toV2),
}

// Three releases of the driver run one after the other, and the last is rolled back.
func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "driver")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	one, _ := checkpoint.Open[preparedV1](dir, "claims", checkpoint.WithVersions(prepared[:1]...))
	fmt.Println("1.0 prepares:", one.Update(ctx, func(p *preparedV1) error {
		p.Claims = map[string]string{"claim-a": "gpu-0"}
		return nil
	}))
	// 1.2 writes v3, and v2 beside it for a roll-back to 1.1.
	three, _ := checkpoint.Open[preparedV3](dir, "claims", checkpoint.WithVersions(prepared...), checkpoint.WithDualWrite(1),
		checkpoint.WithObserver(func(e checkpoint.Event) { fmt.Println("  event:", e.Kind, e.From, e.To, e.Lost) }))
	fmt.Println("1.2 prepares:", three.Update(ctx, func(p *preparedV3) error {
		p.Claims["claim-b"] = claimV3{Devices: []string{"gpu-1", "gpu-2"}, Shared: true}
		return nil
	}))

	two, _ := checkpoint.Open[preparedV2](dir, "claims", checkpoint.WithVersions(prepared[:2]...))
	fmt.Println("1.1 unprepares:", two.Update(ctx, func(p *preparedV2) error {
		delete(p.Claims, "claim-a")
		return nil
	}))

	p, info, err := three.Load(ctx)
	fmt.Println("1.2 reads:", p.Claims, info.Version, "generation", info.Generation, err)
	// Output:
	// 1.0 prepares: <nil>
	//   event: reduced v3 v2 [Claims.claim-b.Shared (v3 to v2): v2 does not share]
	//   event: migrated v1 v3 []
	// 1.2 prepares: <nil>
	// 1.1 unprepares: <nil>
	//   event: older-wrote v2 v3 [Claims.claim-b.Shared (v3 to v2): v2 does not share]
	// 1.2 reads: map[claim-b:{[gpu-1 gpu-2] false}] v2 generation 3 <nil>
}
