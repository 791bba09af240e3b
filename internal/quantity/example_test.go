package quantity_test

import (
	"encoding/json"
	"fmt"

	"github.com/kubeckpt/ckpt/internal/quantity"
)

func Example() {
	var resources map[string]quantity.Quantity
	if err := json.Unmarshal([]byte(`{"cpu":"0.5","memory":"1.5Gi"}`), &resources); err != nil {
		fmt.Println(err)
		return
	}
	milli, _ := resources["cpu"].MilliValue()
	bytes, _ := resources["memory"].Int64()
	fmt.Println(milli, "millicores,", bytes, "bytes")

	written, _ := json.Marshal(resources)
	fmt.Println(string(written))
	// Output:
	// 500 millicores, 1610612736 bytes
	// {"cpu":"500m","memory":"1536Mi"}
}
