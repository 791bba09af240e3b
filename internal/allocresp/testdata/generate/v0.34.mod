module github.com/kubeckpt/ckpt/internal/allocresp/testdata/generate

go 1.26

require (
	github.com/kubeckpt/ckpt v0.0.0
	google.golang.org/protobuf v1.36.5
	k8s.io/kubelet v0.34.0
	k8s.io/kubelet33 v0.29.15
)

require (
	github.com/gogo/protobuf v1.3.2 // indirect
	golang.org/x/net v0.38.0 // indirect
	golang.org/x/sys v0.31.0 // indirect
	golang.org/x/text v0.28.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250303144028-a0af3efb3deb // indirect
	google.golang.org/grpc v1.72.1 // indirect
)

replace (
	github.com/kubeckpt/ckpt => ../../../..
	k8s.io/kubelet33 => k8s.io/kubelet v0.29.15
)
