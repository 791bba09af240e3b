module github.com/kubeckpt/ckpt/testdata/oracle/kubelet-1.13

go 1.23.0

require (
	github.com/gogo/protobuf v1.3.2
	github.com/kubeckpt/ckpt/testdata/oracle v0.0.0
	golang.org/x/net v0.17.0
	google.golang.org/grpc v1.58.3
	k8s.io/klog v1.0.0
	k8s.io/kubernetes v1.13.0
)

require (
	github.com/golang/protobuf v1.5.3 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20230711160842-782d3b101e98 // indirect
	google.golang.org/protobuf v1.31.0 // indirect
)

// 1.13 has no go.mod. These stand in for the commits of its Godeps.
require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/fsnotify/fsnotify v1.10.1 // indirect
	github.com/spf13/afero v1.15.0 // indirect
	golang.org/x/sys v0.13.0 // indirect
	golang.org/x/text v0.28.0 // indirect
)

replace github.com/kubeckpt/ckpt/testdata/oracle => ../
