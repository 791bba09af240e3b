//go:build since1.34

package kinds

import (
	"google.golang.org/protobuf/proto"
	pluginapi "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// allocRespError is why the device manager drops an entry, with a line in its
// log and nothing else.
func allocRespError(b []byte) error {
	return proto.Unmarshal(b, &pluginapi.ContainerAllocateResponse{})
}
