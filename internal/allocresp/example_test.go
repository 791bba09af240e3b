package allocresp_test

import (
	"fmt"

	"github.com/kubeckpt/ckpt/internal/allocresp"
)

func ExampleDecode() {
	message := []byte("\x1a\x1c\x0a\x0c/dev/nvidia0\x12\x08/dev/nv0\x1a\x02rw" + "\x2a\x06\x0a\x04gpu\xff")
	for _, dialect := range []allocresp.Dialect{allocresp.Gogo, allocresp.Google} {
		r, err := allocresp.Decode(message, dialect)
		if err != nil {
			fmt.Printf("%v: %v\n", dialect, err)
			continue
		}
		fmt.Printf("%v: %+v %q\n", dialect, r.Devices, r.CDIDevices)
	}
	// Output:
	// github.com/gogo/protobuf: [{ContainerPath:/dev/nvidia0 HostPath:/dev/nv0 Permissions:rw}] ["gpu\xff"]
	// google.golang.org/protobuf: string field contains invalid UTF-8
}
