package checkpointtest_test

import (
	"fmt"
	"slices"

	"github.com/kubeckpt/ckpt/checkpoint/checkpointtest"
)

// What was acknowledged is found after a power cut, at whatever moment it comes.
func ExampleCrashes() {
	_, err := checkpointtest.Crashes(
		func(*checkpointtest.Disk) error { return nil },
		func(d *checkpointtest.Disk) error { return prepare(d, "claim-a") }, // acknowledges "claim-a"
		func(d *checkpointtest.Disk, acknowledged []any) error {
			uids, err := prepared(d)
			if err == nil && len(acknowledged) > 0 && !slices.Contains(uids, "claim-a") {
				err = fmt.Errorf("claim-a is lost")
			}
			return err
		})
	fmt.Println(err)
	// Output: <nil>
}

// A driver must start, and know what it had acknowledged, whichever call failed.
func ExampleFaults() {
	_, err := checkpointtest.Faults(
		func(*checkpointtest.Disk) error { return nil },
		func(d *checkpointtest.Disk) error { return prepare(d, "claim-a") },
		func(d *checkpointtest.Disk, result error) error {
			uids, err := prepared(d)
			if err == nil && result == nil && len(uids) != 1 {
				err = fmt.Errorf("claim-a is lost")
			}
			return err
		})
	fmt.Println(err)
	// Output: <nil>
}

// The files of all releases are read, and theirs by the older ones.
func ExampleCorpus() {
	c := corpus()
	c.Update = false
	fmt.Println(c.Check())
	// Output: <nil>
}
