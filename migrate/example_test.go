package migrate_test

import (
	"fmt"

	"github.com/kubeckpt/ckpt/migrate"
)

type settingsV1 struct {
	Timeout int // seconds
}

type settingsV2 struct {
	TimeoutMS int
}

func Example() {
	chain, err := migrate.NewChain(
		migrate.First[settingsV1]("v1"),
		migrate.Next("v2",
			func(d *settingsV1) (*settingsV2, []migrate.Loss, error) {
				return &settingsV2{TimeoutMS: 1000 * d.Timeout}, nil, nil
			},
			func(d *settingsV2) (*settingsV1, []migrate.Loss, error) {
				var lost []migrate.Loss
				if d.TimeoutMS%1000 != 0 {
					lost = append(lost, migrate.Loss{Path: "TimeoutMS", Reason: "v1 counts whole seconds"})
				}
				return &settingsV1{Timeout: d.TimeoutMS / 1000}, lost, nil
			}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	old, lost, err := chain.Convert(&settingsV2{TimeoutMS: 1500}, "v2", "v1")
	fmt.Println(old.(*settingsV1).Timeout, lost, err)
	_, err = chain.Decode("v3", []byte(`{}`))
	fmt.Println(err)
	// Output:
	// 1 [TimeoutMS (v2 to v1): v1 counts whole seconds] <nil>
	// written by a newer version: "v3", the newest known here is "v2"
}
