package kubelet_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/checksum"
)

// A device plugin that starts asks which of its devices containers still hold. The
// answer is the same whether a kubelet of 1.13 or one of today wrote the file.
func ExampleReadDevices() {
	const resource = "nvidia.com/gpu"
	for _, file := range []string{
		"testdata/node/device-plugins/kubelet_internal_checkpoint",
		"../../testdata/kubelets/device/1.13/v1-2resources.json",
		"../../testdata/reports/47-nokia-cpupooler-fixture.json",
	} {
		blob, err := os.ReadFile(file)
		if err != nil {
			fmt.Println(err)
			return
		}
		devices, reading, err := kubelet.ReadDevices(blob)
		if err != nil {
			fmt.Println(err)
			fmt.Println("  may be shown:", errors.Is(err, checksum.ErrCorruptCheckpoint) && len(devices.PodDeviceEntries) > 0)
			continue // devices must not be freed by what may be wrong
		}
		fmt.Println(reading.Format)
		for _, e := range devices.PodDeviceEntries {
			if e.ResourceName == resource {
				fmt.Println(" ", e.PodUID, e.ContainerName, e.IDs())
			}
		}
	}
	// Output:
	// device/v2
	//   922acc1f-d886-5cc8-b44f-9ca08bae216a app [GPU-9 GPU-0 GPU-1 GPU-4]
	// device/v1
	//   922acc1f-d886-5cc8-b44f-9ca08bae216a app [GPU-0 GPU-1]
	// cannot read the device/v2 file: the stored checksum is 403603645, but the content gives 3162097514
	//   may be shown: true
}
