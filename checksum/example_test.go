package checksum_test

import (
	"errors"
	"fmt"

	"github.com/kubeckpt/ckpt/checksum"
)

func Example() {
	type Claim struct{ Name, Pod string }
	stored := checksum.New(Claim{"gpu-0", "web"})

	err := stored.Verify(Claim{"gpu-0", "db"})
	fmt.Println(err)

	var corrupt *checksum.CorruptCheckpointError
	if errors.As(err, &corrupt) {
		fmt.Println(corrupt.ExpectedCS, corrupt.ActualCS)
	}
	// Output:
	// checkpoint is corrupted
	// 3497714929 853707765
}

func ExampleDump() {
	type table struct{ Total, Free uint64 }
	names := checksum.Name[table]("state.MemoryTable")

	text, err := checksum.Dump(map[string]*table{"memory": {Total: 8, Free: 4}}, names)
	fmt.Println(text, err)
	// Output:
	// (map[string]*state.MemoryTable)map[memory:<*>{Total:(uint64)8 Free:(uint64)4}] <nil>
}

func ExampleDump_unsound() {
	loop := map[string]any{}
	loop["a"] = []any{1, loop}

	_, err := checksum.Dump(loop, nil)
	fmt.Println(err)
	// Output:
	// no sound dump: .["a"][1] of type "map[string]interface {}" contains itself
}
